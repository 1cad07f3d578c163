"""Where numbers are computed, kept and waited for: device, blockwise kernels, store, jobs."""
