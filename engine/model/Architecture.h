#pragma once

#include "engine/tensor/Ops.h"

#include <string>
#include <string_view>
#include <vector>

namespace engine {

enum class NormKind
{
    Rms,
    Layer,
};

enum class FeedForwardKind
{
    GatedSilu, ///< down(silu(gate(x)) * up(x))
    GeluTanh,  ///< down(gelu(up(x)))
};

/// Which linear layers must have a bias. Others take one where the file has it.
enum class RequiredBiases
{
    None,
    Qkv,
    All,
};

/// Names of the tensors without ".weight" and ".bias". Those of a layer come behind `layer`, where
/// '#' stands for its 0-based number. Empty: this format has no such tensor.
struct TensorNames
{
    std::string_view tokenEmbedding;
    std::string_view positionEmbedding;
    std::string_view layer;
    std::string_view attentionNorm;
    std::string_view qkv; ///< q, k and v as one matrix
    std::string_view q;
    std::string_view k;
    std::string_view v;
    std::string_view qNorm;
    std::string_view kNorm;
    std::string_view attentionOutput;
    std::string_view feedForwardNorm;
    std::string_view gate;
    std::string_view up;
    std::string_view down;
    std::string_view outputNorm;
    std::string_view output;
    bool inputRows = false; ///< matrices of the layers are stored [inputs, outputs]
};

/// Names of the fields of config.json.
struct ConfigNames
{
    std::string_view width;
    std::string_view layers;
    std::string_view heads;
    std::string_view feedForwardWidth;
    std::string_view contextLength;
    std::string_view normEpsilon;
    std::string_view activation;
    int feedForwardTimesWidth =
        0; ///< where feedForwardWidth is absent or null; 0: it must be there
};

/// What sets one architecture apart. To add one whose traits are all here, add an entry to the
/// table in Architecture.cpp.
struct Architecture
{
    std::string_view name; ///< in `general.architecture` of GGUF, and in what the program says
    std::vector<std::string_view> modelTypes; ///< in `model_type` of config.json
    NormKind norm;
    FeedForwardKind feedForward;
    RequiredBiases biases;
    bool rotary;         ///< else positions are learned embeddings
    bool fusedQkv;       ///< q, k and v are one matrix
    bool qkNorm;         ///< q and k are normalised for each head, before they turn
    RopePairs ggufPairs; ///< how GGUF files of it store the heads of q and k
    const TensorNames* huggingFaceNames;
    const ConfigNames* configNames;
};

/// GGUF names its tensors alike for all architectures.
extern const TensorNames ggufNames;

const Architecture* findByGgufName(std::string_view name);
const Architecture* findByModelType(std::string_view modelType);

std::string knownGgufNames(); ///< "gpt2, llama, ..."
std::string knownModelTypes();

} // namespace engine
