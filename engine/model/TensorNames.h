#pragma once

#include <string_view>

namespace engine {

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
    std::string_view attentionPostNorm; ///< of what the attention block adds
    std::string_view feedForwardNorm;
    std::string_view gateUp; ///< gate and up as one matrix, gate first
    std::string_view gate;
    std::string_view up;
    std::string_view down;
    std::string_view feedForwardPostNorm; ///< of what the feed-forward block adds
    std::string_view outputNorm;
    std::string_view output;
    bool inputRows = false; ///< matrices of the layers are stored [inputs, outputs]
    float normOffset = 0;   ///< added to the stored weights of norms
};

/// GGUF names its tensors alike for all architectures.
extern const TensorNames ggufNames;

// Hugging Face names, after the architecture that had them first.
extern const TensorNames llamaNames;
extern const TensorNames gpt2Names;
extern const TensorNames gptNeoXNames;
extern const TensorNames gemmaNames; ///< of Gemma 2 and 3
extern const TensorNames phi3Names;
extern const TensorNames olmo2Names;

} // namespace engine
