"""Folders that are damaged, not whole, or hostile: one plain error, and nothing of theirs is run."""

import json
import logging
import os
import pickle
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file

from relviz.encoders import card, load_encoder
from relviz.errors import Error, ReadError
from tests.encoders.small import edited


def refused(folder, match):
    with pytest.raises(ReadError, match=match) as caught:
        load_encoder(folder)
    assert str(folder.parent) not in str(caught.value)


class Hostile:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("kind", ["bert", "vit", "sentence"])
@pytest.mark.parametrize("how", ["torch", "legacy", "plain"])
def test_a_pickle_for_weights_is_never_run(copied, tmp_path, kind, how):
    folder = copied(kind)
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    bad, path = {**weights, "x": Hostile(tmp_path / "run")}, folder / "pytorch_model.bin"
    if how == "plain":
        path.write_bytes(pickle.dumps({"x": Hostile(tmp_path / "run")}))
    else:
        torch.save(bad, path, _use_new_zipfile_serialization=how == "torch")
    refused(folder, r"are a pickle of more than tensors.*model\.save_pretrained\(folder\)")
    assert not (tmp_path / "run").exists()
    torch.load(path, weights_only=False) if how == "torch" else pickle.loads(pickle.dumps(bad["x"]))
    assert (tmp_path / "run").exists(), "the pickle was not hostile"


@pytest.mark.parametrize("kind", ["bert", "vit", "sentence"])
def test_tensors_in_a_bin_are_read(models, copied, kind):
    import numpy as np

    folder = copied(kind)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    items = np.zeros((1, 32, 32, 3), np.uint8) if kind == "vit" else ["a cat"]
    found, expected = load_encoder(folder), load_encoder(models[kind])
    torch.testing.assert_close(found.encode(items), expected.encode(items), rtol=0, atol=1e-6)
    assert card(folder) == card(models[kind])


def test_other_kinds_of_weights_are_named(copied):
    folder = copied("bert")
    (folder / "model.safetensors").rename(folder / "model.pkl")
    refused(folder, r"no pytorch_model\.bin; model\.pkl, which lies there, is not read")


def test_a_model_in_parts_needs_all_of_them(models, copied):
    folder = copied("bert")
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = [f"model-0000{part}-of-00002.safetensors" for part in (1, 2)]
    parts = {key: names[number % 2] for number, key in enumerate(sorted(weights))}
    for name in names:
        some = {key: weights[key] for key in parts if parts[key] == name}
        save_file(some, folder / name, metadata={"format": "pt"})
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": parts}))
    torch.testing.assert_close(load_encoder(folder).encode(["a"]), load_encoder(models["bert"]).encode(["a"]))
    (folder / names[1]).unlink()
    refused(folder, r"model-00002-of-00002\.safetensors, one of 2 weight files, is missing")
    index.write_text(json.dumps({"weight_map": {"x": "../../secret.bin"}}))
    refused(folder, "damaged: it names no files of the same folder")


@pytest.mark.parametrize("kind", ["bert", "vit", "sentence"])
def test_weights_that_do_not_fit(copied, kind):
    folder = copied(kind)
    weights = load_file(folder / "model.safetensors")
    some = {key: value for key, value in weights.items() if ".1." not in key}
    save_file(some, folder / "model.safetensors", metadata={"format": "pt"})
    refused(folder, r"weights do not fit the model.*layers?\.1\.")
    other = {key: value[:-1].contiguous() if value.ndim == 2 else value for key, value in weights.items()}
    save_file(other, folder / "model.safetensors", metadata={"format": "pt"})
    refused(folder, "weights do not fit the model that config.json describes")
    raw = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(raw[: len(raw) // 2])
    refused(folder, rf"{kind} cannot be loaded \(SafetensorError")


def test_a_pooler_that_is_missing_is_no_loss(models, copied):
    folder = copied("bert")
    weights = load_file(folder / "model.safetensors")
    save_file(
        {f"bert.{key}": value for key, value in weights.items() if "pooler" not in key},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
    torch.testing.assert_close(load_encoder(folder).encode(["a"]), load_encoder(models["bert"]).encode(["a"]))


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"hidden_size": 2_000_000, "intermediate_size": 2_000_000}, r"numbers, and they take \d"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers 1000000000; the limit is 2,000"),
        ({"sub": {"depths": [1, 10**9]}}, "depths 1000000000; the limit is 2,000"),
        ({"vocab_size": "many"}, "bert cannot be loaded"),
        ({"num_attention_heads": 0}, "bert cannot be loaded"),
        ({"model_type": "mine"}, r"does not know its model_type 'mine'"),
        (
            {"model_type": "mine", "auto_map": {"AutoModel": "modeling.Mine"}},
            "brings program code of its own, which is never run: this version of transformers",
        ),
        ({"model_type": None}, "has no model_type"),
        ({"quantization_config": {"bits": 4}}, "quantized, which is not supported"),
        ({"text_config": {"quantization_config": {"bits": 4}}}, "quantized, which is not supported"),
        ({"_attn_implementation": "org/kernel"}, "requires code from the hub for _attn_implementation"),
    ],
)
def test_settings_that_ask_for_too_much(copied, changes, match):
    folder = copied("bert")
    (folder / "modeling.py").write_text("raise SystemExit('run')")
    edited(folder, "config.json", **changes)
    refused(folder, match)


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000, b'{"a": ' * 100_000])
@pytest.mark.parametrize("name", ["config.json", "modules.json", "tokenizer_config.json", "tokenizer.json"])
def test_damaged_settings(copied, name, raw):
    folder = copied("sentence" if name == "modules.json" else "bert")
    (folder / name).write_bytes(raw)
    with pytest.raises(Error) as caught:
        load_encoder(folder)
    assert str(folder.parent) not in str(caught.value)


