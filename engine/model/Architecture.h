#pragma once

#include "engine/model/ConfigNames.h"
#include "engine/model/TensorNames.h"
#include "engine/tensor/Ops.h"

#include <string>
#include <string_view>
#include <vector>

namespace engine {

class ConfigFields;
struct ModelConfig;

enum class NormKind
{
    Rms,
    Layer,
};

/// Where a block (attention or feed-forward) is normalised: what it reads, what it adds, or both.
enum class NormPlacement
{
    Before,
    BeforeAndAfter,
    After,
};

enum class Activation
{
    Silu,
    GeluTanh,
    GeluErf,
};

/// Which linear layers must have a bias. Others take one where the file has it.
enum class RequiredBiases
{
    None,
    Qkv,
    All,
};

/// What of q and k is normalised as one, before they turn.
enum class QkNorm
{
    None,
    PerHead,
    FullWidth,
};

/// The order of the rows of a matrix that holds q, k and v.
enum class QkvOrder
{
    Blocks,  ///< q of all heads, then k, then v
    PerHead, ///< q, k and v of the first head, then those of the next
};

/// How the layers turn that see only a window of the context, where the model has others too.
enum class WindowedRope
{
    AsOthers,
    Unscaled, ///< with the base of the others, without their scaling
    OwnBase,  ///< with a base of their own, without scaling
};

/// What sets one architecture apart. To add one whose traits are all here, add an entry to the
/// table in Architecture.cpp.
struct Architecture
{
    std::string_view name;                    ///< in `general.architecture` of GGUF, and shown
    std::vector<std::string_view> modelTypes; ///< in `model_type` of config.json
    NormKind norm = NormKind::Rms;
    NormPlacement normPlacement = NormPlacement::Before;
    Activation activation = Activation::Silu; ///< where the file does not say
    bool gated = true;                        ///< feed-forward: down(activation(gate) * up)
    RequiredBiases biases = RequiredBiases::None;
    bool rotary = true;       ///< else positions are learned embeddings
    bool fusedQkv = false;    ///< q, k and v are one matrix
    bool fusedGateUp = false; ///< gate and up are one matrix
    QkNorm qkNorm = QkNorm::None;
    bool scaledEmbedding = false; ///< embeddings are multiplied by sqrt(width)
    /// Where there is a window, layer i (0-based) sees only that much unless (i + 1) is a multiple
    /// of this; 0: every layer does. Files may say otherwise.
    int windowPeriod = 0;
    /// Those of `modelTypes` whose config.json means `sliding_window` without saying so elsewhere.
    std::vector<std::string_view> windowedTypes = {};
    WindowedRope windowedRope = WindowedRope::AsOthers;
    RopePairs ggufPairs = RopePairs::Halves; ///< how GGUF files store the heads of q and k
    QkvOrder huggingFaceQkv = QkvOrder::Blocks;
    const TensorNames* huggingFaceNames = &llamaNames;
    const ConfigNames* configNames = &llamaConfig;
    /// Reads what only this architecture has, after everything else is read; faults are kept in
    /// the fields. One small file in engine/model/architectures each; null where there is nothing.
    void (*readDetails)(ConfigFields& fields, ModelConfig& config) = nullptr;
};

const Architecture* findByGgufName(std::string_view name);
const Architecture* findByModelType(std::string_view modelType);

std::string knownGgufNames(); ///< "gpt2, llama, ..."
std::string knownModelTypes();

} // namespace engine
