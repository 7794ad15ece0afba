"""Tiny random models of four architectures, as GGUF files and Hugging Face folders.

Every tensor is drawn under its Hugging Face name from a seed that depends on that name, on a grid
that F32, F16 and BF16 all hold exactly. So one model is numerically the same in each of these types
and in both formats, and one set of exact logits serves them all. Block formats round the weights;
each has logits of its own, from the weights as they read back.
"""
import json, os, struct, zlib
import numpy as np

# Widths that are no multiple of any vector length where blocks allow it, so that the ends of rows
# are tested too. llama and llama-scaled have rows of whole Q8_0 and Q4_0 blocks.
MODELS = {
    "llama": dict(arch="llama", width=32, layers=2, heads=4, kv_heads=2, head_dim=8, ffn=64, ctx=320, theta=10000.0, tied=False, eps=1e-5),
    "llama-scaled": dict(arch="llama", width=32, layers=2, heads=2, kv_heads=1, head_dim=16, ffn=32, ctx=320, theta=500000.0, tied=True, eps=1e-5,
                         scaling=dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)),
    "gpt2": dict(arch="gpt2", width=28, layers=2, heads=2, kv_heads=2, head_dim=14, ffn=112, ctx=64, tied=True, eps=1e-5),
    "qwen2": dict(arch="qwen2", width=36, layers=2, heads=6, kv_heads=2, head_dim=6, ffn=52, ctx=320, theta=1000000.0, tied=True, eps=1e-6),
    "qwen3": dict(arch="qwen3", width=28, layers=2, heads=3, kv_heads=3, head_dim=20, ffn=44, ctx=320, theta=1000000.0, tied=False, eps=1e-6),
}
SEED = 7


# ------------------------------------------------------------------ values

