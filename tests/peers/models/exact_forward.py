"""The exact forward pass, in double precision, on weights by their Hugging Face names.

Written from the papers and from the published definition of each architecture, in one function for
each part of a block.
"""
import math
import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])
silu = lambda x: x / (1 + np.exp(-x))
gelu_tanh = lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))
gelu_erf = lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2)))
capped = lambda x, cap: cap * np.tanh(x / cap) if cap else x


# ------------------------------------------------------------------ rotary positions

def rotary_dim(c):
    return int(c["head_dim"] * c.get("rotary_pct", 1.0))


def frequencies(dim, theta, scaling=None, long=False):
    """Radians for each position, one for each pair."""
    f = 1.0 / theta ** (np.arange(0, dim, 2) / dim)
    if not scaling:
        return f
    kind = scaling.get("rope_type", scaling.get("type"))
    if kind == "linear":
        return f / scaling["factor"]
    if kind == "longrope":
        return f / np.array(scaling["long_factor" if long else "short_factor"])
    original = scaling["original_max_position_embeddings"]
    if kind == "llama3":
        turns = original * f / (2 * np.pi)
        blend = np.clip((turns - scaling["low_freq_factor"]) / (scaling["high_freq_factor"] - scaling["low_freq_factor"]), 0, 1)
        return (1 - blend) * f / scaling["factor"] + blend * f
    assert kind == "yarn", kind
    pair = lambda turns: dim * math.log(original / (2 * math.pi * turns)) / (2 * math.log(theta))
    first, last = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), dim - 1)
    scaled = np.clip((np.arange(dim // 2) - first) / max(last - first, 0.001), 0, 1)
    return scaled * f / scaling["factor"] + (1 - scaled) * f


def lengthening(c):
    """By how much q and k become longer where they turn."""
    scaling = c.get("scaling") or {}
    kind = scaling.get("rope_type", scaling.get("type"))
    if kind == "yarn":
        return 0.1 * math.log(scaling["factor"]) + 1
    if kind == "longrope":
        return math.sqrt(1 + math.log(c["ctx"] / c["original_ctx"]) / math.log(c["original_ctx"]))
    return 1.0


def turn(x, f, length):
    """x: positions, heads, head size; the first 2 len(f) numbers of each head turn, in two halves."""
    angle = np.arange(x.shape[0])[:, None] * f[None]
    cos, sin, n = length * np.cos(angle)[:, None], length * np.sin(angle)[:, None], len(f)
    a, b = x[..., :n], x[..., n:2 * n]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin, x[..., 2 * n:]], -1)


def windowed(c, layer):
    """Whether a layer sees only the last c["window"] positions."""
    return bool(c.get("window")) and (c.get("period", 0) == 0 or (layer + 1) % c["period"] != 0)


def layer_turn(c, layer, x, long):
    if c["arch"] == "smollm3" and (layer + 1) % 4 == 0:
        return x
    if windowed(c, layer) and c["arch"] in ("gemma3", "olmo2"):
        return turn(x, frequencies(rotary_dim(c), c.get("local_theta", c["theta"])), 1.0)
    return turn(x, frequencies(rotary_dim(c), c["theta"], c.get("scaling"), long), lengthening(c))


# ------------------------------------------------------------------ a block's parts

def attend(q, k, v, window=0, cap=None):
    """Positions, heads, head size -> positions, heads * head size."""
    T, group = q.shape[0], q.shape[1] // k.shape[1]
    s = capped(np.einsum("ihd,jhd->hij", q, k.repeat(group, 1)) / np.sqrt(q.shape[-1]), cap)
    i, j = np.arange(T)[:, None], np.arange(T)[None]
    s = np.where((j > i) | ((window > 0) & (i - j >= window)), -np.inf, s)
    p = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("hij,jhd->ihd", p / p.sum(-1, keepdims=True), v.repeat(group, 1)).reshape(T, -1)


class Parts:
    """Linear layers and norms of one model."""

    def __init__(self, c, weights):
        self.w, self.eps, self.one = weights, c["eps"], 1.0 if c["arch"].startswith("gemma") else 0.0

    def linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w.get(name + ".bias", 0)

    def conv1d(self, x, name):
        return x @ self.w[name + ".weight"] + self.w[name + ".bias"]

    def rms(self, x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.eps) * (self.w[name + ".weight"] + self.one)

    def layer_norm(self, x, name):
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + self.eps) * self.w[name + ".weight"] + self.w[name + ".bias"]

    def rms_if(self, x, name):
        return self.rms(x, name) if name + ".weight" in self.w else x


# ------------------------------------------------------------------ architectures

