#!/usr/bin/env python3
"""Random models in every type that llama.cpp quantizes to, with the logits that QuantizationPeersTest
holds the engine's against: make_references.py FOLDER. Ends with status 77, and says why, where
llama.cpp or numpy is missing.

For each model and type, FOLDER has NAME.gguf, the logits that llama.cpp computes from it
(NAME.llama.f32), and either the exact logits (NAME.exact.f64: F32, F16 and BF16, whose weights are
the same numbers) or the file's weights expanded to F32 (NAME.expanded.gguf). references.json lists
them.
"""
import json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "llamacpp"), os.path.join(HERE, "..", "models")]
import llama_cpp
import numpy
from exact_forward import exact_logits
from gguf_writer import write_gguf
from tiny_models import MODELS as TINY, make_weights
from tiny_tokenizer import VOCABULARY

POSITIONS = 24
PLAIN = ("F32", "F16", "BF16")
# Each type alone, in every matrix; and the mixtures that files in use are of.
ALONE = ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K_S", "Q4_K_S", "Q5_K_S", "Q6_K", "IQ4_NL", "IQ4_XS")
MIXTURES = ("Q4_0", "Q2_K", "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "IQ4_NL", "IQ4_XS")

LLAMA, GPT2, QWEN3 = (TINY[name] for name in ("llama", "gpt2", "qwen3"))
MODELS = {
    # Rows of whole blocks of 256.
    "llama-256": (dict(LLAMA, width=256, heads=8, kv_heads=4, head_dim=32, ffn=512), ALONE, MIXTURES),
    "gpt2-256": (dict(GPT2, width=256, heads=4, kv_heads=4, head_dim=64, ffn=1024), (), ("Q8_0", "Q4_0", "Q3_K_M", "Q4_K_M", "Q6_K")),
    # Rows of 96 and 160, in which the quantizer puts types of blocks of 32 in the place of K-quants.
    "qwen3-96": (dict(QWEN3, width=96, heads=4, kv_heads=2, head_dim=24, ffn=160), (), ("Q2_K", "Q3_K_M", "Q4_K_M", "Q5_K_M", "Q6_K", "IQ4_XS")),
}
# The other architectures in the most common mixture; where heads are small, attn_output is of blocks of 32.
# (llama.cpp passes over phi3's window, so it is as long as the context.)
SMALL, WIDE = dict(heads=4, kv_heads=2, head_dim=16), dict(heads=4, kv_heads=2, head_dim=64)
for name, heads in {"qwen2": WIDE, "gptneox": dict(heads=4, kv_heads=4, head_dim=64, rotary_pct=0.5), "gemma2": SMALL, "gemma3": SMALL, "phi3": WIDE | dict(window=320), "olmo2": WIDE,
                    "smollm3": SMALL}.items():
    MODELS[name + "-256"] = (TINY[name] | heads | dict(width=256, ffn=256), (), ("Q4_K_M",))


def references(folder):
    for name, (config, alone, mixtures) in MODELS.items():
        weights = make_weights(config)
        ids = [int(i) for i in numpy.random.default_rng(5).integers(0, VOCABULARY, POSITIONS)]
        at = lambda ending: os.path.join(folder, ending)

        def entry(stem, **more):
            llama_cpp.logits(at(stem + ".gguf"), ids).tofile(at(stem + ".llama.f32"))
            return dict(name=stem, architecture=config["arch"], ids=ids, vocabulary=VOCABULARY, model=stem + ".gguf", llama=stem + ".llama.f32", **more)

        exact = f"{name}.exact.f64"
        exact_logits(config, {n: w.astype(numpy.float64) for n, w in weights.items()}, numpy.array(ids)).astype("<f8").tofile(at(exact))
        for kind in PLAIN:
            write_gguf(at(f"{name}-{kind}.gguf"), config, weights, kind, name)
            yield entry(f"{name}-{kind}", exact=exact, type=kind)
        for kind, pure in [(kind, True) for kind in alone] + [(kind, False) for kind in mixtures]:
            stem = f"{name}-{kind}{'-alone' if pure else ''}"
            llama_cpp.quantize(at(f"{name}-F32.gguf"), kind, at(stem + ".gguf"), pure)
            llama_cpp.quantize(at(stem + ".gguf"), "F32", at(stem + ".expanded.gguf"))
            yield entry(stem, expanded=stem + ".expanded.gguf", type=kind)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    try:
        llama_cpp.libraries()
    except llama_cpp.Unavailable as reason:
        print(f"llama.cpp is not available: {reason}", file=sys.stderr)
        sys.exit(llama_cpp.SKIPPED)
    with open(os.path.join(folder, "references.json"), "w") as out:
        json.dump(list(references(folder)), out)


main()
