"""Random weights, and the bytes that each stored type makes of them.

Every tensor is drawn under its Hugging Face name from a seed that depends on that name, on a grid
that F32, F16 and BF16 all hold exactly. So one model is numerically the same in each of these types
and in both formats, and one set of exact logits serves them all. Block formats round the weights;
each has logits of its own, from the weights as they read back.
"""
import zlib
import numpy as np


def on_grid(x):
    """Rounded to BF16; what F16 would hold only as an inexact subnormal becomes 0."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    r = ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.abs(r) < 2.0 ** -17, np.float32(0), r)


def gauss(seed, name, shape, std, mean):
    rng = np.random.Generator(np.random.PCG64([seed, zlib.crc32(name.encode())]))
    return on_grid(rng.standard_normal(shape, dtype=np.float32) * np.float32(std) + np.float32(mean))


def store(w, dtype):
    """Bytes of an array whose last axis is innermost."""
    w = np.ascontiguousarray(w, np.float32)
    if dtype == "F32":
        return w.tobytes()
    if dtype == "F16":
        return w.astype(np.float16).tobytes()
    if dtype == "BF16":
        return (w.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    b = w.reshape(-1, 32)
    if dtype == "Q8_0":
        scale = (np.abs(b).max(1) / 127).astype(np.float16)
        q = np.round(b / np.where(scale == 0, 1, scale).astype(np.float32)[:, None]).clip(-128, 127).astype(np.int8)
        return b"".join(s.tobytes() + row.tobytes() for s, row in zip(scale, q))
    if dtype == "Q4_0":
        largest = b[np.arange(len(b)), np.abs(b).argmax(1)]     # with its sign: it becomes -8
        scale = (largest / -8).astype(np.float16)
        q = np.round(b / np.where(scale == 0, 1, scale).astype(np.float32)[:, None] + 8).clip(0, 15).astype(np.uint8)
        return b"".join(s.tobytes() + (row[:16] | row[16:] << 4).tobytes() for s, row in zip(scale, q))
    raise ValueError(dtype)


def read_back(w, dtype):
    """The values that a file of this type holds, in double precision."""
    raw = store(w, dtype)
    if dtype in ("F32", "F16"):
        return np.frombuffer(raw, {"F32": "<f4", "F16": "<f2"}[dtype]).astype(np.float64).reshape(w.shape)
    if dtype == "BF16":
        return (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32).astype(np.float64).reshape(w.shape)
    size = {"Q8_0": 34, "Q4_0": 18}[dtype]
    blocks = np.frombuffer(raw, np.uint8).reshape(-1, size)
    scale = blocks[:, :2].copy().view("<f2").astype(np.float64)
    if dtype == "Q8_0":
        q = blocks[:, 2:].copy().view(np.int8).astype(np.float64)
    else:
        q = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(np.float64) - 8
    return (scale * q).reshape(w.shape)
