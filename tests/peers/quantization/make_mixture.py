#!/usr/bin/env python3
"""Writes the tiny mixed model of tests/data/quantization afresh: make_mixture.py [FOLDER]. See README.md there."""
import json, os, struct, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "llamacpp"), os.path.join(HERE, "..", "models")]
import llama_cpp
import numpy
from exact_forward import exact_logits
from gguf_writer import gguf_name, write_gguf
from tiny_models import MODELS, make_weights
from tiny_tokenizer import VOCABULARY

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "..", "data", "quantization")
# attn_output has rows of 64, all others of 256.
CONFIG = dict(MODELS["qwen3"], layers=1, width=256, heads=2, kv_heads=1, head_dim=32, ffn=256)
TYPES = {"token_embd": "Q6_K", "^output\\.weight": "IQ4_XS", "attn_q": "Q2_K", "attn_k": "Q5_0", "attn_v": "Q5_K", "attn_output": "Q5_1",
         "ffn_gate": "Q4_K", "ffn_up": "Q3_K", "ffn_down": "IQ4_NL"}
POSITIONS = 12


def read_f32(path):
    """The tensors of a GGUF file of F32 alone, by name."""
    with open(path, "rb") as file:
        raw = file.read()
    at = 4

    def take(form):
        nonlocal at
        values = struct.unpack_from("<" + form, raw, at)
        at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text():
        nonlocal at
        size = take("Q")
        at += size
        return raw[at - size:at].decode()

    def skip(kind):
        nonlocal at
        if kind == 8:
            text()
        elif kind == 9:
            items, count = take("IQ")
            for _ in range(count):
                skip(items)
        else:
            at += {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}[kind]

    _, tensors, keys = take("IQQ")
    for _ in range(keys):
        text()
        skip(take("I"))
    directory = []
    for _ in range(tensors):
        name, dimensions = text(), take("I")
        shape = [take("Q") for _ in range(dimensions)][::-1]
        kind, offset = take("IQ")
        assert kind == 0, name
        directory.append((name, shape, offset))
    data = (at + 31) // 32 * 32
    return {name: numpy.frombuffer(raw, "<f4", int(numpy.prod(shape)), data + offset).reshape(shape) for name, shape, offset in directory}


def main():
    weights = make_weights(CONFIG)
    ids = [int(i) for i in numpy.random.default_rng(3).integers(0, VOCABULARY, POSITIONS)]
    mixture = os.path.join(OUT, "mixture.gguf")
    with tempfile.TemporaryDirectory() as folder:
        plain, expanded = os.path.join(folder, "plain.gguf"), os.path.join(folder, "expanded.gguf")
        write_gguf(plain, CONFIG, weights, "F32", "tiny mixture")
        llama_cpp.quantize(plain, "Q4_K_M", mixture, types=TYPES)
        llama_cpp.quantize(mixture, "F32", expanded)
        stored = read_f32(expanded)
    exact = {name: stored[gguf_name(CONFIG, name)].astype(numpy.float64).reshape(w.shape) for name, w in weights.items()}
    logits = exact_logits(CONFIG, exact, numpy.array(ids))
    found = llama_cpp.logits(mixture, ids)
    print("llama.cpp on the quantized file:", numpy.sqrt(((found - logits) ** 2).mean()) / logits.std())
    logits.astype("<f8").tofile(os.path.join(OUT, "mixture.logits.f64"))
    json.dump(dict(ids=ids), open(os.path.join(OUT, "mixture.json"), "w"))


main()
