"""Which encoder the vectors of a demo's space came from."""

_ORIGIN = {
    ("emoji", "image_lite0"): "efficientnet_lite0",
    ("emoji", "image_lite1"): "efficientnet_lite1",
    ("emoji", "text_en_minilm"): "minilm",
    ("emoji", "text_en_wordllama"): "wordllama",
    ("emoji", "text_es_e5"): "e5",
    ("glosses", "e5"): "e5",
    ("glosses", "minilm"): "minilm",
    ("glosses", "wordllama"): "wordllama",
}


def encoder_of(demo: str, space: str) -> str | None:
    """Name of the encoder that made a demo's space, by the space's key; None if it cannot be loaded here.

    A new item lies among the carried ones as they were encoded: emoji as "grinning face: face, grin" (name
    and keywords of CLDR), glosses as the definition without the word, pictures at 128 pixels on white.
    """
    return _ORIGIN.get((demo, space))
