"""Random transformers small enough to be made in a test, as sentence-transformers has them."""

import torch

WORDS = ["a", "the", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "blue", "green", ".", ","]


def tiny(folder, kind="bert"):
    """A sentence-transformers model of 3 layers and 16 dimensions, mean pooling, unit rows."""
    import transformers
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

    configuration, network = {
        "bert": (transformers.BertConfig, transformers.BertModel),
        "mpnet": (transformers.MPNetConfig, transformers.MPNetModel),
    }[kind]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)  # type: ignore[attr-defined]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = configuration(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=3,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=64,
            initializer_range=0.5,
        )
        network(config).save_pretrained(folder)
    first = Transformer(str(folder), max_seq_length=32)
    return SentenceTransformer(modules=[first, Pooling(16, "mean"), Normalize()], device="cpu")


def sentences(n, seed=0):
    """Sentences of 1 to 12 of the words."""
    random = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, 13, (n,), generator=random).tolist()
    return [
        " ".join(WORDS[word] for word in torch.randint(0, len(WORDS), (k,), generator=random))
        for k in lengths
    ]
