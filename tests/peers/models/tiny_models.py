"""The tiny random models: their sizes, and the tensors of each architecture by Hugging Face names.

A model is a dictionary: "arch" is its name in GGUF files, "type" its model_type where that is
another. Sizes are no multiples of any vector length where blocks allow it, so that the ends of rows
are tested too; contexts reach beyond windows and beyond what was scaled. llama and llama-scaled
have rows of whole Q8_0 and Q4_0 blocks.
"""
from values import gauss
from tiny_tokenizer import VOCABULARY

LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=16)
LONGROPE = dict(type="longrope", short_factor=[1.0, 1.25, 1.5], long_factor=[1.5, 4.0, 11.0])

MODELS = {
    "llama": dict(arch="llama", width=32, layers=2, heads=4, kv_heads=2, head_dim=8, ffn=64, ctx=320, theta=10000.0, tied=False, eps=1e-5),
    "llama-scaled": dict(arch="llama", width=32, layers=2, heads=2, kv_heads=1, head_dim=16, ffn=32, ctx=320, theta=500000.0, tied=True, eps=1e-5, scaling=LLAMA3),
    "gpt2": dict(arch="gpt2", width=28, layers=2, heads=2, kv_heads=2, head_dim=14, ffn=112, ctx=64, tied=True, eps=1e-5),
    "qwen2": dict(arch="qwen2", width=36, layers=2, heads=6, kv_heads=2, head_dim=6, ffn=52, ctx=320, theta=1000000.0, tied=True, eps=1e-6),
    "qwen3": dict(arch="qwen3", width=28, layers=2, heads=3, kv_heads=3, head_dim=20, ffn=44, ctx=320, theta=1000000.0, tied=False, eps=1e-6),
    "mistral": dict(arch="llama", type="mistral", width=12, layers=2, heads=3, kv_heads=1, head_dim=6, ffn=20, ctx=320, theta=10000.0, tied=False, eps=1e-5, window=6),
    "qwen3-yarn": dict(arch="qwen3", width=12, layers=2, heads=2, kv_heads=1, head_dim=12, ffn=20, ctx=320, theta=1000000.0, tied=True, eps=1e-6, scaling=YARN),
    "gptneox": dict(arch="gptneox", type="gpt_neox", width=12, layers=2, heads=2, kv_heads=2, head_dim=6, ffn=28, ctx=320, theta=10000.0, rotary_pct=0.4, tied=False, eps=1e-5,
                    parallel=True),
    "gptneox-serial": dict(arch="gptneox", type="gpt_neox", width=12, layers=2, heads=3, kv_heads=3, head_dim=4, ffn=28, ctx=320, theta=25000.0, rotary_pct=1.0, tied=False, eps=1e-5,
                           parallel=False),
    "gemma2": dict(arch="gemma2", width=12, layers=3, heads=4, kv_heads=2, head_dim=6, ffn=20, ctx=320, theta=10000.0, tied=True, eps=1e-6, window=6, period=2, attention_cap=3.0,
                   logit_cap=4.0),
    "gemma3": dict(arch="gemma3", type="gemma3_text", width=12, layers=4, heads=3, kv_heads=1, head_dim=6, ffn=20, ctx=320, theta=1000000.0, local_theta=10000.0, tied=True, eps=1e-6,
                   window=6, period=3, scaling=dict(rope_type="linear", factor=8.0)),
    "phi3": dict(arch="phi3", width=12, layers=2, heads=2, kv_heads=2, head_dim=6, ffn=20, ctx=320, theta=10000.0, tied=False, eps=1e-5, window=6),
    "phi3-longrope": dict(arch="phi3", width=16, layers=2, heads=2, kv_heads=1, head_dim=8, ffn=20, ctx=64, theta=10000.0, tied=True, eps=1e-5, rotary_pct=0.75, original_ctx=16,
                          scaling=LONGROPE),
    "olmo2": dict(arch="olmo2", width=12, layers=2, heads=2, kv_heads=1, head_dim=6, ffn=20, ctx=320, theta=500000.0, tied=False, eps=1e-6),
    "olmo3": dict(arch="olmo2", type="olmo3", width=12, layers=4, heads=2, kv_heads=1, head_dim=6, ffn=12, ctx=320, theta=500000.0, tied=False, eps=1e-6, window=6, period=4, scaling=YARN),
    "smollm3": dict(arch="smollm3", width=12, layers=5, heads=2, kv_heads=1, head_dim=6, ffn=12, ctx=320, theta=5000000.0, tied=True, eps=1e-6),
}
SEED = 7


