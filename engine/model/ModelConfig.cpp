#include "engine/model/ModelConfig.h"

#include "engine/io/FileError.h"
#include "engine/model/ConfigFields.h"
#include "engine/model/RopeScaling.h"
#include "engine/tensor/Dequantize.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace engine {

namespace {

/// What holds whatever the file format: sizes that fit each other.
std::optional<Error> check(const ModelConfig& config, int rotaryDim,
                           const std::filesystem::path& path)
{
    const auto bad = [&](const std::string& message) {
        return fileError(ErrorCode::BadFormat, path, message);
    };
    if (config.heads % config.kvHeads != 0)
        return bad(
            "expected the number of heads to be a multiple of the number of key-value heads, "
            "found " +
            std::to_string(config.heads) + " and " + std::to_string(config.kvHeads));
    if (std::int64_t{config.heads} * config.headDim > std::numeric_limits<int>::max())
        return bad("heads times head size is too large: " + std::to_string(config.heads) +
                   " times " + std::to_string(config.headDim));
    if (config.architecture->rotary && (rotaryDim % 2 != 0 || rotaryDim > config.headDim))
        return bad("expected an even number of rotary dimensions up to the head size " +
                   std::to_string(config.headDim) + ", found " + std::to_string(rotaryDim));
    return std::nullopt;
}

Error slidingWindow(const ConfigFields& fields, std::string_view key, int window, int context)
{
    return fields.fault(ErrorCode::UnsupportedFeature, key,
                        "sliding-window attention is not supported: the window of " +
                            std::to_string(window) + " tokens is smaller than the context of " +
                            std::to_string(context));
}

Error unknownScaling(const ConfigFields& fields, std::string_view key, std::string_view type)
{
    return fields.fault(ErrorCode::UnsupportedFeature, key,
                        "RoPE scaling \"" + printable(type) +
                            "\" is not supported (supported: linear, llama3)");
}

/// GGUF: `rope.scaling.*`. Llama 3's own scaling comes as a tensor instead; see ropeFactors.
Result<RopeScaling> ggufScaling(ConfigFields& fields, const GgufFile& file,
                                const std::string& prefix)
{
    RopeScaling scaling;
    const std::string_view type = file.string(prefix + "rope.scaling.type").value_or("linear");
    if (type == "none")
        return scaling;
    if (type != "linear")
        return unknownScaling(fields, "rope.scaling.type", type);
    for (const std::string_view key : {"rope.scaling.factor", "rope.scale_linear"}) {
        if (!fields.has(key))
            continue;
        // A factor of 0 stands for "none".
        if (file.number(prefix + std::string(key)) == 0.0)
            return scaling;
        scaling.kind = RopeScaling::Kind::Linear;
        scaling.factor = fields.positive(key);
        return scaling;
    }
    return scaling;
}

/// Divides the frequencies by the factors of tensor rope_freqs, by which llama's GGUF files carry
/// Llama 3's scaling.
std::optional<Error> applyRopeFactors(const GgufFile& file, std::vector<double>& frequencies)
{
    const TensorView* tensor = file.tensor("rope_freqs.weight");
    if (tensor == nullptr)
        return std::nullopt;
    const Shape expected = {static_cast<std::int64_t>(frequencies.size())};
    const std::string where = "tensor rope_freqs.weight: ";
    if (tensor->shape != expected)
        return fileError(ErrorCode::BadShape, file.path(),
                         where + "expected shape " + toString(expected) + ", found " +
                             toString(tensor->shape));
    const std::vector<float> factors = toFloats(*tensor);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!std::isfinite(factors[i]) || factors[i] <= 0)
            return fileError(ErrorCode::BadFormat, file.path(),
                             where + "expected numbers above 0, found " +
                                 std::to_string(factors[i]));
        frequencies[i] /= static_cast<double>(factors[i]);
    }
    return std::nullopt;
}