def on_grid(x):
    """Rounded to BF16; what F16 would hold only as an inexact subnormal becomes 0."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    r = ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.abs(r) < 2.0 ** -17, np.float32(0), r)


def gauss(name, shape, std, mean):
    rng = np.random.Generator(np.random.PCG64([SEED, zlib.crc32(name.encode())]))
    return on_grid(rng.standard_normal(shape, dtype=np.float32) * np.float32(std) + np.float32(mean))


def tensor_specs(c, vocabulary):
    """[(Hugging Face name, shape, standard deviation, mean)]: of a size that lets every part matter."""
    d, f, q, k = c["width"], c["ffn"], c["heads"] * c["head_dim"], c["kv_heads"] * c["head_dim"]
    e = 2.5 / d ** 0.5
    g = 8 * e / (0.6 * (2 * c["layers"]) ** 0.5)
    out = []
    add = lambda name, shape, std, mean=0.0: out.append((name, tuple(shape), std, mean))

    def norm(name, size, bias=False, mean=1.0):
        add(name + ".weight", (size,), 0.2, mean)
        if bias:
            add(name + ".bias", (size,), 0.1)
    if c["arch"] == "gpt2":
        add("wte.weight", (vocabulary, d), e)
        add("wpe.weight", (c["ctx"], d), e / 2)
        for i in range(c["layers"]):
            p = f"h.{i}."
            norm(p + "ln_1", d, True)
            add(p + "attn.c_attn.weight", (d, 3 * d), 1.4 / d ** 0.5); add(p + "attn.c_attn.bias", (3 * d,), 0.2)
            add(p + "attn.c_proj.weight", (d, d), g / d ** 0.5); add(p + "attn.c_proj.bias", (d,), 0.05 * g)
            norm(p + "ln_2", d, True)
            add(p + "mlp.c_fc.weight", (d, f), 1.2 / d ** 0.5); add(p + "mlp.c_fc.bias", (f,), 0.2)
            add(p + "mlp.c_proj.weight", (f, d), 1.2 * g / f ** 0.5); add(p + "mlp.c_proj.bias", (d,), 0.05 * g)
        norm("ln_f", d, True)
        return out
    add("model.embed_tokens.weight", (vocabulary, d), e)
    for i in range(c["layers"]):
        p = f"model.layers.{i}."
        norm(p + "input_layernorm", d)
        for name, rows, std, bias in (("q", q, 1.5, 0.4), ("k", k, 1.5, 0.8), ("v", k, 1.0, 0.1)):
            add(p + f"self_attn.{name}_proj.weight", (rows, d), std / d ** 0.5)
            if c["arch"] == "qwen2":
                add(p + f"self_attn.{name}_proj.bias", (rows,), bias)
        if c["arch"] == "qwen3":
            norm(p + "self_attn.q_norm", c["head_dim"], mean=1.4)
            norm(p + "self_attn.k_norm", c["head_dim"], mean=1.4)
        add(p + "self_attn.o_proj.weight", (d, q), g / q ** 0.5)
        norm(p + "post_attention_layernorm", d)
        add(p + "mlp.gate_proj.weight", (f, d), 1.3 / d ** 0.5)
        add(p + "mlp.up_proj.weight", (f, d), 1.2 / d ** 0.5)
        add(p + "mlp.down_proj.weight", (d, f), 1.2 * g / f ** 0.5)
    norm("model.norm", d)
    if not c["tied"]:
        add("lm_head.weight", (vocabulary, d), e)
    return out


def make_weights(c, vocabulary):
    return {name: gauss(name, shape, std, mean) for name, shape, std, mean in tensor_specs(c, vocabulary)}


# ------------------------------------------------------------------ stored types

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


# ------------------------------------------------------------------ tokenizer: bytes, a few merges, one special token

def byte_alphabet():
    keep = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    chars, n = {}, 0
    for b in range(256):
        if b in keep:
            chars[b] = chr(b)
        else:
            chars[b] = chr(256 + n); n += 1
    return chars


def tokenizer():
    chars = byte_alphabet()
    tokens = [chars[b] for b in range(256)]
    space = chars[32]
    merges = [("t", "h"), ("h", "e"), ("i", "n"), ("th", "e"), (space, "a"), (space, "the"), ("r", "e"), ("o", "n"), (space, "s"), ("e", "r"), ("a", "n"), (space, "w"), ("an", "d"), ("in", "g"), (space, "and")]
    tokens += [a + b for a, b in merges] + ["<|endoftext|>"]
    return tokens, merges


# ------------------------------------------------------------------ GGUF

U32, I32, F32, BOOL, STR, ARR = 4, 5, 6, 7, 8, 9
GGUF_TYPE = {"F32": 0, "F16": 1, "Q4_0": 2, "Q8_0": 8, "BF16": 30}
BLOCK = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "ln_1": "attn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm",
         "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down"}
TOP = {"wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm", "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def string(x):
    b = x.encode("utf-8")
    return struct.pack("<Q", len(b)) + b


def entry(key, kind, value):
    head = string(key)
    if kind == STR:
        return head + struct.pack("<I", STR) + string(value)
    if isinstance(kind, tuple):
        body = b"".join(string(v) for v in value) if kind[1] == STR else np.asarray(value, "<i4").tobytes()
        return head + struct.pack("<IIQ", ARR, kind[1], len(value)) + body
    return head + struct.pack("<I", kind) + struct.pack({U32: "<I", F32: "<f", BOOL: "<?"}[kind], value)


def gguf_metadata(c, name):
    a = c["arch"]
    tokens, merges = tokenizer()
    eot = len(tokens) - 1
    rms = "layer_norm_epsilon" if a == "gpt2" else "layer_norm_rms_epsilon"
    out = [("general.architecture", STR, a), ("general.name", STR, name),
           (a + ".block_count", U32, c["layers"]), (a + ".context_length", U32, c["ctx"]), (a + ".embedding_length", U32, c["width"]),
           (a + ".feed_forward_length", U32, c["ffn"]), (a + ".attention.head_count", U32, c["heads"]), (a + ".attention." + rms, F32, c["eps"])]
    if a != "gpt2":
        out += [(a + ".attention.head_count_kv", U32, c["kv_heads"]), (a + ".rope.freq_base", F32, c["theta"])]
    if c["heads"] * c["head_dim"] != c["width"]:
        out += [(a + ".attention.key_length", U32, c["head_dim"]), (a + ".attention.value_length", U32, c["head_dim"])]
    out += [("tokenizer.ggml.model", STR, "gpt2"), ("tokenizer.ggml.pre", STR, "gpt-2"), ("tokenizer.ggml.tokens", (ARR, STR), tokens),
            ("tokenizer.ggml.token_type", (ARR, I32), [1] * eot + [3]), ("tokenizer.ggml.merges", (ARR, STR), [x + " " + y for x, y in merges]),
            ("tokenizer.ggml.bos_token_id", U32, eot), ("tokenizer.ggml.eos_token_id", U32, eot), ("tokenizer.ggml.add_bos_token", BOOL, False)]
    return out


def gguf_name(hf):
    base, suffix = hf.rsplit(".", 1)
    if base in TOP:
        return f"{TOP[base]}.{suffix}"
    parts = base.split(".")
    at = next(n for n, p in enumerate(parts) if p.isdigit())
    return f"blk.{parts[at]}.{BLOCK['.'.join(parts[at + 1:])]}.{suffix}"


def to_gguf(c, hf, w):
    if c["arch"] == "gpt2" and w.ndim == 2 and ".c_" in hf:
        return w.T                                                   # Conv1D holds [in, out]
    for name, heads in ((".q_proj.", c["heads"]), (".k_proj.", c["kv_heads"])):
        if c["arch"] == "llama" and name in hf:                      # the halves of a rotary pair become neighbours
            return w.reshape(heads, 2, -1, w.shape[1]).swapaxes(1, 2).reshape(w.shape)
    return w


def llama3_factors(c):
    s = c["scaling"]
    inverse = 1.0 / c["theta"] ** (np.arange(0, c["head_dim"], 2) / c["head_dim"])
    return (inverse / rope_frequencies(c)).astype(np.float32) if s else None


def write_gguf(path, c, weights, dtype, name):
    tensors = []
    for hf, w in weights.items():
        matrix = w.ndim == 2 and hf != "wpe.weight"
        tensors.append((gguf_name(hf), to_gguf(c, hf, w), dtype if matrix else "F32"))
    if c.get("scaling"):
        tensors.append(("rope_freqs.weight", llama3_factors(c), "F32"))
    meta = gguf_metadata(c, name)
    out = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(meta)) + b"".join(entry(*m) for m in meta)
    data = b""
    for tensor, w, kind in tensors:
        out += string(tensor) + struct.pack("<I", w.ndim) + b"".join(struct.pack("<Q", n) for n in reversed(w.shape)) + struct.pack("<IQ", GGUF_TYPE[kind], len(data))
        raw = store(w, kind)
        data += raw + b"\0" * (-len(raw) % 32)
    with open(path, "wb") as f:
        f.write(out + b"\0" * (-len(out) % 32) + data)


# ------------------------------------------------------------------ Hugging Face folder

def hf_config(c, vocabulary, dtype):
    common = dict(torch_dtype={"F32": "float32", "F16": "float16", "BF16": "bfloat16"}[dtype], vocab_size=vocabulary, bos_token_id=vocabulary - 1, eos_token_id=vocabulary - 1)
    if c["arch"] == "gpt2":
        return dict(common, architectures=["GPT2LMHeadModel"], model_type="gpt2", n_ctx=c["ctx"], n_positions=c["ctx"], n_embd=c["width"], n_layer=c["layers"],
                    n_head=c["heads"], n_inner=None, activation_function="gelu_new", layer_norm_epsilon=c["eps"])
    out = dict(common, architectures=[{"llama": "Llama", "qwen2": "Qwen2", "qwen3": "Qwen3"}[c["arch"]] + "ForCausalLM"], model_type=c["arch"], hidden_size=c["width"],
               intermediate_size=c["ffn"], num_attention_heads=c["heads"], num_key_value_heads=c["kv_heads"], num_hidden_layers=c["layers"],
               max_position_embeddings=c["ctx"], rms_norm_eps=c["eps"], rope_theta=c["theta"], tie_word_embeddings=c["tied"], hidden_act="silu", rope_scaling=c.get("scaling"))
    if c["heads"] * c["head_dim"] != c["width"]:
        out["head_dim"] = c["head_dim"]
    if c["arch"] == "qwen2":
        out.update(use_sliding_window=False, sliding_window=64, max_window_layers=c["layers"])
    return out


def write_safetensors(path, tensors):
    """tensors: [(name, dtype name, shape, bytes)]"""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, dtype, shape, raw in tensors:
        header[name] = dict(dtype=dtype, shape=list(shape), data_offsets=[len(data), len(data) + len(raw)])
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def write_hf(folder, c, weights, dtype, vocabulary, prefix="", shards=1, masks=False):
    os.makedirs(folder, exist_ok=True)
    tensors = [(prefix + name, dtype, w.shape, store(w, dtype)) for name, w in weights.items()]
    if masks:                                                        # older GPT-2 files carry their causal masks
        tensors += [(f"{prefix}h.{i}.attn.bias", "BOOL", (1, 1, 4, 4), np.tril(np.ones((4, 4), np.uint8)).tobytes()) for i in range(c["layers"])]
    dump = lambda name, x: json.dump(x, open(os.path.join(folder, name), "w", encoding="utf-8"), ensure_ascii=False, indent=1)
    if shards == 1:
        write_safetensors(os.path.join(folder, "model.safetensors"), tensors)
    else:
        per, where = -(-len(tensors) // shards), {}
        for i in range(shards):
            name = f"model-{i + 1:05d}-of-{shards:05d}.safetensors"
            part = tensors[i * per:(i + 1) * per]
            write_safetensors(os.path.join(folder, name), part)
            where.update({t[0]: name for t in part})
        dump("model.safetensors.index.json", dict(metadata=dict(total_size=sum(len(t[3]) for t in tensors)), weight_map=where))
    dump("config.json", hf_config(c, vocabulary, dtype))
    tokens, merges = tokenizer()
    eot = len(tokens) - 1
    level = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
    dump("tokenizer.json", dict(version="1.0", truncation=None, padding=None, normalizer=None, pre_tokenizer=level, post_processor=None, decoder=level,
                                added_tokens=[dict(id=eot, content=tokens[-1], single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)],
                                model=dict(type="BPE", dropout=None, unk_token=None, continuing_subword_prefix="", end_of_word_suffix="", fuse_unk=False,
                                           byte_fallback=False, vocab={t: i for i, t in enumerate(tokens[:-1])}, merges=[x + " " + y for x, y in merges])))
    dump("tokenizer_config.json", dict(tokenizer_class="GPT2Tokenizer", bos_token=tokens[-1], eos_token=tokens[-1], add_prefix_space=False))


# ------------------------------------------------------------------ the exact forward pass, in double precision

def rope_frequencies(c):
    f = 1.0 / c["theta"] ** (np.arange(0, c["head_dim"], 2) / c["head_dim"])
    s = c.get("scaling")
    if not s:
        return f
    out = []
    for v in f:                                                      # llama3
        wavelength, original = 2 * np.pi / v, s["original_max_position_embeddings"]
        low, high = original / s["low_freq_factor"], original / s["high_freq_factor"]
        blend = (original / wavelength - s["low_freq_factor"]) / (s["high_freq_factor"] - s["low_freq_factor"])
        out.append(v if wavelength < high else v / s["factor"] if wavelength > low else (1 - blend) * v / s["factor"] + blend * v)
    return np.array(out)


def exact_logits(c, w, ids):
    """w: name to float64 array, by Hugging Face names. -> [positions, vocabulary]"""
    T, eps, hd = len(ids), c["eps"], c["head_dim"]
    linear = lambda x, n: x @ w[n + ".weight"].T + w.get(n + ".bias", 0)
    conv1d = lambda x, n: x @ w[n + ".weight"] + w[n + ".bias"]
    rms = lambda x, n: x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * w[n + ".weight"]
    gelu = lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))
    silu = lambda x: x / (1 + np.exp(-x))

    def layer_norm(x, n):
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + eps) * w[n + ".weight"] + w[n + ".bias"]

    def turn(x):                                                     # x: positions, heads, head size
        angle = np.arange(T)[:, None] * rope_frequencies(c)[None]
        cos, sin, a, b = np.cos(angle)[:, None], np.sin(angle)[:, None], x[..., :hd // 2], x[..., hd // 2:]
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    def attend(q, k, v):
        group = q.shape[1] // k.shape[1]
        s = np.einsum("ihd,jhd->hij", q, k.repeat(group, 1)) / np.sqrt(hd)
        s = np.where(np.arange(T)[None, :] > np.arange(T)[:, None], -np.inf, s)
        p = np.exp(s - s.max(-1, keepdims=True))
        return np.einsum("hij,jhd->ihd", p / p.sum(-1, keepdims=True), v.repeat(group, 1)).reshape(T, -1)

    if c["arch"] == "gpt2":
        x = w["wte.weight"][ids] + w["wpe.weight"][:T]
        for i in range(c["layers"]):
            p = f"h.{i}."
            q, k, v = (y.reshape(T, -1, hd) for y in np.split(conv1d(layer_norm(x, p + "ln_1"), p + "attn.c_attn"), 3, -1))
            x = x + conv1d(attend(q, k, v), p + "attn.c_proj")
            x = x + conv1d(gelu(conv1d(layer_norm(x, p + "ln_2"), p + "mlp.c_fc")), p + "mlp.c_proj")
        return layer_norm(x, "ln_f") @ w["wte.weight"].T
    x = w["model.embed_tokens.weight"][ids]
    for i in range(c["layers"]):
        p = f"model.layers.{i}."
        h = rms(x, p + "input_layernorm")
        q, k, v = (linear(h, p + f"self_attn.{n}_proj").reshape(T, -1, hd) for n in "qkv")
        if c["arch"] == "qwen3":
            q, k = rms(q, p + "self_attn.q_norm"), rms(k, p + "self_attn.k_norm")
        x = x + linear(attend(turn(q), turn(k), v), p + "self_attn.o_proj")
        h = rms(x, p + "post_attention_layernorm")
        x = x + linear(silu(linear(h, p + "mlp.gate_proj")) * linear(h, p + "mlp.up_proj"), p + "mlp.down_proj")
    return rms(x, "model.norm") @ w[("model.embed_tokens" if c["tied"] else "lm_head") + ".weight"].T
