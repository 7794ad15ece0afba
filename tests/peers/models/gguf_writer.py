"""Writes a tiny model as a GGUF file, by the names and orders that llama.cpp's converter gives."""
import struct
import numpy as np
from exact_forward import frequencies, lengthening, rotary_dim
from tiny_tokenizer import tokenizer
from values import store

U32, I32, F32, BOOL, STR, ARR = 4, 5, 6, 7, 8, 9
GGUF_TYPE = {"F32": 0, "F16": 1, "Q4_0": 2, "Q8_0": 8, "BF16": 30}
TOP = {"wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm", "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
       "gpt_neox.embed_in": "token_embd", "gpt_neox.final_layer_norm": "output_norm", "embed_out": "output"}
BLOCK = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "self_attn.qkv_proj": "attn_qkv", "mlp.gate_up_proj": "ffn_up", "ln_1": "attn_norm",
         "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm", "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down",
         "attention.query_key_value": "attn_qkv", "attention.dense": "attn_output", "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down",
         "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm"}


def string(x):
    b = x.encode("utf-8")
    return struct.pack("<Q", len(b)) + b


def entry(key, kind, value):
    head = string(key)
    if kind == STR:
        return head + struct.pack("<I", STR) + string(value)
    if isinstance(kind, tuple):
        body = b"".join(string(v) for v in value) if kind[1] == STR else np.asarray(value, {I32: "<i4", BOOL: "?"}[kind[1]]).tobytes()
        return head + struct.pack("<IIQ", ARR, kind[1], len(value)) + body
    return head + struct.pack("<I", kind) + struct.pack({U32: "<I", F32: "<f", BOOL: "<?"}[kind], value)


def rope_metadata(c):
    a, scaling = c["arch"], c.get("scaling") or {}
    kind = scaling.get("rope_type", scaling.get("type"))
    out = [(a + ".rope.freq_base", F32, c["theta"])] if a != "gpt2" else []
    if a in ("gptneox", "phi3", "smollm3"):
        out.append((a + ".rope.dimension_count", U32, rotary_dim(c)))
    if kind in ("linear", "yarn", "longrope"):
        out.append((a + ".rope.scaling.type", STR, kind))
    if kind in ("linear", "yarn"):
        out.append((a + ".rope.scaling.factor", F32, scaling["factor"]))
    if kind == "yarn":
        out.append((a + ".rope.scaling.original_context_length", U32, scaling["original_max_position_embeddings"]))
    if a == "phi3":
        out.append((a + ".rope.scaling.original_context_length", U32, c.get("original_ctx", c["ctx"])))
    if kind == "longrope":
        out.append((a + ".rope.scaling.attn_factor", F32, lengthening(c)))
    return out


def metadata(c, name):
    a = c["arch"]
    tokens, merges = tokenizer()
    eot = len(tokens) - 1
    norm = "layer_norm_epsilon" if a in ("gpt2", "gptneox") else "layer_norm_rms_epsilon"
    out = [("general.architecture", STR, a), ("general.name", STR, name),
           (a + ".block_count", U32, c["layers"]), (a + ".context_length", U32, c["ctx"]), (a + ".embedding_length", U32, c["width"]),
           (a + ".feed_forward_length", U32, c["ffn"]), (a + ".attention.head_count", U32, c["heads"]), (a + ".attention." + norm, F32, c["eps"])]
    if a not in ("gpt2", "gptneox"):
        out += [(a + ".attention.head_count_kv", U32, c["kv_heads"])]
    out += rope_metadata(c)
    if c["heads"] * c["head_dim"] != c["width"] or a.startswith("gemma"):
        out += [(a + ".attention.key_length", U32, c["head_dim"]), (a + ".attention.value_length", U32, c["head_dim"])]
    if a == "gptneox":
        out.append((a + ".use_parallel_residual", BOOL, c["parallel"]))
    if a == "phi3" or c.get("window"):
        out.append((a + ".attention.sliding_window", U32, c.get("window", 0)))
    if a == "gemma3":
        out.append((a + ".attention.sliding_window_pattern", U32, c["period"]))
    if a == "olmo2" and c.get("window"):
        out.append((a + ".attention.sliding_window_pattern", (ARR, BOOL), [(i + 1) % c["period"] != 0 for i in range(c["layers"])]))
    for key, field in (("attn_logit_softcapping", "attention_cap"), ("final_logit_softcapping", "logit_cap")):
        if field in c:
            out.append((f"{a}.{key}", F32, c[field]))
    out += [("tokenizer.ggml.model", STR, "gpt2"), ("tokenizer.ggml.pre", STR, "gpt-2"), ("tokenizer.ggml.tokens", (ARR, STR), tokens),
            ("tokenizer.ggml.token_type", (ARR, I32), [1] * eot + [3]), ("tokenizer.ggml.merges", (ARR, STR), [x + " " + y for x, y in merges]),
            ("tokenizer.ggml.bos_token_id", U32, eot), ("tokenizer.ggml.eos_token_id", U32, eot), ("tokenizer.ggml.add_bos_token", BOOL, False)]
    return out


