"""Random models of transformers, small enough to be made in a test, saved as their makers save them."""

import json
from typing import Any

import torch
import transformers

TEXTS = [
    "a cat sat on the mat",
    "the dog ran",
    "",
    "blue green tree , under the mat . a dog sat on a cat",
    "Ω Привет 漢字 😀 مرحبا",
    "cat",
]
_COMMON: dict[str, Any] = {"num_hidden_layers": 3, "num_attention_heads": 2, "initializer_range": 0.5}


def tokenizer(pad=True, special=True, **also):
    """Letters and pairs of them, learned from ``TEXTS``; any text has tokens of it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    names = ["[PAD]", "[CLS]", "[SEP]", "<eos>"]
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=names,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator(TEXTS, trainer)
    if special:
        inner.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
    told = {"eos_token": "<eos>", **({"pad_token": "[PAD]"} if pad else {}), **also}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=inner, **told)


def bert(folder):
    """3 layers of 16 dimensions, a special token on both sides."""
    config = transformers.BertConfig(
        vocab_size=320, hidden_size=16, intermediate_size=32, max_position_embeddings=64, **_COMMON
    )
    return _saved(folder, transformers.BertModel, config, tokenizer())


def roberta(folder):
    """As ``bert``, its positions counted from behind that of padding: it reads 64 tokens of 66."""
    config = transformers.RobertaConfig(
        vocab_size=320,
        hidden_size=16,
        intermediate_size=32,
        max_position_embeddings=66,
        pad_token_id=1,
        **_COMMON,
    )
    return _saved(folder, transformers.RobertaModel, config, tokenizer())


def gpt2(folder):
    """Decoder only; its tokenizer has no padding and no special tokens, so that "" has no token at all."""
    config = transformers.GPT2Config(
        vocab_size=320, n_embd=16, n_layer=3, n_head=2, n_positions=64, initializer_range=0.5
    )
    return _saved(folder, transformers.GPT2Model, config, tokenizer(pad=False, special=False))


def t5(folder):
    """An encoder and a decoder, of which the encoder is read."""
    config = transformers.T5Config(vocab_size=320, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2)
    return _saved(folder, transformers.T5Model, config, tokenizer(model_max_length=512))


def vit(folder):
    """3 layers of 16 dimensions, a token before 4 × 4 patches."""
    config = transformers.ViTConfig(
        hidden_size=16, intermediate_size=32, image_size=32, patch_size=8, **_COMMON
    )
    processor = transformers.ViTImageProcessorPil(size={"height": 32, "width": 32})
    return _saved(folder, transformers.ViTModel, config, processor)


def dinov2(folder):
    """As ``vit``, with 3 registers between its first token and the patches."""
    config = transformers.Dinov2WithRegistersConfig(
        hidden_size=16, image_size=32, patch_size=8, num_register_tokens=3, **_COMMON
    )
    processor = transformers.ViTImageProcessorPil(size={"height": 32, "width": 32})
    return _saved(folder, transformers.Dinov2WithRegistersModel, config, processor)


def clip(folder):
    """Pictures and texts, of which the part for pictures is read."""
    parts = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        text_config={**parts, "vocab_size": 320, "eos_token_id": 3},
        vision_config={**parts, "image_size": 32, "patch_size": 8},
        projection_dim=8,
    )
    processor = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": 40}, crop_size={"height": 32, "width": 32}
    )
    return _saved(folder, transformers.CLIPModel, config, processor)


def convnext(folder):
    """No tokens: 8 dimensions of 8 × 8 places, then 16 of 4 × 4."""
    config = transformers.ConvNextConfig(
        hidden_sizes=[8, 16], depths=[1, 2], num_stages=2, image_size=32, initializer_range=0.5
    )
    processor = transformers.ConvNextImageProcessorPil(size={"shortest_edge": 32})
    return _saved(folder, transformers.ConvNextModel, config, processor)


def sentence(folder):
    """sentence-transformers: the first token of ``bert``, a dense layer, unit rows; with a prompt."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer

    first = Transformer(str(bert(folder.with_name("first"))), max_seq_length=32)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        modules = [first, Pooling(16, "cls"), Dense(16, 6), Normalize()]
        model = SentenceTransformer(
            modules=modules, device="cpu", prompts={"q": "ask: "}, default_prompt_name="q"
        )
    model.save(str(folder))
    return folder


def static(folder):
    """sentence-transformers without a transformer: a table of tokens."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        table = StaticEmbedding(tokenizer().backend_tokenizer, embedding_dim=8)
    SentenceTransformer(modules=[table], device="cpu").save(str(folder))
    return folder


MAKERS = {
    maker.__name__: maker
    for maker in (bert, roberta, gpt2, t5, vit, dinov2, clip, convnext, sentence, static)
}


def _saved(folder, kind, config, beside):
    folder.mkdir()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        kind(config).save_pretrained(folder)
    beside.save_pretrained(folder)
    return folder


def edited(folder, name, **changes):
    """A JSON file of a folder, some of its entries changed."""
    said = json.loads((folder / name).read_text())
    (folder / name).write_text(json.dumps({**said, **changes}))
