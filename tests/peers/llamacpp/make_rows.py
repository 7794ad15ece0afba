#!/usr/bin/env python3
"""Writes tests/data/quantization afresh: make_rows.py [FOLDER]. See README.md there."""
import os, sys
import numpy
import llama_cpp

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(llama_cpp.HERE, "..", "..", "data", "quantization")
COLUMNS = 512
# Where a block has its half-precision scales.
SCALES = {"Q4_1": (0, 2), "Q5_1": (0, 2), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q2_K": (80, 82), "Q3_K": (108,), "Q6_K": (208,)}
BLOCKS = {"Q8_0": 34, "Q4_0": 18, "Q4_1": 20, "Q5_0": 22, "Q5_1": 24, "IQ4_NL": 18, "Q2_K": 84, "Q3_K": 110, "Q4_K": 144, "Q5_K": 176, "Q6_K": 210, "IQ4_XS": 136}


def any_bytes(kind, shape, random):
    """Blocks of random bytes, so that every field takes every value; no scale is infinite or NaN."""
    stored = random.integers(0, 256, shape, numpy.uint8)
    blocks = stored.reshape(-1, BLOCKS[kind])
    for scale in SCALES.get(kind, (0,)):
        top = blocks[:, scale + 1]
        top[(top & 0x7C) == 0x7C] ^= 0x40
    return stored


def main():
    os.makedirs(OUT, exist_ok=True)
    for number, kind in enumerate(BLOCKS):
        random = numpy.random.default_rng(number)
        # What the quantizer makes of numbers as weights are: bell-shaped, with a few far out.
        values = random.standard_normal((2, COLUMNS), numpy.float32) * numpy.float32(0.05)
        values[1, ::37] *= 8
        quantized = llama_cpp.quantize_rows(kind, values)
        stored = numpy.concatenate([quantized, any_bytes(kind, quantized.shape, random)])
        expanded = llama_cpp.expand_rows(kind, stored, COLUMNS)
        assert numpy.isfinite(expanded).all(), kind
        stored.tofile(os.path.join(OUT, kind + ".rows"))
        expanded.astype("<f4").tofile(os.path.join(OUT, kind + ".f32"))


main()
