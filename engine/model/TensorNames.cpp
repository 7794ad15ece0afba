#include "engine/model/TensorNames.h"

namespace engine {

namespace {

constexpr TensorNames llama = {
    .tokenEmbedding = "model.embed_tokens",
    .positionEmbedding = "",
    .layer = "model.layers.#.",
    .attentionNorm = "input_layernorm",
    .qkv = "",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .qNorm = "self_attn.q_norm",
    .kNorm = "self_attn.k_norm",
    .attentionOutput = "self_attn.o_proj",
    .attentionPostNorm = "",
    .feedForwardNorm = "post_attention_layernorm",
    .gateUp = "",
    .gate = "mlp.gate_proj",
    .up = "mlp.up_proj",
    .down = "mlp.down_proj",
    .feedForwardPostNorm = "",
    .outputNorm = "model.norm",
    .output = "lm_head",
};

/// Here "post_attention_layernorm" is what it says; for Llama it stands before the feed-forward
/// block.
constexpr TensorNames withPostNorms(TensorNames names, std::string_view feedForwardNorm)
{
    names.attentionPostNorm = "post_attention_layernorm";
    names.feedForwardNorm = feedForwardNorm;
    names.feedForwardPostNorm = "post_feedforward_layernorm";
    return names;
}

constexpr TensorNames gemma()
{
    TensorNames names = withPostNorms(llama, "pre_feedforward_layernorm");
    names.normOffset = 1; // its GGUF files hold the sum
    return names;
}

constexpr TensorNames phi3()
{
    TensorNames names = llama;
    names.qkv = "self_attn.qkv_proj";
    names.q = names.k = names.v = "";
    names.gateUp = "mlp.gate_up_proj";
    names.gate = names.up = "";
    return names;
}

constexpr TensorNames olmo2()
{
    TensorNames names = withPostNorms(llama, "");
    names.attentionNorm = "";
    return names;
}

} // namespace

const TensorNames ggufNames = {
    .tokenEmbedding = "token_embd",
    .positionEmbedding = "position_embd",
    .layer = "blk.#.",
    .attentionNorm = "attn_norm",
    .qkv = "attn_qkv",
    .q = "attn_q",
    .k = "attn_k",
    .v = "attn_v",
    .qNorm = "attn_q_norm",
    .kNorm = "attn_k_norm",
    .attentionOutput = "attn_output",
    .attentionPostNorm = "post_attention_norm",
    .feedForwardNorm = "ffn_norm",
    .gateUp = "ffn_up", // of the architectures that keep both in one
    .gate = "ffn_gate",
    .up = "ffn_up",
    .down = "ffn_down",
    .feedForwardPostNorm = "post_ffw_norm",
    .outputNorm = "output_norm",
    .output = "output",
};

const TensorNames llamaNames = llama;
const TensorNames phi3Names = phi3();
const TensorNames gemmaNames = gemma();
const TensorNames olmo2Names = olmo2();

const TensorNames gpt2Names = {
    .tokenEmbedding = "transformer.wte",
    .positionEmbedding = "transformer.wpe",
    .layer = "transformer.h.#.",
    .attentionNorm = "ln_1",
    .qkv = "attn.c_attn",
    .q = "",
    .k = "",
    .v = "",
    .qNorm = "",
    .kNorm = "",
    .attentionOutput = "attn.c_proj",
    .attentionPostNorm = "",
    .feedForwardNorm = "ln_2",
    .gateUp = "",
    .gate = "",
    .up = "mlp.c_fc",
    .down = "mlp.c_proj",
    .feedForwardPostNorm = "",
    .outputNorm = "transformer.ln_f",
    .output = "lm_head",
    .inputRows = true,
};

const TensorNames gptNeoXNames = {
    .tokenEmbedding = "gpt_neox.embed_in",
    .positionEmbedding = "",
    .layer = "gpt_neox.layers.#.",
    .attentionNorm = "input_layernorm",
    .qkv = "attention.query_key_value",
    .q = "",
    .k = "",
    .v = "",
    .qNorm = "",
    .kNorm = "",
    .attentionOutput = "attention.dense",
    .attentionPostNorm = "",
    .feedForwardNorm = "post_attention_layernorm",
    .gateUp = "",
    .gate = "",
    .up = "mlp.dense_h_to_4h",
    .down = "mlp.dense_4h_to_h",
    .feedForwardPostNorm = "",
    .outputNorm = "gpt_neox.final_layer_norm",
    .output = "embed_out",
};

} // namespace engine
