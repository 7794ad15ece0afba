#include "engine/model/ModelConfig.h"

#include "engine/io/FileError.h"
#include "engine/model/ConfigFields.h"
#include "engine/model/LayerPlan.h"
#include "engine/model/RefusedFeatures.h"
#include "engine/model/RopeConfig.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace engine {

namespace {

/// What holds whatever the file format: sizes that fit each other.
void checkSizes(ConfigFields& fields, const ModelConfig& config)
{
    constexpr int mostLayers = 1 << 16; // far above any model's; something is kept for each
    if (config.layers > mostLayers)
        fields.refuse(ErrorCode::BadFormat, "expected up to " + std::to_string(mostLayers) +
                                                " layers, found " + std::to_string(config.layers));
    if (config.heads % config.kvHeads != 0)
        fields.refuse(
            ErrorCode::BadFormat,
            "expected the number of heads to be a multiple of the number of key-value heads, "
            "found " +
                std::to_string(config.heads) + " and " + std::to_string(config.kvHeads));
    if (std::int64_t{config.heads} * config.headDim > std::numeric_limits<int>::max())
        fields.refuse(ErrorCode::BadFormat,
                      "heads times head size is too large: " + std::to_string(config.heads) +
                          " times " + std::to_string(config.headDim));
    constexpr int largestHead = 1 << 16;
    if (config.headDim > largestHead)
        fields.refuse(ErrorCode::BadFormat, "expected a head size up to " +
                                                std::to_string(largestHead) + ", found " +
                                                std::to_string(config.headDim));
    if (2LL * config.feedForwardWidth > std::numeric_limits<int>::max())
        fields.refuse(ErrorCode::BadFormat, "the feed-forward width is too large: " +
                                                std::to_string(config.feedForwardWidth));
}

void checkRotary(ConfigFields& fields, const ModelConfig& config, int rotaryDim)
{
    if (config.architecture->rotary &&
        (rotaryDim < 2 || rotaryDim % 2 != 0 || rotaryDim > config.headDim))
        fields.refuse(ErrorCode::BadFormat,
                      "expected an even number of rotary dimensions up to the head size " +
                          std::to_string(config.headDim) + ", found " + std::to_string(rotaryDim));
}

int sizeOr(ConfigFields& fields, std::string_view key, int fallback)
{
    return fallback > 0 ? fields.size(key, fallback) : fields.size(key);
}

void readSizes(ConfigFields& fields, const ConfigNames& names, ModelConfig& config)
{
    config.width = fields.size(names.width);
    config.layers = fields.size(names.layers);
    config.heads = sizeOr(fields, names.heads, names.headsFallback);
    config.kvHeads = fields.size(names.kvHeads,
                                 names.kvHeadsFallback > 0 ? names.kvHeadsFallback : config.heads);
    config.headDim = fields.size(names.headDim, names.headDimFallback > 0
                                                    ? names.headDimFallback
                                                    : std::max(1, config.width / config.heads));
    config.feedForwardWidth =
        sizeOr(fields, names.feedForwardWidth, names.feedForwardTimesWidth * config.width);
    config.contextLength = sizeOr(fields, names.contextLength, names.contextLengthFallback);
    const std::string_view epsilon =
        config.architecture->norm == NormKind::Rms ? names.rmsNormEpsilon : names.layerNormEpsilon;
    config.normEpsilon = names.normEpsilonFallback > 0
                             ? fields.positive(epsilon, names.normEpsilonFallback)
                             : fields.positive(epsilon);
    config.attentionScale = 1 / std::sqrt(static_cast<double>(config.headDim));
    checkSizes(fields, config);
}

struct ActivationName
{
    std::string_view name;
    Activation activation;
};

// The names of Hugging Face's transformers. "gelu_fast" is the tanh form, computed otherwise.
constexpr std::array activationNames = {
    ActivationName{"silu", Activation::Silu},
    ActivationName{"swish", Activation::Silu},
    ActivationName{"gelu", Activation::GeluErf},
    ActivationName{"gelu_new", Activation::GeluTanh},
    ActivationName{"gelu_fast", Activation::GeluTanh},
    ActivationName{"gelu_pytorch_tanh", Activation::GeluTanh},
};

void readActivation(ConfigFields& fields, const ConfigNames& names, ModelConfig& config)
{
    config.activation = config.architecture->activation;
    if (!fields.has(names.activation))
        return;
    const std::string_view name = fields.text(names.activation).value_or("");
    const auto* found =
        std::find_if(activationNames.begin(), activationNames.end(),
                     [&](const ActivationName& known) { return known.name == name; });
    std::string known;
    for (const ActivationName& each : activationNames)
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    if (found == activationNames.end() ||
        (found->activation == Activation::Silu && !config.architecture->gated))
        fields.refuse(ErrorCode::UnsupportedFeature, names.activation,
                      "activation \"" + printable(name) +
                          "\" is not supported (supported: " + known + ")");
    else
        config.activation = found->activation;
}

/// All that is read alike from both formats, once the vocabulary's size is known.
std::optional<Error> readFields(ConfigFields& fields, const ConfigNames& names, ModelConfig& config)
{
    readSizes(fields, names, config);
    readActivation(fields, names, config);
    if (fields.error())
        return fields.error();
    const RopeConfig rope = readRopeConfig(fields, names, config.headDim, config.contextLength);
    checkRotary(fields, config, rope.rotaryDim);
    if (fields.error())
        return fields.error();
    planLayers(fields, names, rope, config);
    if (config.architecture->readDetails != nullptr && !fields.error())
        config.architecture->readDetails(fields, config);
    return fields.error();
}

Error unknownArchitecture(const std::filesystem::path& path, std::string_view name,
                          const std::string& known)
{
    return fileError(ErrorCode::UnknownArchitecture, path,
                     "architecture \"" + printable(name) +
                         "\" is not supported (supported: " + known + ")");
}

/// The object that describes the network for text: `config`, or a part of it.
Result<JsonValue> textPart(JsonValue config, const Architecture& architecture,
                           const std::filesystem::path& path)
{
    const JsonValue text = config["text_config"];
    if (!text.isObject())
        return config;
    const std::optional<std::string_view> type = text["model_type"].string();
    if (type && findByModelType(*type) != &architecture)
        return unknownArchitecture(path, *type, knownModelTypes());
    return text;
}

} // namespace