def test_what_is_missing_is_named(copied, tmp_path):
    refused(tmp_path, "no config.json and no modules.json, so it is not the folder of a model")
    folder = copied("bert")
    (folder / "adapter_config.json").touch()
    refused(folder, "an adapter, not a full model. Merge it")
    (folder / "adapter_config.json").unlink()
    (folder / "tokenizer.json").unlink()
    refused(folder, r"bert has no tokenizer.*tokenizer\.save_pretrained\(folder\)")
    folder = copied("vit")
    edited(folder, "preprocessor_config.json", size={"height": 10**9, "width": 10**9})
    refused(folder, "names no size in pixels from 1 to 4096: it says 1000000000")
    (folder / "preprocessor_config.json").unlink()
    refused(folder, r"no preprocessor_config\.json.*image_processor\.save_pretrained\(folder\)")


@pytest.mark.parametrize(
    ("module", "match"),
    [
        (
            {"type": "os.path.Pooling"},
            "names the module 'os.path.Pooling', whose code sentence",
        ),
        ({"type": "sentence_transformersx.Pooling"}, "whose code sentence-transformers would run"),
        ({"type": "sentence_transformers.base.modules.Router"}, "whose code sentence-transformers would run"),
        ({"path": "../elsewhere"}, "names the place '../elsewhere', outside the folder"),
        ({"path": "/etc"}, "names the place '/etc', outside the folder"),
        ({"path": None}, "a module has no type or no path"),
    ],
)
def test_modules_that_are_not_read(copied, module, match):
    folder = copied("sentence")
    modules = json.loads((folder / "modules.json").read_text())
    modules[1] = {**modules[1], **module}
    (folder / "modules.json").write_text(json.dumps(modules))
    refused(folder, match)


@pytest.mark.parametrize(
    ("name", "changes", "match"),
    [
        (
            "sentence_bert_config.json",
            {"model_args": {"weights_only": False}},
            "sets model_args.weights",
        ),
        (
            "sentence_bert_config.json",
            {"model_kwargs": {"attn_implementation": "org/kernel"}},
            r"sets model_kwargs\.attn_implementation",
        ),
        (
            "sentence_bert_config.json",
            {"tokenizer_name_or_path": "/elsewhere"},
            "names a tokenizer elsewhere",
        ),
        (
            "config_sentence_transformers.json",
            {"model_type": "SparseEncoder"},
            "is a SparseEncoder, which would be loaded without its own modules",
        ),
        ("2_Dense/config.json", {"activation_function": "os.system"}, "names the function 'os.system'"),
    ],
)
def test_settings_of_modules_that_ask_for_more(copied, name, changes, match):
    folder = copied("sentence")
    edited(folder, name, **changes)
    refused(folder, match)


@pytest.mark.slow
def test_listing_imports_nothing_heavy_and_loading_is_silent_and_asks_no_network_even_where_it_might(
    models, tmp_path
):
    """In a process of its own, into which nothing is imported yet, and which may go online."""
    folders = [str(models[kind]) for kind in ("bert", "gpt2", "vit", "sentence")]
    code = (
        "import logging, socket, sys\n"
        "def no(*a, **k): print('asked', a[-1:], flush=True); raise OSError('no network')\n"
        "socket.socket.connect = socket.getaddrinfo = socket.create_connection = no\n"
        "from relviz.encoders import card, installed_encoders, load_encoder\n"
        "listed = installed_encoders(); print(*{name.split('.')[0] for name in sys.modules})\n"
        "for name in {'minilm', 'wordllama'} & {*listed}: load_encoder(name)\n"
        "for folder in sys.argv[1:]: card(folder); print(load_encoder(folder).title)\n"
        "try: load_encoder('org/model')\n"
        "except ValueError: print('done')\n"
        "print(logging.root.level, logging.root.handlers)"
    )
    free = {key: value for key, value in os.environ.items() if not key.endswith("_OFFLINE")}
    done = subprocess.run(
        [sys.executable, "-c", code, *folders],
        env={**free, "HF_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    imported, *loaded = done.stdout.splitlines()
    heavy = {"sentence_transformers", "transformers", "wordllama", "efficientnet_lite_pytorch", "tokenizers"}
    assert heavy.isdisjoint(imported.split())
    assert loaded == ["bert", "gpt2", "vit", "sentence", "done", f"{logging.WARNING} []"]
    assert done.stderr == ""