def gpt2(c, w, ids):
    parts, T, hd = Parts(c, w), len(ids), c["head_dim"]
    x = w["wte.weight"][ids] + w["wpe.weight"][:T]
    for i in range(c["layers"]):
        p = f"h.{i}."
        q, k, v = (y.reshape(T, -1, hd) for y in np.split(parts.conv1d(parts.layer_norm(x, p + "ln_1"), p + "attn.c_attn"), 3, -1))
        x = x + parts.conv1d(attend(q, k, v), p + "attn.c_proj")
        x = x + parts.conv1d(gelu_tanh(parts.conv1d(parts.layer_norm(x, p + "ln_2"), p + "mlp.c_fc")), p + "mlp.c_proj")
    return parts.layer_norm(x, "ln_f") @ w["wte.weight"].T


def gptneox(c, w, ids):
    parts, T, hd = Parts(c, w), len(ids), c["head_dim"]
    x = w["gpt_neox.embed_in.weight"][ids]
    for i in range(c["layers"]):
        p = f"gpt_neox.layers.{i}."
        qkv = parts.linear(parts.layer_norm(x, p + "input_layernorm"), p + "attention.query_key_value").reshape(T, -1, 3, hd)
        q, k, v = (qkv[:, :, n] for n in range(3))                   # of each head in turn
        attended = parts.linear(attend(layer_turn(c, i, q, False), layer_turn(c, i, k, False), v), p + "attention.dense")
        y = x if c["parallel"] else x + attended
        fed = gelu_erf(parts.linear(parts.layer_norm(y, p + "post_attention_layernorm"), p + "mlp.dense_h_to_4h"))
        x = x + attended + parts.linear(fed, p + "mlp.dense_4h_to_h")
    return parts.layer_norm(x, "gpt_neox.final_layer_norm") @ w["embed_out.weight"].T


def llama_like(c, w, ids, long):
    """All others: they differ in norms, in what is fused, in windows and in how heads turn."""
    parts, T, hd = Parts(c, w), len(ids), c["head_dim"]
    gemma, olmo = c["arch"].startswith("gemma"), c["arch"] == "olmo2"
    before_ffn = "pre_feedforward_layernorm" if gemma or olmo else "post_attention_layernorm"
    nq, nk = c["heads"] * hd, c["kv_heads"] * hd
    x = w["model.embed_tokens.weight"][ids] * (c["width"] ** 0.5 if gemma else 1)
    for i in range(c["layers"]):
        p = f"model.layers.{i}."
        h = parts.rms_if(x, p + "input_layernorm")
        if c["arch"] == "phi3":
            q, k, v = np.split(parts.linear(h, p + "self_attn.qkv_proj"), [nq, nq + nk], -1)
        else:
            q, k, v = (parts.linear(h, p + f"self_attn.{n}_proj") for n in "qkv")
        if olmo:
            q, k = parts.rms(q, p + "self_attn.q_norm"), parts.rms(k, p + "self_attn.k_norm")
        q, k, v = (y.reshape(T, -1, hd) for y in (q, k, v))
        if c["arch"] in ("qwen3", "gemma3"):
            q, k = parts.rms(q, p + "self_attn.q_norm"), parts.rms(k, p + "self_attn.k_norm")
        q, k = layer_turn(c, i, q, long), layer_turn(c, i, k, long)
        h = parts.linear(attend(q, k, v, c["window"] if windowed(c, i) else 0, c.get("attention_cap")), p + "self_attn.o_proj")
        x = x + (parts.rms(h, p + "post_attention_layernorm") if gemma or olmo else h)
        h = parts.rms_if(x, p + before_ffn)
        if c["arch"] == "phi3":
            gate, up = np.split(parts.linear(h, p + "mlp.gate_up_proj"), 2, -1)
        else:
            gate, up = parts.linear(h, p + "mlp.gate_proj"), parts.linear(h, p + "mlp.up_proj")
        h = parts.linear((gelu_tanh if gemma else silu)(gate) * up, p + "mlp.down_proj")
        x = x + parts.rms_if(h, p + "post_feedforward_layernorm")
    return capped(parts.rms(x, "model.norm") @ w[("model.embed_tokens" if c["tied"] else "lm_head") + ".weight"].T, c.get("logit_cap"))


def exact_logits(c, w, ids):
    """w: name to float64 array. -> [positions, vocabulary], each as the whole context up to it gives it."""
    ids = np.asarray(ids)
    if c["arch"] == "gpt2":
        return gpt2(c, w, ids)
    if c["arch"] == "gptneox":
        return gptneox(c, w, ids)
    short = llama_like(c, w, ids, False)
    if "original_ctx" not in c:
        return short
    # LongRoPE: a context longer than the original turns otherwise, from its first position on.
    return np.concatenate([short[:c["original_ctx"]], llama_like(c, w, ids, True)[c["original_ctx"]:]])
