#include "engine/model/RopeConfig.h"

#include "engine/io/FileError.h"
#include "engine/model/ConfigNames.h"
#include "engine/tensor/Dequantize.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine {

namespace {

using Kind = RopeScaling::Kind;

/// How much longer YaRN makes vectors; `weight` is mscale where a file gives one.
/// Source: Peng et al. 2023 (arXiv:2309.00071), equation 22.
double yarnLengthening(double factor, double weight)
{
    return factor > 1 ? 0.1 * weight * std::log(factor) + 1 : 1;
}

/// Source: Ding et al. 2024 (arXiv:2402.13753), and Phi-3's model card.
double longRopeLengthening(double factor, double originalContext)
{
    return factor > 1 ? std::sqrt(1 + std::log(factor) / std::log(originalContext)) : 1;
}

void refuseKind(ConfigFields& fields, std::string_view key, std::string_view type)
{
    fields.refuse(ErrorCode::UnsupportedFeature, key,
                  "RoPE scaling \"" + printable(type) +
                      "\" is not supported (supported: linear, llama3, yarn, longrope)");
}

/// What is wrong with the factors of the pairs; empty: nothing.
std::string faultOf(const std::vector<double>& factors, int rotaryDim)
{
    const std::size_t pairs = static_cast<std::size_t>(rotaryDim) / 2;
    if (factors.size() != pairs)
        return "expected " + std::to_string(pairs) + " numbers, one for each pair, found " +
               std::to_string(factors.size());
    for (const double factor : factors)
        if (!std::isfinite(factor) || factor <= 0)
            return "expected numbers above 0, found " + std::to_string(factor);
    return "";
}

// ---- GGUF

/// The numbers of a tensor of one dimension that holds a factor for each pair; none after a fault.
std::vector<double> tensorFactors(ConfigFields& fields, const std::string& name, int rotaryDim)
{
    const TensorView* tensor = fields.gguf()->tensor(name);
    const std::string where = "tensor " + name;
    if (tensor == nullptr) {
        fields.refuse(ErrorCode::MissingTensor, where + " is missing");
        return {};
    }
    const Shape expected = {rotaryDim / 2};
    if (tensor->shape != expected) {
        fields.refuse(ErrorCode::BadShape, where + ": expected shape " + toString(expected) +
                                               ", found " + toString(tensor->shape));
        return {};
    }
    const std::vector<float> values = toFloats(*tensor);
    std::vector<double> factors(values.begin(), values.end());
    const std::string fault = faultOf(factors, rotaryDim);
    if (fault.empty())
        return factors;
    fields.refuse(ErrorCode::BadFormat, where + ": " + fault);
    return {};
}

void readGgufYarn(ConfigFields& fields, RopeScaling& scaling)
{
    scaling.factor = fields.positive("rope.scaling.factor");
    scaling.betaFast = fields.positive("rope.scaling.yarn_beta_fast", 32);
    scaling.betaSlow = fields.positive("rope.scaling.yarn_beta_slow", 1);
    scaling.attentionFactor *= yarnLengthening(scaling.factor, 1);
    // Readers of these files do not agree on what they mean.
    for (const auto& [key, usual] : {std::pair("rope.scaling.yarn_ext_factor", 1.0),
                                     std::pair("rope.scaling.yarn_attn_factor", 1.0),
                                     std::pair("rope.scaling.yarn_log_multiplier", 0.0)}) {
        const std::optional<double> value = fields.number(key);
        if (value && *value != usual)
            fields.refuse(ErrorCode::UnsupportedFeature, key,
                          "expected " + std::to_string(usual) + ", found " +
                              std::to_string(*value) + "; other values are not supported");
    }
}

/// `rope.scaling.*`. Llama 3's own scaling comes as a tensor instead; see applyRopeFactors.
RopeScaling ggufScaling(ConfigFields& fields, int rotaryDim, int contextLength)
{
    RopeScaling scaling;
    scaling.attentionFactor = fields.positive("rope.scaling.attn_factor", 1);
    scaling.originalContext = fields.size("rope.scaling.original_context_length", contextLength);
    const std::string_view type = fields.text("rope.scaling.type").value_or("linear");
    const bool hasFactors = fields.gguf()->tensor("rope_factors_long.weight") != nullptr ||
                            fields.gguf()->tensor("rope_factors_short.weight") != nullptr;
    if (type == "longrope" || hasFactors) { // older files have the tensors and no type
        scaling.kind = Kind::LongRope;
        scaling.longFactors = tensorFactors(fields, "rope_factors_long.weight", rotaryDim);
        scaling.shortFactors = tensorFactors(fields, "rope_factors_short.weight", rotaryDim);
    } else if (type == "yarn") {
        scaling.kind = Kind::Yarn;
        readGgufYarn(fields, scaling);
    } else if (type == "linear") {
        for (const std::string_view key : {"rope.scaling.factor", "rope.scale_linear"}) {
            if (!fields.has(key))
                continue;
            if (fields.number(key) == 0.0) // stands for "none"
                break;
            scaling.kind = Kind::Linear;
            scaling.factor = fields.positive(key);
            break;
        }
    } else if (type != "none") {
        refuseKind(fields, "rope.scaling.type", type);
    }
    return scaling;
}

// ---- config.json

/// The members that say something of scaling, all of which are understood.
constexpr std::array knownMembers = {"rope_type",       "type",
                                     "rope_theta",      "partial_rotary_factor",
                                     "factor",          "original_max_position_embeddings",
                                     "low_freq_factor", "high_freq_factor",
                                     "beta_fast",       "beta_slow",
                                     "truncate",        "mscale",
                                     "mscale_all_dim",  "attention_factor",
                                     "short_factor",    "long_factor",
                                     "finetuned"};

void refuseUnknownMembers(ConfigFields& fields, std::string_view key, JsonValue object)
{
    object.forEachMember([&](std::string_view member, JsonValue value) {
        if (std::count(knownMembers.begin(), knownMembers.end(), member) == 0 && !value.isNull())
            fields.refuse(ErrorCode::UnsupportedFeature, key,
                          "member \"" + printable(member) + "\" is not supported");
    });
}

void readLlama3(ConfigFields& members, RopeScaling& scaling)
{
    scaling.factor = members.positive("factor");
    scaling.lowFrequencyFactor = members.positive("low_freq_factor");
    scaling.highFrequencyFactor = members.positive("high_freq_factor");
    scaling.originalContext = members.size("original_max_position_embeddings");
    if (!members.error() && scaling.highFrequencyFactor <= scaling.lowFrequencyFactor)
        members.refuse(ErrorCode::BadFormat, "high_freq_factor",
                       "expected more than low_freq_factor, found " +
                           std::to_string(scaling.highFrequencyFactor) + " and " +
                           std::to_string(scaling.lowFrequencyFactor));
}

void readYarn(ConfigFields& members, RopeScaling& scaling, int contextLength)
{
    scaling.originalContext = members.size("original_max_position_embeddings", contextLength);
    scaling.factor = members.has("original_max_position_embeddings")
                         ? members.positive("factor", contextLength / scaling.originalContext)
                         : members.positive("factor");
    scaling.betaFast = members.positive("beta_fast", 32);
    scaling.betaSlow = members.positive("beta_slow", 1);
    scaling.wholePairs = members.boolean("truncate", true);
    const double mscale = members.number("mscale").value_or(0);
    const double mscaleAll = members.number("mscale_all_dim").value_or(0);
    const double usual =
        mscale != 0 && mscaleAll != 0
            ? yarnLengthening(scaling.factor, mscale) / yarnLengthening(scaling.factor, mscaleAll)
            : yarnLengthening(scaling.factor, 1);
    scaling.attentionFactor = members.positive("attention_factor", usual);
}

/// `outer` may hold the original context, as Phi-3's files have it.
void readLongRope(ConfigFields& members, ConfigFields& outer, RopeScaling& scaling, int rotaryDim,
                  int contextLength)
{
    const std::string_view key = "original_max_position_embeddings";
    const bool given = outer.has(key) || members.has(key);
    scaling.originalContext = outer.has(key) ? outer.size(key) : members.size(key, contextLength);
    scaling.factor = given ? contextLength / scaling.originalContext : members.positive("factor");
    scaling.attentionFactor = members.positive(
        "attention_factor", longRopeLengthening(scaling.factor, scaling.originalContext));
    for (auto [factors, name] : {std::pair(&scaling.shortFactors, "short_factor"),
                                 std::pair(&scaling.longFactors, "long_factor")}) {
        *factors = members.numbers(name).value_or(std::vector<double>());
        const std::string fault = faultOf(*factors, rotaryDim);
        if (!fault.empty())
            members.refuse(ErrorCode::BadFormat, name, fault);
    }
}

RopeScaling jsonScaling(ConfigFields& fields, const std::string& key, JsonValue object,
                        int rotaryDim, int contextLength)
{
    RopeScaling scaling;
    if (!object.isObject())
        return scaling;
    ConfigFields members(object, fields.path().string() + ": " + key);
    std::string_view type = "default";
    for (const std::string_view name : {"type", "rope_type"})
        type = object[name].string().value_or(type);
    refuseUnknownMembers(fields, key, object);
    if (type == "linear") {
        scaling.kind = Kind::Linear;
        scaling.factor = members.positive("factor");
    } else if (type == "llama3") {
        scaling.kind = Kind::Llama3;
        readLlama3(members, scaling);
    } else if (type == "longrope" || type == "su" || object["long_factor"].isArray()) {
        scaling.kind = Kind::LongRope; // "su", and once "yarn", in Phi-3's first files
        readLongRope(members, fields, scaling, rotaryDim, contextLength);
    } else if (type == "yarn") {
        scaling.kind = Kind::Yarn;
        readYarn(members, scaling, contextLength);
    } else if (type != "default") {
        refuseKind(fields, key, type);
    }
    fields.take(members);
    return scaling;
}

/// Newer files hold everything in `rope_parameters`, some of them for each kind of layer.
RopeConfig readJson(ConfigFields& fields, const ConfigNames& names, int headDim, int contextLength)
{
    RopeConfig rope;
    std::string key =
        fields.json("rope_parameters").isObject() ? "rope_parameters" : "rope_scaling";
    JsonValue object = fields.json(key);
    rope.windowedTheta = fields.positive("rope_local_base_freq", 10000);
    if (object["full_attention"].isObject()) {
        const std::string windowedKey = key + ": sliding_attention";
        const JsonValue windowed = object["sliding_attention"];
        ConfigFields members(windowed, fields.path().string() + ": " + windowedKey);
        rope.windowedTheta = members.positive("rope_theta", rope.windowedTheta);
        rope.windowedGiven = true;
        fields.take(members);
        if (jsonScaling(fields, windowedKey, windowed, headDim, contextLength).kind != Kind::None)
            fields.refuse(ErrorCode::UnsupportedFeature, windowedKey,
                          "scaling of layers with a window is not supported");
        object = object["full_attention"];
        key += ": full_attention";
    }
    ConfigFields members(object, fields.path().string() + ": " + key);
    const double theta =
        fields.positive(names.ropeTheta, fields.positive("rope_theta", names.ropeThetaFallback));
    rope.theta = members.positive("rope_theta", theta);
    const double fraction =
        names.rotaryFraction.empty()
            ? 1
            : members.positive("partial_rotary_factor",
                               fields.positive(names.rotaryFraction, names.rotaryFractionFallback));
    rope.rotaryDim = static_cast<int>(std::min(fraction, 2.0) * headDim); // 2: for the message
    fields.take(members);
    if (names.rotaryFraction.empty() && members.number("partial_rotary_factor").value_or(1) != 1)
        fields.refuse(ErrorCode::UnsupportedFeature, key,
                      "partial_rotary_factor: heads that turn in part are not supported here");
    rope.scaling = jsonScaling(fields, key, object, rope.rotaryDim, contextLength);
    return rope;
}

} // namespace

RopeConfig readRopeConfig(ConfigFields& fields, const ConfigNames& names, int headDim,
                          int contextLength)
{
    if (!fields.isGguf())
        return readJson(fields, names, headDim, contextLength);
    RopeConfig rope;
    rope.theta = fields.positive("rope.freq_base", 10000);
    rope.windowedTheta = fields.positive("rope.freq_base_swa", 10000);
    rope.rotaryDim = fields.size("rope.dimension_count", headDim);
    rope.scaling = ggufScaling(fields, rope.rotaryDim, contextLength);
    return rope;
}

void applyRopeFactors(ConfigFields& fields, std::vector<double>& frequencies)
{
    if (!fields.isGguf() || fields.gguf()->tensor("rope_freqs.weight") == nullptr)
        return;
    const std::vector<double> factors =
        tensorFactors(fields, "rope_freqs.weight", static_cast<int>(2 * frequencies.size()));
    for (std::size_t i = 0; i < factors.size(); ++i)
        frequencies[i] /= factors[i];
}

} // namespace engine