/// Features that some files of a known architecture ask for and that would give wrong numbers if
/// they were passed over.
std::optional<Error> refuseGgufFeatures(ConfigFields& fields, const GgufFile& file,
                                        const std::string& prefix, int contextLength)
{
    if (const auto experts = file.integer(prefix + "expert_count"); experts && *experts > 0)
        return fields.fault(ErrorCode::UnsupportedFeature, "expert_count",
                            "mixture-of-experts models are not supported, found " +
                                std::to_string(*experts) + " experts");
    const auto window = file.integer(prefix + "attention.sliding_window");
    if (window && *window > 0 && *window < contextLength)
        return slidingWindow(fields, "attention.sliding_window", static_cast<int>(*window),
                             contextLength);
    const auto valueLength = file.integer(prefix + "attention.value_length");
    const auto keyLength = file.integer(prefix + "attention.key_length");
    if (valueLength && keyLength && *valueLength != *keyLength)
        return fields.fault(ErrorCode::UnsupportedFeature, "attention.value_length",
                            "values of another size than keys are not supported: found " +
                                std::to_string(*valueLength) + " and " +
                                std::to_string(*keyLength));
    return std::nullopt;
}

/// config.json: `rope_scaling`, or `rope_parameters` in newer files; null or absent is none.
Result<RopeScaling> jsonScaling(const ConfigFields& fields, JsonValue config,
                                const std::filesystem::path& path)
{
    RopeScaling scaling;
    const std::string key =
        config["rope_parameters"].isObject() ? "rope_parameters" : "rope_scaling";
    const JsonValue object = config[key];
    if (!object.isObject())
        return scaling;
    std::string_view type = "default";
    for (const std::string_view name : {"type", "rope_type"})
        type = object[name].string().value_or(type);
    if (type == "default")
        return scaling;
    if (type != "linear" && type != "llama3")
        return unknownScaling(fields, key, type);
    ConfigFields parameters(object, path.string() + ": " + key);
    scaling.kind = type == "linear" ? RopeScaling::Kind::Linear : RopeScaling::Kind::Llama3;
    scaling.factor = parameters.positive("factor");
    if (scaling.kind == RopeScaling::Kind::Llama3) {
        scaling.lowFrequencyFactor = parameters.positive("low_freq_factor");
        scaling.highFrequencyFactor = parameters.positive("high_freq_factor");
        scaling.originalContext = parameters.positive("original_max_position_embeddings");
        if (!parameters.error() && scaling.highFrequencyFactor <= scaling.lowFrequencyFactor)
            return parameters.fault(ErrorCode::BadFormat, "high_freq_factor",
                                    "expected more than low_freq_factor");
    }
    if (parameters.error())
        return *parameters.error();
    return scaling;
}

std::optional<Error> refuseJsonFeatures(const ConfigFields& fields, JsonValue json,
                                        const ModelConfig& config)
{
    const auto refuse = [&](std::string_view key, const std::string& message) {
        return fields.fault(ErrorCode::UnsupportedFeature, key, message);
    };
    if (json["quantization_config"].isObject())
        return refuse("quantization_config",
                      "quantized Hugging Face folders are not supported (method " +
                          printable(json["quantization_config"]["quant_method"].string().value_or(
                              "unknown")) +
                          "); use a GGUF file");
    const std::string_view activationKey = config.architecture->configNames->activation;
    const bool gelu = config.architecture->feedForward == FeedForwardKind::GeluTanh;
    const std::string_view expected = gelu ? "gelu_new" : "silu";
    const std::string_view activation = json[activationKey].string().value_or(expected);
    if (activation != expected && !(gelu && activation == "gelu_pytorch_tanh"))
        return refuse(activationKey, "expected \"" + std::string(expected) + "\", found \"" +
                                         printable(activation) + "\"");
    // Mistral uses its window unless it is null; the Qwen files name one that is switched off.
    const bool windowInUse =
        json["use_sliding_window"].boolean().value_or(json["model_type"].string() == "mistral");
    const auto window = json["sliding_window"].integer();
    if (windowInUse && window && *window < config.contextLength)
        return slidingWindow(fields, "sliding_window", static_cast<int>(*window),
                             config.contextLength);
    if (json["partial_rotary_factor"].number().value_or(1.0) != 1.0)
        return refuse("partial_rotary_factor", "heads that turn in part only are not supported");
    if (json["scale_attn_by_inverse_layer_idx"].boolean().value_or(false))
        return refuse("scale_attn_by_inverse_layer_idx", "expected false, found true");
    if (!json["scale_attn_weights"].boolean().value_or(true))
        return refuse("scale_attn_weights", "expected true, found false");
    return std::nullopt;
}

} // namespace

