#pragma once

#include "engine/api/Error.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/TensorTable.h"
#include "engine/tensor/MatVec.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// y = W x + b; the matrix stays in the file, the bias (empty: none) is copied out.
struct Linear
{
    WeightMatrix weight;
    std::vector<float> bias;
};

struct Norm
{
    std::vector<float> weight;
    std::vector<float> bias; ///< empty: none
};

/// What an architecture does not have is empty.
struct LayerWeights
{
    std::optional<Norm> attentionNorm;
    std::vector<Linear> qkv;   ///< q, k, v; or one matrix of all, in ModelConfig::qkvOrder
    std::optional<Norm> qNorm; ///< [headDim] or [heads * headDim]
    std::optional<Norm> kNorm; ///< [headDim] or [kvHeads * headDim]
    Linear attentionOutput;
    std::optional<Norm> attentionPostNorm;
    std::optional<Norm> feedForwardNorm;
    std::optional<Linear> gate; ///< only of a gated feed-forward layer
    Linear up;
    Linear down;
    std::optional<Norm> feedForwardPostNorm;
};

/// What is said of a model's weights as a whole; only tensors that the network uses are counted.
struct WeightStatistics
{
    std::int64_t parameters = 0;
    std::int64_t bytes = 0;
    std::map<std::string, int> tensorTypes;               ///< type name to number of tensors
    std::map<std::string, std::int64_t> parametersOfType; ///< type name to number of parameters
    std::string mixture;                                  ///< see TensorTable::mixture
};

/// The tensors of each layer, found by their GGUF or Hugging Face names, shapes checked once.
/// Matrices are used where the mapped files have them; the files stay open as long as this lives.
/// Thread: const after load.
class ModelWeights
{
public:
    /// `names`: ggufNames, or those of the architecture's Hugging Face files.
    /// Errors: MissingTensor, BadShape, UnsupportedFeature (a tensor type), each naming file and
    /// tensor.
    static Result<ModelWeights> load(const ModelConfig& config, const TensorNames& names,
                                     TensorTable tensors);

    const TensorView& tokenEmbedding() const { return m_tokenEmbedding; } ///< [vocabulary, width]
    /// [contextLength, width]; null where positions turn q and k instead.
    const TensorView* positionEmbedding() const
    {
        return m_positionEmbedding ? &*m_positionEmbedding : nullptr;
    }
    const std::vector<LayerWeights>& layers() const { return m_layers; }
    const Norm& outputNorm() const { return m_outputNorm; }
    const Linear& output() const { return m_output; } ///< the token embedding again where tied

    const WeightStatistics& statistics() const { return m_statistics; }

    /// SHA-256, in hex. Of a GGUF file: of its bytes, as sha256sum prints it; of a split one, of
    /// the bytes of all parts in order, as `cat NAME-*.gguf | sha256sum` prints it. Of a folder: of
    /// the names, sizes and bytes of config.json and of each safetensors file in name order. Reads
    /// everything, so it takes seconds for a large model: `goOn` is asked before every megabyte
    /// with the number of bytes read so far. Nothing where it says no.
    std::optional<std::string>
    fingerprint(const std::function<bool(std::uint64_t bytesRead)>& goOn) const;
    std::string fingerprint() const; ///< without asking

    const std::vector<SourceFile>& sources() const { return m_tensors.sources(); }

private:
    friend class WeightLoader;
    explicit ModelWeights(TensorTable tensors) : m_tensors(std::move(tensors)) {}

    TensorTable m_tensors;
    TensorView m_tokenEmbedding;
    std::optional<TensorView> m_positionEmbedding;
    std::vector<LayerWeights> m_layers;
    Norm m_outputNorm;
    Linear m_output;
    WeightStatistics m_statistics;
};

} // namespace engine
