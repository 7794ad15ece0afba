#include "engine/model/Architecture.h"

#include <algorithm>
#include <array>

namespace engine {

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
    .feedForwardNorm = "ffn_norm",
    .gate = "ffn_gate",
    .up = "ffn_up",
    .down = "ffn_down",
    .outputNorm = "output_norm",
    .output = "output",
};

namespace {

const TensorNames llamaNames = {
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
    .feedForwardNorm = "post_attention_layernorm",
    .gate = "mlp.gate_proj",
    .up = "mlp.up_proj",
    .down = "mlp.down_proj",
    .outputNorm = "model.norm",
    .output = "lm_head",
};

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
    .feedForwardNorm = "ln_2",
    .gate = "",
    .up = "mlp.c_fc",
    .down = "mlp.c_proj",
    .outputNorm = "transformer.ln_f",
    .output = "lm_head",
    .inputRows = true,
};

const ConfigNames llamaConfig = {
    .width = "hidden_size",
    .layers = "num_hidden_layers",
    .heads = "num_attention_heads",
    .feedForwardWidth = "intermediate_size",
    .contextLength = "max_position_embeddings",
    .normEpsilon = "rms_norm_eps",
    .activation = "hidden_act",
};

const ConfigNames gpt2Config = {
    .width = "n_embd",
    .layers = "n_layer",
    .heads = "n_head",
    .feedForwardWidth = "n_inner",
    .contextLength = "n_positions",
    .normEpsilon = "layer_norm_epsilon",
    .activation = "activation_function",
    .feedForwardTimesWidth = 4,
};

const std::array architectures = {
    // Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
    Architecture{.name = "gpt2",
                 .modelTypes = {"gpt2"},
                 .norm = NormKind::Layer,
                 .feedForward = FeedForwardKind::GeluTanh,
                 .biases = RequiredBiases::All,
                 .rotary = false,
                 .fusedQkv = true,
                 .qkNorm = false,
                 .ggufPairs = RopePairs::Halves,
                 .huggingFaceNames = &gpt2Names,
                 .configNames = &gpt2Config},
    // Touvron et al. 2023 (arXiv:2302.13971, arXiv:2307.09288), Dubey et al. 2024
    // (arXiv:2407.21783); Mistral is Jiang et al. 2023 (arXiv:2310.06825).
    Architecture{.name = "llama",
                 .modelTypes = {"llama", "mistral"},
                 .norm = NormKind::Rms,
                 .feedForward = FeedForwardKind::GatedSilu,
                 .biases = RequiredBiases::None,
                 .rotary = true,
                 .fusedQkv = false,
                 .qkNorm = false,
                 .ggufPairs = RopePairs::Adjacent,
                 .huggingFaceNames = &llamaNames,
                 .configNames = &llamaConfig},
    // Yang et al. 2024 (arXiv:2407.10671).
    Architecture{.name = "qwen2",
                 .modelTypes = {"qwen2"},
                 .norm = NormKind::Rms,
                 .feedForward = FeedForwardKind::GatedSilu,
                 .biases = RequiredBiases::Qkv,
                 .rotary = true,
                 .fusedQkv = false,
                 .qkNorm = false,
                 .ggufPairs = RopePairs::Halves,
                 .huggingFaceNames = &llamaNames,
                 .configNames = &llamaConfig},
    // Yang et al. 2025 (arXiv:2505.09388).
    Architecture{.name = "qwen3",
                 .modelTypes = {"qwen3"},
                 .norm = NormKind::Rms,
                 .feedForward = FeedForwardKind::GatedSilu,
                 .biases = RequiredBiases::None,
                 .rotary = true,
                 .fusedQkv = false,
                 .qkNorm = true,
                 .ggufPairs = RopePairs::Halves,
                 .huggingFaceNames = &llamaNames,
                 .configNames = &llamaConfig},
};

} // namespace

const Architecture* findByGgufName(std::string_view name)
{
    const auto* found =
        std::find_if(architectures.begin(), architectures.end(),
                     [&](const Architecture& architecture) { return architecture.name == name; });
    return found == architectures.end() ? nullptr : found;
}

const Architecture* findByModelType(std::string_view modelType)
{
    for (const Architecture& architecture : architectures)
        if (std::count(architecture.modelTypes.begin(), architecture.modelTypes.end(), modelType))
            return &architecture;
    return nullptr;
}

std::string knownGgufNames()
{
    std::string names;
    for (const Architecture& architecture : architectures)
        names += (names.empty() ? "" : ", ") + std::string(architecture.name);
    return names;
}

std::string knownModelTypes()
{
    std::string names;
    for (const Architecture& architecture : architectures)
        for (const std::string_view type : architecture.modelTypes)
            names += (names.empty() ? "" : ", ") + std::string(type);
    return names;
}

} // namespace engine
