"""Writes a tiny model as a Hugging Face folder."""
import json, os, struct
import numpy as np
from tiny_tokenizer import VOCABULARY, tokenizer
from values import store

CLASSES = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3", "gemma2": "Gemma2", "gemma3_text": "Gemma3", "phi3": "Phi3", "olmo2": "Olmo2", "olmo3": "Olmo3",
           "smollm3": "SmolLM3"}


def config(c, dtype):
    kind = c.get("type", c["arch"])
    common = dict(torch_dtype={"F32": "float32", "F16": "float16", "BF16": "bfloat16"}[dtype], vocab_size=VOCABULARY, bos_token_id=VOCABULARY - 1, eos_token_id=VOCABULARY - 1)
    if kind == "gpt2":
        return dict(common, architectures=["GPT2LMHeadModel"], model_type="gpt2", n_ctx=c["ctx"], n_positions=c["ctx"], n_embd=c["width"], n_layer=c["layers"],
                    n_head=c["heads"], n_inner=None, activation_function="gelu_new", layer_norm_epsilon=c["eps"])
    if kind == "gpt_neox":
        return dict(common, architectures=["GPTNeoXForCausalLM"], model_type="gpt_neox", hidden_size=c["width"], intermediate_size=c["ffn"], num_attention_heads=c["heads"],
                    num_hidden_layers=c["layers"], max_position_embeddings=c["ctx"], layer_norm_eps=c["eps"], hidden_act="gelu", rotary_pct=c["rotary_pct"],
                    rotary_emb_base=int(c["theta"]), use_parallel_residual=c["parallel"], tie_word_embeddings=False)
    out = dict(common, architectures=[CLASSES[kind] + "ForCausalLM"], model_type=kind, hidden_size=c["width"],
               intermediate_size=c["ffn"], num_attention_heads=c["heads"], num_key_value_heads=c["kv_heads"], num_hidden_layers=c["layers"],
               max_position_embeddings=c["ctx"], rms_norm_eps=c["eps"], rope_theta=c["theta"], tie_word_embeddings=c["tied"], hidden_act="silu", rope_scaling=c.get("scaling"))
    if c["heads"] * c["head_dim"] != c["width"] or kind.startswith("gemma"):
        out["head_dim"] = c["head_dim"]
    if kind == "qwen2":
        out.update(use_sliding_window=False, sliding_window=64, max_window_layers=c["layers"])
    if kind.startswith("gemma"):
        del out["hidden_act"]
        out.update(hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=c["head_dim"], attn_logit_softcapping=c.get("attention_cap"), final_logit_softcapping=c.get("logit_cap"))
    if kind == "gemma3_text":
        out.update(rope_local_base_freq=c["local_theta"], sliding_window_pattern=c["period"])
    if c.get("window"):
        out["sliding_window"] = c["window"]
    if kind == "phi3":
        out.update(original_max_position_embeddings=c.get("original_ctx", c["ctx"]), partial_rotary_factor=c.get("rotary_pct", 1.0))
        out.setdefault("sliding_window", None)
    if kind == "olmo3":
        out["layer_types"] = ["full_attention" if (i + 1) % c["period"] == 0 else "sliding_attention" for i in range(c["layers"])]
    if kind == "smollm3":
        out.update(no_rope_layer_interval=4, no_rope_layers=[int((i + 1) % 4 != 0) for i in range(c["layers"])], use_sliding_window=False, sliding_window=None,
                   attention_bias=False, mlp_bias=False, layer_types=["full_attention"] * c["layers"])
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


def write_tokenizer(dump):
    tokens, merges = tokenizer()
    eot = len(tokens) - 1
    level = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
    dump("tokenizer.json", dict(version="1.0", truncation=None, padding=None, normalizer=None, pre_tokenizer=level, post_processor=None, decoder=level,
                                added_tokens=[dict(id=eot, content=tokens[-1], single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)],
                                model=dict(type="BPE", dropout=None, unk_token=None, continuing_subword_prefix="", end_of_word_suffix="", fuse_unk=False,
                                           byte_fallback=False, vocab={t: i for i, t in enumerate(tokens[:-1])}, merges=[x + " " + y for x, y in merges])))
    dump("tokenizer_config.json", dict(tokenizer_class="GPT2Tokenizer", bos_token=tokens[-1], eos_token=tokens[-1], add_prefix_space=False))


def write_folder(folder, c, weights, dtype, prefix="", shards=1, masks=False):
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
    dump("config.json", config(c, dtype))
    write_tokenizer(dump)
