#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/ModelWeights.h"

#include <filesystem>
#include <memory>

namespace engine {

/// A model opened from disk: what a Transformer is made of, and where its tokenizer is.
struct ModelFile
{
    std::filesystem::path path; ///< the .gguf file (of a split model, a part), or the folder
    ModelConfig config;
    ModelWeights weights;
    std::shared_ptr<const GgufFile> gguf; ///< whose metadata holds the tokenizer; null for a folder
};

/// `path`: a .gguf file or any part of a split one, a Hugging Face folder, or a .safetensors file
/// inside one, which stands for its folder. Weights are memory-mapped, not copied. Errors: every
/// fault of the files, naming the file and what is wrong with it.
Result<ModelFile> openModel(const std::filesystem::path& path);

/// What is said about a model; `sha256` is left empty (see ModelWeights::fingerprint).
ModelInfo describe(const std::filesystem::path& path, const ModelConfig& config,
                   const ModelWeights& weights);

} // namespace engine
