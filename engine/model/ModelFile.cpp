#include "engine/model/ModelFile.h"

#include "engine/io/FileError.h"
#include "engine/io/GgufParts.h"
#include "engine/io/Json.h"

#include <algorithm>
#include <system_error>

namespace engine {

namespace {

Result<ModelFile> openGgufModel(const std::filesystem::path& path)
{
    const Result<std::shared_ptr<const GgufFile>> file = openGguf(path);
    if (!file)
        return file.error();
    Result<ModelConfig> config = ModelConfig::read(**file);
    if (!config)
        return config.error();
    Result<ModelWeights> weights = ModelWeights::load(*config, ggufNames, TensorTable::of(*file));
    if (!weights)
        return weights.error();
    return ModelFile{path, std::move(*config), std::move(*weights), *file};
}

Result<ModelFile> openFolder(const std::filesystem::path& folder)
{
    const std::filesystem::path configPath = folder / "config.json";
    Result<MappedFile> mapped = MappedFile::open(configPath);
    if (!mapped)
        return mapped.error();
    const auto configFile = std::make_shared<const MappedFile>(std::move(*mapped));
    const std::span<const std::byte> bytes = configFile->bytes();
    const Result<JsonDocument> json = JsonDocument::parse(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, configPath.string());
    if (!json)
        return json.error();
    Result<ModelConfig> config = ModelConfig::read(json->root(), configPath);
    if (!config)
        return config.error();
    Result<TensorTable> tensors = TensorTable::ofFolder(folder, configFile);
    if (!tensors)
        return tensors.error();
    Result<ModelWeights> weights =
        ModelWeights::load(*config, *config->architecture->huggingFaceNames, std::move(*tensors));
    if (!weights)
        return weights.error();
    return ModelFile{folder, std::move(*config), std::move(*weights), nullptr};
}

/// What people call this file's mixture of types: as the file says, if its tensors do not speak
/// against it; else the type that most weights have.
std::string quantizationName(const WeightStatistics& statistics)
{
    const auto most =
        std::max_element(statistics.parametersOfType.begin(), statistics.parametersOfType.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    // A mixture such as Q4_K_M may well have none of its namesake, where rows are no whole blocks
    // of it. But a file of one plain type has that type.
    const auto plain = [](const std::string& name) {
        return name == "F32" || name == "F16" || name == "BF16";
    };
    const bool believable = !plain(statistics.mixture) && !plain(most->first);
    return !statistics.mixture.empty() && believable ? statistics.mixture : most->first;
}

} // namespace

Result<ModelFile> openModel(const std::filesystem::path& path)
{
    std::error_code status;
    if (std::filesystem::is_directory(path, status))
        return openFolder(path);
    if (!std::filesystem::exists(path, status))
        return fileError(ErrorCode::FileNotFound, path, "no such file or folder");
    if (path.extension() == ".safetensors")
        return openFolder(path.has_parent_path() ? path.parent_path() : ".");
    return openGgufModel(path);
}

ModelInfo describe(const std::filesystem::path& path, const ModelConfig& config,
                   const ModelWeights& weights)
{
    const WeightStatistics& statistics = weights.statistics();
    ModelInfo info;
    info.name = config.name;
    if (info.name.empty()) { // "a/b/" ends in an empty name
        const std::filesystem::path named = path.has_filename() ? path : path.parent_path();
        // A folder such as "Llama-3.2-1B" has no extension to take off.
        const bool isFile = named.extension() == ".gguf" || named.extension() == ".safetensors";
        info.name = (isFile ? named.stem() : named.filename()).string();
    }
    info.architecture = config.architecture->name;
    info.path = path.string();
    info.parameters = statistics.parameters;
    info.bitsPerWeight =
        8.0 * static_cast<double>(statistics.bytes) / static_cast<double>(statistics.parameters);
    info.quantization = quantizationName(statistics);
    info.tensorTypes = statistics.tensorTypes;
    info.layers = config.layers;
    info.width = config.width;
    info.heads = config.heads;
    info.kvHeads = config.kvHeads;
    info.contextLength = config.contextLength;
    info.vocabularySize = config.vocabularySize;
    return info;
}

} // namespace engine