def tensor_specs(c):
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
        add("wte.weight", (VOCABULARY, d), e)
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
    if c["arch"] == "gptneox":
        add("gpt_neox.embed_in.weight", (VOCABULARY, d), e)
        for i in range(c["layers"]):
            p = f"gpt_neox.layers.{i}."
            norm(p + "input_layernorm", d, True)
            norm(p + "post_attention_layernorm", d, True)
            add(p + "attention.query_key_value.weight", (3 * d, d), 1.4 / d ** 0.5); add(p + "attention.query_key_value.bias", (3 * d,), 0.2)
            add(p + "attention.dense.weight", (d, d), g / d ** 0.5); add(p + "attention.dense.bias", (d,), 0.05 * g)
            add(p + "mlp.dense_h_to_4h.weight", (f, d), 1.2 / d ** 0.5); add(p + "mlp.dense_h_to_4h.bias", (f,), 0.2)
            add(p + "mlp.dense_4h_to_h.weight", (d, f), 1.2 * g / f ** 0.5); add(p + "mlp.dense_4h_to_h.bias", (d,), 0.05 * g)
        norm("gpt_neox.final_layer_norm", d, True)
        add("embed_out.weight", (VOCABULARY, d), e)
        return out
    gemma = c["arch"].startswith("gemma")
    one = 0.0 if gemma else 1.0                                      # Gemma's folders hold the norms less 1
    after = g if not gemma else g * d ** 0.5 / 4 - 1                 # of norms behind a block: its share of the residual stream
    add("model.embed_tokens.weight", (VOCABULARY, d), e)
    for i in range(c["layers"]):
        p = f"model.layers.{i}."
        if c["arch"] != "olmo2":
            norm(p + "input_layernorm", d, mean=one)
        if c["arch"] == "phi3":
            add(p + "self_attn.qkv_proj.weight", (q + 2 * k, d), 1.3 / d ** 0.5)
        else:
            for name, rows, std, bias in (("q", q, 1.5, 0.4), ("k", k, 1.5, 0.8), ("v", k, 1.0, 0.1)):
                add(p + f"self_attn.{name}_proj.weight", (rows, d), std / d ** 0.5)
                if c["arch"] == "qwen2":
                    add(p + f"self_attn.{name}_proj.bias", (rows,), bias)
        if c["arch"] in ("qwen3", "gemma3", "olmo2"):
            whole = c["arch"] == "olmo2"
            norm(p + "self_attn.q_norm", q if whole else c["head_dim"], mean=one + 0.4)
            norm(p + "self_attn.k_norm", k if whole else c["head_dim"], mean=one + 0.4)
        add(p + "self_attn.o_proj.weight", (d, q), g / q ** 0.5)
        norm(p + "post_attention_layernorm", d, mean=after if gemma or c["arch"] == "olmo2" else one)
        if gemma:
            norm(p + "pre_feedforward_layernorm", d, mean=one)
        if c["arch"] == "phi3":
            add(p + "mlp.gate_up_proj.weight", (2 * f, d), 1.25 / d ** 0.5)
        else:
            add(p + "mlp.gate_proj.weight", (f, d), 1.3 / d ** 0.5)
            add(p + "mlp.up_proj.weight", (f, d), 1.2 / d ** 0.5)
        add(p + "mlp.down_proj.weight", (d, f), 1.2 * g / f ** 0.5)
        if gemma or c["arch"] == "olmo2":
            norm(p + "post_feedforward_layernorm", d, mean=after)
    norm("model.norm", d, mean=one)
    if not c["tied"]:
        add("lm_head.weight", (VOCABULARY, d), e)
    return out


def make_weights(c, seed=SEED):
    return {name: gauss(seed, name, shape, std, mean) for name, shape, std, mean in tensor_specs(c)}
