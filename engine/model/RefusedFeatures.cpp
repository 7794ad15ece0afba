#include "engine/model/RefusedFeatures.h"

#include "engine/io/FileError.h"
#include "engine/model/ModelConfig.h"

#include <algorithm>
#include <array>
#include <span>

namespace engine {

namespace {

/// A field and the value of it that changes nothing; true and false are 1 and 0.
struct Neutral
{
    std::string_view key;
    double value;
};

constexpr std::array ggufNeutral = {
    Neutral{"expert_count", 0},
    Neutral{"attention.causal", 1},
    Neutral{"attention.max_alibi_bias", 0},
    Neutral{"attention.clamp_kqv", 0},
    Neutral{"logit_scale", 1},
    Neutral{"embedding_scale", 1},
    Neutral{"residual_scale", 1},
    Neutral{"attn_logit_softcapping", 0},
    Neutral{"final_logit_softcapping", 0},
};

/// Beginnings of the keys of what a run of the network as a text model has no use for.
constexpr std::array ggufHarmless = {
    "vocab_size",
    "tensor_data_layout", // of llama's first conversions: a remark
    "rope.scaling.finetuned",
    "attention.layer_norm_epsilon", // a file may carry both; the other one is in use
    "attention.layer_norm_rms_epsilon",
    "rope.freq_base", // of a model whose positions are learned
    "rope.dimension_count",
    "expert_used_count", // expert_count is 0
    "vision.",
    "mm.",
};

constexpr std::array jsonNeutral = {
    Neutral{"num_local_experts", 0},
    Neutral{"num_experts", 0},
    Neutral{"n_routed_experts", 0},
    Neutral{"moe_num_experts", 0},
    Neutral{"alibi", 0},
    Neutral{"clip_qkv", 0},
    Neutral{"logit_scale", 1},
    Neutral{"logits_scaling", 1},
    Neutral{"embedding_multiplier", 1},
    Neutral{"residual_multiplier", 1},
    Neutral{"scale_depth", 1},
    Neutral{"scale_emb", 1},
    Neutral{"scale_attn_by_inverse_layer_idx", 0},
    Neutral{"scale_attn_weights", 1},
    Neutral{"add_cross_attention", 0},
    Neutral{"use_bidirectional_attention", 0},
    Neutral{"is_causal", 1},
    Neutral{"attention_chunk_size", 0},
    Neutral{"attention_sinks", 0},
    Neutral{"lm_head_bias", 0},
    Neutral{"partial_rotary_factor", 1},
    Neutral{"rotary_pct", 1},
    Neutral{"query_pre_attn_scalar", 0},
    Neutral{"attention_multiplier", 0},
    Neutral{"attn_logit_softcapping", 0},
    Neutral{"final_logit_softcapping", 0},
    Neutral{"qk_layernorm", 0},
    Neutral{"use_qk_norm", 0},
    Neutral{"no_rope_layers", 0},
};

std::string shown(const ConfigFields& fields, std::string_view key)
{
    if (const std::optional<bool> value = fields.boolean(key))
        return *value ? "true" : "false";
    if (const std::optional<std::int64_t> value = fields.integer(key))
        return std::to_string(*value);
    if (const std::optional<double> value = fields.number(key))
        return std::to_string(*value);
    return "something else";
}

/// Whether the field is there with another value than the neutral one.
bool matters(const ConfigFields& fields, const Neutral& neutral)
{
    if (!fields.has(neutral.key))
        return false;
    if (const std::optional<bool> value = fields.boolean(neutral.key))
        return *value != (neutral.value != 0);
    return fields.number(neutral.key) != neutral.value;
}

void refuseValue(ConfigFields& fields, std::string_view key)
{
    const bool experts = key.find("experts") != std::string_view::npos || key == "expert_count";
    fields.refuse(ErrorCode::UnsupportedFeature, key,
                  experts ? "mixture-of-experts models are not supported, found " +
                                shown(fields, key) + " experts"
                          : "found " + shown(fields, key) + ", which is not supported for " +
                                "this architecture");
}

/// Fields that somebody has asked for are understood.
void refuseOtherThan(ConfigFields& fields, std::span<const Neutral> neutral)
{
    for (const Neutral& each : neutral)
        if (!fields.wasAsked(each.key) && matters(fields, each))
            refuseValue(fields, each.key);
}

void refuseGguf(ConfigFields& fields, const ModelConfig& config)
{
    refuseOtherThan(fields, ggufNeutral);
    for (const std::string_view key :
         {"attention.value_length", "attention.key_length_swa", "attention.value_length_swa"})
        if (fields.integer(key).value_or(config.headDim) != config.headDim)
            fields.refuse(ErrorCode::UnsupportedFeature, key,
                          "heads of another size are not supported: found " + shown(fields, key) +
                              " beside " + std::to_string(config.headDim));
    for (const std::string& key : fields.unread())
        if (std::none_of(ggufHarmless.begin(), ggufHarmless.end(),
                         [&](std::string_view known) { return key.starts_with(known); }))
            fields.refuse(ErrorCode::UnsupportedFeature, key,
                          "this hyperparameter is not known, and could change the numbers");
}

} // namespace

void refuseUnsupported(ConfigFields& fields, const ModelConfig& config)
{
    if (fields.isGguf())
        refuseGguf(fields, config);
    else
        refuseOtherThan(fields, jsonNeutral);
}

} // namespace engine