Result<ModelConfig> ModelConfig::read(const GgufFile& file)
{
    const std::string_view name = file.string("general.architecture").value_or("");
    ModelConfig config;
    config.architecture = findByGgufName(name);
    if (config.architecture == nullptr)
        return unknownArchitecture(file.path(), name, knownGgufNames());
    ConfigFields fields(file, std::string(name) + ".");
    config.name = file.string("general.name").value_or("");
    config.ropePairs = config.architecture->ggufPairs;
    const TensorView* embedding = file.tensor("token_embd.weight");
    if (auto error = readFields(fields, ggufConfig, config))
        return *error;
    if (fields.number("attention.scale").value_or(0) != 0) // 0: none of its own
        config.attentionScale = fields.positive("attention.scale");
    if (embedding == nullptr)
        return fileError(ErrorCode::MissingTensor, file.path(),
                         "tensor token_embd.weight is missing");
    if (embedding->shape.front() > std::numeric_limits<int>::max())
        return fileError(ErrorCode::BadShape, file.path(),
                         "tensor token_embd.weight: too many rows in shape " +
                             toString(embedding->shape));
    config.vocabularySize = static_cast<int>(embedding->shape.front());
    refuseUnsupported(fields, config);
    if (fields.error())
        return *fields.error();
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
        return unknownArchitecture(path, type, knownModelTypes());
    const Result<JsonValue> text = textPart(json, *config.architecture, path);
    if (!text)
        return text.error();
    const ConfigNames& names = *config.architecture->configNames;
    ConfigFields whole(json, path);
    if (json["quantization_config"].isObject())
        whole.refuse(ErrorCode::UnsupportedFeature, "quantization_config",
                     "quantized Hugging Face folders are not supported (method " +
                         printable(json["quantization_config"]["quant_method"].string().value_or(
                             "unknown")) +
                         "); use a GGUF file");
    if (whole.error())
        return *whole.error();
    ConfigFields fields(*text, path);
    config.qkvOrder = config.architecture->huggingFaceQkv;
    config.vocabularySize = sizeOr(fields, names.vocabularySize, names.vocabularySizeFallback);
    config.attentionBias = fields.boolean("attention_bias");
    config.feedForwardBias = fields.boolean("mlp_bias");
    config.tiedEmbeddings = fields.boolean("tie_word_embeddings");
    if (!config.tiedEmbeddings)
        config.tiedEmbeddings = whole.boolean("tie_word_embeddings");
    if (auto error = readFields(fields, names, config))
        return *error;
    refuseUnsupported(fields, config);
    if (fields.error())
        return *fields.error();
    return config;
}

} // namespace engine
