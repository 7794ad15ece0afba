#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"
#include "engine/model/Architecture.h"
#include "engine/model/RopeScaling.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// What sets one layer apart from the others.
struct LayerPlan
{
    static constexpr int noRope = -1;

    int window = 0; ///< tokens it sees, its own the last of them; 0: all before it
    int rope = 0;   ///< into ModelConfig::ropes; or noRope
};

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
    Activation activation = Activation::Silu;
    bool parallelResidual = false; ///< both blocks of a layer read the same x
    double attentionScale = 0;     ///< of q . k
    double attentionSoftCap = 0;   ///< scores s become cap * tanh(s / cap); 0: they stay
    double logitSoftCap = 0;       ///< the same of the logits
    RopePairs ropePairs = RopePairs::Halves;
    QkvOrder qkvOrder = QkvOrder::Blocks;
    std::vector<Rope> ropes;     ///< empty where positions are learned embeddings
    std::vector<LayerPlan> plan; ///< one for each layer
    /// Contexts longer than this turn by Rope::longFrequencies; 0: there are none.
    int shortContext = 0;
    std::optional<bool> attentionBias;   ///< nothing: as the architecture and the tensors have it
    std::optional<bool> feedForwardBias; ///< the same
    std::optional<bool> tiedEmbeddings;  ///< nothing: the file leaves it to whether a head is there

    int queryWidth() const { return heads * headDim; }
    int kvWidth() const { return kvHeads * headDim; }

    /// Errors: UnknownArchitecture, UnsupportedFeature, BadFormat (names the key), MissingTensor.
    /// Source of the keys: the GGUF specification (ggml/docs/gguf.md).
    static Result<ModelConfig> read(const GgufFile& file);

    /// `path` is that of the config.json, for messages. Of a model that also sees pictures the part
    /// for text is read (`text_config`). Errors: as above.
    static Result<ModelConfig> read(JsonValue config, const std::filesystem::path& path);
};

} // namespace engine
