#pragma once

#include "engine/api/Error.h"
#include "engine/api/Token.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace engine {

class ForwardState;
struct ModelConfig;
class ModelWeights;

/// The network: token ids in, one raw score for each token of the vocabulary out.
/// Immutable after loading; runs share it, each with a ForwardState of its own.
class Transformer
{
public:
    Transformer(ModelConfig config, ModelWeights weights);
    ~Transformer();
    Transformer(Transformer&&) noexcept;
    Transformer(const Transformer&) = delete;

    const ModelConfig& config() const;
    const ModelWeights& weights() const;

    /// An empty context with buffers and `threads` worker threads (>= 1) of its own.
    std::unique_ptr<ForwardState> newState(int threads) const;

    /// Reads `tokens` after those the state has already read and returns the logits that follow the
    /// last of them, shape [vocabularySize], unscaled. The result is equal to the bit for any
    /// number of threads and however the same tokens are cut into calls.
    /// Errors: InvalidArgument (no tokens, id outside the vocabulary); ContextFull when the tokens
    /// do not fit; Cancelled, checked once per layer. After an error the state is as it was before.
    /// Thread: const; one state belongs to one caller at a time.
    /// Source: Vaswani et al. 2017 (arXiv:1706.03762), block order of Touvron et al. 2023
    /// (arXiv:2302.13971) and Radford et al. 2019 (GPT-2).
    Result<std::vector<float>> forward(std::span<const TokenId> tokens, ForwardState& state,
                                       const std::stop_token& stop) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