def gguf_name(c, hf):
    base, suffix = hf.rsplit(".", 1)
    if base in TOP:
        return f"{TOP[base]}.{suffix}"
    parts = base.split(".")
    at = next(n for n, p in enumerate(parts) if p.isdigit())
    part = ".".join(parts[at + 1:])
    # Gemma and OLMo have a norm of that name where the name says it is; the others before the feed-forward block.
    after = part == "post_attention_layernorm" and (c["arch"].startswith("gemma") or c["arch"] == "olmo2")
    return f"blk.{parts[at]}.{'post_attention_norm' if after else BLOCK[part]}.{suffix}"


def to_gguf(c, hf, w):
    if c["arch"] == "gpt2" and w.ndim == 2 and ".c_" in hf:
        return w.T                                                   # Conv1D holds [in, out]
    if c["arch"].startswith("gemma") and hf.endswith("norm.weight"):
        return w + np.float32(1)
    if ".query_key_value." in hf:                                    # of each head in turn -> all q, all k, all v
        return w.reshape((c["heads"], 3, c["head_dim"]) + w.shape[1:]).swapaxes(0, 1).reshape(w.shape)
    for name, heads in ((".q_proj.", c["heads"]), (".k_proj.", c["kv_heads"])):
        if c["arch"] in ("llama", "smollm3") and name in hf:         # the halves of a rotary pair become neighbours
            return w.reshape(heads, 2, -1, w.shape[1]).swapaxes(1, 2).reshape(w.shape)
    return w


def rope_tensors(c):
    """Factors by which frequencies are divided, for the kinds of scaling that come as tensors."""
    scaling = c.get("scaling") or {}
    if scaling.get("rope_type") == "llama3":
        plain = frequencies(c["head_dim"], c["theta"])
        return [("rope_freqs.weight", (plain / frequencies(c["head_dim"], c["theta"], scaling)).astype(np.float32), "F32")]
    return [(f"rope_factors_{kind}.weight", np.array(scaling[kind + "_factor"], np.float32), "F32") for kind in ("long", "short") if kind + "_factor" in scaling]


def write_gguf(path, c, weights, dtype, name):
    tensors = []
    for hf, w in weights.items():
        matrix = w.ndim == 2 and hf != "wpe.weight"
        tensors.append((gguf_name(c, hf), to_gguf(c, hf, w), dtype if matrix else "F32"))
    tensors += rope_tensors(c)
    meta = metadata(c, name.replace("phi3", "phi"))                # llama.cpp looks for that name, and then for tokens of that model
    out = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(meta)) + b"".join(entry(*m) for m in meta)
    data = b""
    for tensor, w, kind in tensors:
        out += string(tensor) + struct.pack("<I", w.ndim) + b"".join(struct.pack("<Q", n) for n in reversed(w.shape)) + struct.pack("<IQ", GGUF_TYPE[kind], len(data))
        raw = store(w, kind)
        data += raw + b"\0" * (-len(raw) % 32)
    with open(path, "wb") as f:
        f.write(out + b"\0" * (-len(out) % 32) + data)
