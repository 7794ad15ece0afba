#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"
#include "engine/model/Architecture.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// The hyperparameters of a model, from a GGUF file or a config.json, checked once: whoever holds
/// one may rely on every size being at least 1 and on heads being a multiple of kvHeads.
struct ModelConfig
{
    const Architecture* architecture = nullptr; ///< never null once read
    std::string name; ///< what the file calls the model; empty where it does not say
    int vocabularySize = 0;
    int width = 0; ///< of the residual stream
    int layers = 0;
    int heads = 0;
    int kvHeads = 0; ///< groups of heads / kvHeads query heads share keys and values
    int headDim = 0;
    int feedForwardWidth = 0;
    int contextLength = 0;
    double normEpsilon = 0;
    RopePairs ropePairs = RopePairs::Halves;
    /// Radians for each position, one for each pair of a head that turns; scaling is already in
    /// them. Empty where positions are learned embeddings.
    std::vector<double> ropeFrequencies;
    std::optional<bool> tiedEmbeddings; ///< nothing: the file leaves it to whether a head is there

    int queryWidth() const { return heads * headDim; }
    int kvWidth() const { return kvHeads * headDim; }

    /// Errors: UnknownArchitecture, UnsupportedFeature, BadFormat (names the key), MissingTensor.
    /// Source of the keys: the GGUF specification (ggml/docs/gguf.md).
    static Result<ModelConfig> read(const GgufFile& file);

    /// `path` is that of the config.json, for messages. Errors: as above.
    static Result<ModelConfig> read(JsonValue config, const std::filesystem::path& path);
};

} // namespace engine
