#!/usr/bin/env python3
"""Compares the program, the exact forward pass and llama.cpp on tiny models of every architecture.

    check_against_llama_cpp.py PROGRAM [--seed N] [--only NAME] [--fetch FOLDER]

The weights are made afresh. For each model: llama.cpp must agree with the exact forward pass, so
that this and the engine are not wrong in the same way; and the program must be within 1e-5 relative
rms of it as F32, from both formats, and as F16 and BF16 no farther from it than llama.cpp.
Exit status 77 (a skipped test) without numpy or llama.cpp.
"""
import argparse, json, os, subprocess, sys, tempfile
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "llamacpp")]
sys.dont_write_bytecode = True
import llama_cpp                                                     # ends with 77 without numpy
import numpy as np
import exact_forward as exact
from folder_writer import write_folder
from gguf_writer import write_gguf
from tiny_models import MODELS, make_weights
from tiny_tokenizer import VOCABULARY

POSITIONS = [0, 5, 15, 16, 39]                                       # before and behind windows and an original context
CLOSE = 1e-5


def distances(found, expected):
    """Relative rms at each position."""
    spread = expected - expected.mean(-1, keepdims=True)
    return np.sqrt(((found - expected) ** 2).sum(-1) / (spread ** 2).sum(-1))


def half_gelu(x):
    """GELU as llama.cpp has it: from a table of half precision, by the tanh form."""
    half = lambda y: np.asarray(y, np.float32).astype(np.float16).astype(np.float64)
    tanh_form = 0.5 * half(x) * (1 + np.tanh(np.sqrt(2 / np.pi) * (half(x) + 0.044715 * half(x) ** 3)))
    return np.where(x <= -10, 0, np.where(x >= 10, x, half(tanh_form)))


def exact_logits(c, weights, ids, gelu=None):
    kept = exact.gelu_tanh, exact.gelu_erf
    if gelu:
        exact.gelu_tanh = exact.gelu_erf = gelu
    logits = exact.exact_logits(c, {n: w.astype(np.float64) for n, w in weights.items()}, ids)
    exact.gelu_tanh, exact.gelu_erf = kept
    return logits


def as_llama_cpp_has_it(c):
    """llama.cpp passes over these windows, and takes long factors for any context of such a size."""
    c = dict(c)
    if c["arch"] in ("llama", "phi3"):
        c.pop("window", None)
    return c


def check_reference(name, c, weights, ids, folder):
    """llama.cpp against the exact forward pass."""
    variants = [(as_llama_cpp_has_it(c), 0)]                         # a model, and the first position to look at
    if "original_ctx" in c:                                          # short factors throughout; long ones where the context is longer
        variants = [(dict(c, original_ctx=1024, ctx=4096), 0), (c, c["original_ctx"])]
    worst = 0
    for variant, first in variants:
        path = os.path.join(folder, "reference.gguf")
        write_gguf(path, variant, weights, "F32", "tiny " + name)
        found = llama_cpp.logits(path, ids).astype(np.float64)
        gelu = c["arch"] in ("gpt2", "gptneox") or c["arch"].startswith("gemma")
        off = distances(found, exact_logits(variant, weights, ids))[first:]
        same = np.median(distances(found, exact_logits(variant, weights, ids, half_gelu))[first:]) if gelu else np.median(off)
        assert same <= CLOSE and off.max() <= (5e-3 if gelu else 1e-4), f"{name}: llama.cpp is {same:.1e} (median), {off.max():.1e} (most) off the exact forward pass"
        worst = max(worst, off.max())
    return worst


def program_logits(program, model, ids):
    """After the last of the ids, from the trace of one step."""
    words = [program, "generate", "--model", model, "--prompt-ids", ",".join(map(str, ids)), "--max-new-tokens", "1", "--top", str(VOCABULARY), "--format", "json", "--threads", "2"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{model}: {done.stderr.strip()}"
    logits = np.full(VOCABULARY, np.nan)
    for candidate in json.loads(done.stdout)["steps"][0]["candidates"]:
        logits[candidate["id"]] = candidate["logit"]
    assert not np.isnan(logits).any(), f"{model}: not all logits are in the trace"
    return logits


def check_program(program, name, c, weights, ids, folder):
    expected = exact_logits(c, weights, ids)[POSITIONS]
    worst = {}
    for dtype in ("F32", "F16", "BF16"):
        gguf, hugging_face = os.path.join(folder, "model.gguf"), os.path.join(folder, "model")
        write_gguf(gguf, c, weights, dtype, "tiny " + name)
        write_folder(hugging_face, c, weights, dtype)
        both = []
        for model in (gguf, hugging_face):
            found = np.array([program_logits(program, model, ids[:p + 1]) for p in POSITIONS])
            both.append(found)
            worst[dtype] = max(worst.get(dtype, 0), distances(found, expected).max())
        assert np.abs(both[0] - both[1]).max() <= 1e-4, f"{name} {dtype}: GGUF and folder differ by {np.abs(both[0] - both[1]).max():.1e}"
        # The values are the same in all three types, so that the bound holds for each; llama.cpp rounds activations for F16 and BF16.
        assert worst[dtype] <= CLOSE, f"{name} {dtype}: {worst[dtype]:.1e} off the exact forward pass"
    return max(worst.values())


def fetched(folder):
    """The folder of llama.cpp's libraries."""
    done = subprocess.run([os.path.join(HERE, "..", "llamacpp", "fetch_llama_cpp.sh"), folder], capture_output=True, text=True)
    if done.returncode != 0:
        raise llama_cpp.Unavailable(done.stderr.strip())
    return done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--only", choices=MODELS)
    parser.add_argument("--fetch", help="folder to fetch llama.cpp into")
    words = parser.parse_args()
    try:
        llama_cpp.libraries(fetched(words.fetch) if words.fetch else None)
    except llama_cpp.Unavailable as reason:
        print(f"skipped: llama.cpp is not available: {reason}", file=sys.stderr)
        sys.exit(llama_cpp.SKIPPED)
    failures = 0
    for name in [words.only] if words.only else MODELS:
        c = MODELS[name]
        weights = make_weights(c, words.seed)
        ids = [int(i) for i in np.random.default_rng(words.seed).integers(0, VOCABULARY, POSITIONS[-1] + 1)]
        with tempfile.TemporaryDirectory() as folder:
            try:
                peer = check_reference(name, c, weights, ids, folder)
                ours = check_program(words.program, name, c, weights, ids, folder)
                print(f"{name}: the program is {ours:.1e} off the exact forward pass, llama.cpp {peer:.1e}")
            except AssertionError as fault:
                failures += 1
                print("FAILED", fault)
    sys.exit(1 if failures else 0)


main()
