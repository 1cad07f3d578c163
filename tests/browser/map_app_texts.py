"""Texts that a map must show as they are, in the first rows of its test page."""

ODD = (
    '<img src=x onerror="window.hacked=1">',
    "<script>window.hacked = 1</script>",
    "\"quoted\" 'and' &amp;",
    "👩‍👩‍👧 family 🏳️‍🌈",
    "שלום עולם",
    "مرحبا",
)
