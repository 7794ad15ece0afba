#!/usr/bin/env python3
"""Writes tests/data/models afresh: make_models.py [FOLDER]. Needs numpy. See README.md beside it."""
import json, os, sys
import numpy as np
import tiny_models as M

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "models")
POSITIONS = 20


def write_reference(name, c, weights, ids):
    logits = M.exact_logits(c, weights, np.array(ids))
    logits.astype("<f8").tofile(os.path.join(OUT, name + ".logits.f64"))


def main():
    vocabulary = len(M.tokenizer()[0])
    ids = {}
    for name, c in M.MODELS.items():
        weights = M.make_weights(c, vocabulary)
        ids[name] = [int(i) for i in np.random.default_rng(len(name)).integers(0, vocabulary, POSITIONS)]
        for dtype in ("F32", "F16", "BF16"):
            assert all((M.read_back(w, dtype) == w).all() for w in weights.values()), (name, dtype)
            M.write_gguf(os.path.join(OUT, f"{name}-{dtype.lower()}.gguf"), c, weights, dtype, f"tiny {name}")
            # The forms that GPT-2 folders are found in: with and without the prefix and the old masks.
            gpt2 = c["arch"] == "gpt2"
            M.write_hf(os.path.join(OUT, f"{name}-{dtype.lower()}"), c, weights, dtype, vocabulary, prefix="transformer." if gpt2 and dtype != "F32" else "",
                       shards=2 if name == "llama" and dtype == "BF16" else 1, masks=gpt2 and dtype == "F16")
        write_reference(name, c, {n: w.astype(np.float64) for n, w in weights.items()}, ids[name])
        if name == "llama":
            for dtype in ("Q8_0", "Q4_0"):
                M.write_gguf(os.path.join(OUT, f"{name}-{dtype.lower()}.gguf"), c, weights, dtype, f"tiny {name}")
                # Rows are permuted on the way into the file, but blocks lie within rows.
                write_reference(f"{name}-{dtype.lower()}", c, {n: M.read_back(w, dtype if w.ndim == 2 else "F32") for n, w in weights.items()}, ids[name])
    json.dump(dict(vocabulary=vocabulary, ids=ids), open(os.path.join(OUT, "reference.json"), "w"), indent=1)


main()
