"""The pairs that anchor optimization is measured on, what is asked of it, and what rivals gave on them."""

from dataclasses import dataclass, field

import relviz

ANCHORS = 300


@dataclass(frozen=True)
class Subject:
    """Two spaces of a demo; MRR asked for with 15 seeds, and figures quoted for rivals by seed count."""

    name: str
    demo: str
    a: str
    b: str
    asked: dict[int, float] = field(default_factory=dict)
    rivals: dict[int, str] = field(default_factory=dict)

    def pair(self) -> relviz.Pair:
        return relviz.load_demo(self.demo).pair(self.a, self.b)


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject(
            *("glosses-minilm-e5", "glosses", "minilm", "e5"),
            {15: 0.95, 5: 0.92, 0: 0.95},
            {
                15: "VecMap 0.974, latent functional maps 0.53, fused Gromov-Wasserstein 0.25",
                5: "VecMap 0.974",
                0: "VecMap 0.004, mini-vec2vec 0.024",
            },
        ),
        Subject("glosses-minilm-wordllama", "glosses", "minilm", "wordllama", {15: 0.84, 5: 0.81, 0: 0.83}),
        Subject(
            *("emoji-images", "emoji", "image_lite0", "image_lite1"),
            {15: 0.74, 5: 0.71, 0: 0.72},
            {
                15: "VecMap 0.743, latent functional maps 0.69, fused Gromov-Wasserstein 0.51",
                5: "VecMap 0.743",
                0: "VecMap 0.744, mini-vec2vec 0.71",
            },
        ),
        Subject("emoji-names-en-es", "emoji", "text_en_minilm", "text_es_e5", {15: 0.45, 5: 0.42}),
        Subject("words", "words", "glove50", "wink100", {15: 0.99, 5: 0.96, 0: 0.99}),
        Subject("glosses-wordllama-e5", "glosses", "wordllama", "e5"),
        Subject("emoji-names-minilm-wordllama", "emoji", "text_en_minilm", "text_en_wordllama"),
        Subject("emoji-names-wordllama-es", "emoji", "text_en_wordllama", "text_es_e5"),
        Subject("emoji-name-image", "emoji", "text_en_minilm", "image_lite0"),
    )
}
"""The first five are those of the issue; no default was chosen on the others, and the last should fail."""