Result<ModelConfig> ModelConfig::read(const GgufFile& file)
{
    const std::string_view name = file.string("general.architecture").value_or("");
    ModelConfig config;
    config.architecture = findByGgufName(name);
    if (config.architecture == nullptr)
        return fileError(ErrorCode::UnknownArchitecture, file.path(),
                         "architecture \"" + printable(name) +
                             "\" is not supported (supported: " + knownGgufNames() + ")");
    const std::string prefix = std::string(name) + ".";
    ConfigFields fields(file, prefix);
    config.name = file.string("general.name").value_or("");
    config.width = fields.size("embedding_length");
    config.layers = fields.size("block_count");
    config.heads = fields.size("attention.head_count");
    config.kvHeads = fields.size("attention.head_count_kv", config.heads);
    config.headDim = fields.size("attention.key_length", std::max(1, config.width / config.heads));
    config.feedForwardWidth = fields.size("feed_forward_length");
    config.contextLength = fields.size("context_length");
    config.normEpsilon = fields.positive(config.architecture->norm == NormKind::Rms
                                             ? "attention.layer_norm_rms_epsilon"
                                             : "attention.layer_norm_epsilon");
    const int rotaryDim = fields.size("rope.dimension_count", config.headDim);
    const double theta = fields.positive("rope.freq_base", 10000.0);
    const TensorView* embedding = file.tensor("token_embd.weight");
    if (embedding == nullptr)
        return fileError(ErrorCode::MissingTensor, file.path(),
                         "tensor token_embd.weight is missing");
    if (embedding->shape.front() > std::numeric_limits<int>::max())
        return fileError(ErrorCode::BadShape, file.path(),
                         "tensor token_embd.weight: too many rows in shape " +
                             toString(embedding->shape));
    config.vocabularySize = static_cast<int>(embedding->shape.front());
    const Result<RopeScaling> scaling = ggufScaling(fields, file, prefix);
    if (!scaling)
        return scaling.error();
    if (fields.error())
        return *fields.error();
    if (auto error = check(config, rotaryDim, file.path()))
        return *error;
    if (auto error = refuseGgufFeatures(fields, file, prefix, config.contextLength))
        return *error;
    if (config.architecture->rotary) {
        config.ropePairs = config.architecture->ggufPairs;
        config.ropeFrequencies = engine::ropeFrequencies(theta, rotaryDim, *scaling);
        if (auto error = applyRopeFactors(file, config.ropeFrequencies))
            return *error;
    }
    return config;
}

Result<ModelConfig> ModelConfig::read(JsonValue json, const std::filesystem::path& path)
{
    const std::string_view type = json["model_type"].string().value_or("");
    ModelConfig config;
    config.architecture = findByModelType(type);
    // Where the weights came from: "owner/name", or a folder on the machine that saved them.
    config.name = std::filesystem::path(json["_name_or_path"].string().value_or("")).filename();
    if (config.architecture == nullptr)
        return fileError(ErrorCode::UnknownArchitecture, path,
                         "architecture \"" + printable(type) +
                             "\" is not supported (supported: " + knownModelTypes() + ")");
    const ConfigNames& names = *config.architecture->configNames;
    ConfigFields fields(json, path);
    config.vocabularySize = fields.size("vocab_size");
    config.width = fields.size(names.width);
    config.layers = fields.size(names.layers);
    config.heads = fields.size(names.heads);
    config.kvHeads = fields.size("num_key_value_heads", config.heads);
    config.headDim = fields.size("head_dim", std::max(1, config.width / config.heads));
    config.feedForwardWidth =
        names.feedForwardTimesWidth == 0
            ? fields.size(names.feedForwardWidth)
            : fields.size(names.feedForwardWidth, names.feedForwardTimesWidth * config.width);
    config.contextLength = fields.size(names.contextLength);
    config.normEpsilon = fields.positive(names.normEpsilon);
    config.tiedEmbeddings = json["tie_word_embeddings"].boolean();
    ConfigFields ropeFields(json["rope_parameters"].isObject() ? json["rope_parameters"] : json,
                            path);
    const double theta = ropeFields.positive("rope_theta", 10000.0);
    const Result<RopeScaling> scaling = jsonScaling(fields, json, path);
    if (!scaling)
        return scaling.error();
    for (const std::optional<Error>& error : {fields.error(), ropeFields.error()})
        if (error)
            return *error;
    if (auto error = check(config, config.headDim, path))
        return *error;
    if (auto error = refuseJsonFeatures(fields, json, config))
        return *error;
    if (config.architecture->rotary)
        config.ropeFrequencies = engine::ropeFrequencies(theta, config.headDim, *scaling);
    return config;
}

} // namespace engine
