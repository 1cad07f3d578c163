"""Everything that an accelerator computes, compared with the CPU and timed beside it; see ``__main__``."""
