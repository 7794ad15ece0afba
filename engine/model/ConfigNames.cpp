#include "engine/model/ConfigNames.h"

namespace engine {

namespace {

constexpr ConfigNames llama = {
    .vocabularySize = "vocab_size",
    .width = "hidden_size",
    .layers = "num_hidden_layers",
    .heads = "num_attention_heads",
    .kvHeads = "num_key_value_heads",
    .headDim = "head_dim",
    .feedForwardWidth = "intermediate_size",
    .contextLength = "max_position_embeddings",
    .rmsNormEpsilon = "rms_norm_eps",
    .layerNormEpsilon = "",
    .activation = "hidden_act",
    .ropeTheta = "rope_theta",
    .rotaryFraction = "",
    .window = "sliding_window",
};

constexpr ConfigNames gemma2()
{
    ConfigNames names = llama;
    names.activation = "hidden_activation";
    names.windowFallback = 4096;
    names.headDimFallback = 256;
    return names;
}

/// What the files of the larger models leave out is what the first of them had.
/// Source: the model cards' config.json, and the Gemma 3 report (arXiv:2503.19786).
constexpr ConfigNames gemma3()
{
    ConfigNames names = gemma2();
    names.ropeThetaFallback = 1e6;
    names.vocabularySizeFallback = 262208;
    names.headsFallback = 8;
    names.kvHeadsFallback = 4;
    names.contextLengthFallback = 131072;
    names.normEpsilonFallback = 1e-6;
    return names;
}

constexpr ConfigNames gptNeoX()
{
    ConfigNames names = llama;
    names.kvHeads = names.headDim = names.rmsNormEpsilon = names.window = "";
    names.layerNormEpsilon = "layer_norm_eps";
    names.ropeTheta = "rotary_emb_base";
    names.rotaryFraction = "rotary_pct";
    names.rotaryFractionFallback = 0.25;
    return names;
}

constexpr ConfigNames qwen3()
{
    ConfigNames names = llama;
    names.headDimFallback = 128;
    return names;
}

constexpr ConfigNames phi3()
{
    ConfigNames names = llama;
    names.rotaryFraction = "partial_rotary_factor";
    return names;
}

constexpr ConfigNames smolLm3()
{
    ConfigNames names = llama;
    names.ropeThetaFallback = 2e6;
    return names;
}

} // namespace

const ConfigNames ggufConfig = {
    .vocabularySize = "",
    .width = "embedding_length",
    .layers = "block_count",
    .heads = "attention.head_count",
    .kvHeads = "attention.head_count_kv",
    .headDim = "attention.key_length",
    .feedForwardWidth = "feed_forward_length",
    .contextLength = "context_length",
    .rmsNormEpsilon = "attention.layer_norm_rms_epsilon",
    .layerNormEpsilon = "attention.layer_norm_epsilon",
    .activation = "hidden_activation",
    .ropeTheta = "rope.freq_base",
    .rotaryFraction = "",
    .window = "attention.sliding_window",
};

const ConfigNames llamaConfig = llama;
const ConfigNames gemma2Config = gemma2();
const ConfigNames gemma3Config = gemma3();
const ConfigNames gptNeoXConfig = gptNeoX();
const ConfigNames phi3Config = phi3();
const ConfigNames qwen3Config = qwen3();
const ConfigNames smolLm3Config = smolLm3();

const ConfigNames gpt2Config = {
    .vocabularySize = "vocab_size",
    .width = "n_embd",
    .layers = "n_layer",
    .heads = "n_head",
    .kvHeads = "",
    .headDim = "",
    .feedForwardWidth = "n_inner",
    .contextLength = "n_positions",
    .rmsNormEpsilon = "",
    .layerNormEpsilon = "layer_norm_epsilon",
    .activation = "activation_function",
    .ropeTheta = "",
    .rotaryFraction = "",
    .window = "",
    .feedForwardTimesWidth = 4,
};

} // namespace engine
