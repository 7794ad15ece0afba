#!/usr/bin/env python3
"""Writes tests/data/models afresh: make_models.py [FOLDER]. Needs numpy. See README.md beside it."""
import json, os, sys
import numpy as np
from exact_forward import exact_logits
from folder_writer import write_folder
from gguf_writer import write_gguf
from tiny_models import MODELS, make_weights
from tiny_tokenizer import VOCABULARY
from values import read_back

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "models")
# These are kept in every type and format, with logits of every position; the others as F32, with logits of a few.
IN_ALL_TYPES = ("llama", "llama-scaled", "gpt2", "qwen2", "qwen3")
POSITIONS = 20
# Before, at and behind the edges of windows (6) and of an original context (16).
CHOSEN = [0, 1, 5, 6, 7, 15, 16, 17, 39]


def tokens(name, count):
    return [int(i) for i in np.random.default_rng(len(name)).integers(0, VOCABULARY, count)]


def write_reference(name, c, weights, ids, positions):
    logits = exact_logits(c, {n: w.astype(np.float64) for n, w in weights.items()}, ids)
    logits[positions].astype("<f8").tofile(os.path.join(OUT, name + ".logits.f64"))


def write_model(name, c, dtype, weights):
    assert all((read_back(w, dtype) == w).all() for w in weights.values()), (name, dtype)
    write_gguf(os.path.join(OUT, f"{name}-{dtype.lower()}.gguf"), c, weights, dtype, f"tiny {name}")
    # The forms that GPT-2 folders are found in: with and without the prefix and the old masks.
    gpt2 = c["arch"] == "gpt2"
    write_folder(os.path.join(OUT, f"{name}-{dtype.lower()}"), c, weights, dtype, prefix="transformer." if gpt2 and dtype != "F32" else "",
                 shards=2 if name == "llama" and dtype == "BF16" else 1, masks=gpt2 and dtype == "F16")


def main():
    models = {}
    for name, c in MODELS.items():
        weights, every = make_weights(c), name in IN_ALL_TYPES
        positions = list(range(POSITIONS)) if every else CHOSEN
        ids = tokens(name, positions[-1] + 1)
        models[name] = dict(ids=ids, positions=positions)
        for dtype in ("F32", "F16", "BF16") if every else ("F32",):
            write_model(name, c, dtype, weights)
        write_reference(name, c, weights, ids, positions)
        if name == "llama":
            for dtype in ("Q8_0", "Q4_0"):
                write_gguf(os.path.join(OUT, f"{name}-{dtype.lower()}.gguf"), c, weights, dtype, f"tiny {name}")
                # Rows are permuted on the way into the file, but blocks lie within rows.
                write_reference(f"{name}-{dtype.lower()}", c, {n: read_back(w, dtype if w.ndim == 2 else "F32") for n, w in weights.items()}, ids, positions)
    json.dump(dict(vocabulary=VOCABULARY, models=models), open(os.path.join(OUT, "reference.json"), "w"))


main()
