#pragma once

#include "engine/model/KvCache.h"
#include "engine/model/ModelConfig.h"
#include "engine/tensor/Activations.h"
#include "engine/tensor/ThreadPool.h"

#include <cstdint>

namespace engine {

/// The new tokens of one forward pass: they stand at `position`, `position` + 1, ...
struct NewTokens
{
    std::int64_t position = 0;
    std::int64_t count = 0;
};

/// Causal attention of one layer: for each new token and query head,
/// out = sum_j softmax_j(attentionScale q . k_j) v_j over the positions j up to its own, of which a
/// layer with a window sees the last `window` only; soft-capped before the softmax where the model
/// says so. `q` and `out` are [tokens, heads * headDim] in their first columns, `q` in the order
/// `qkvOrder`; the keys and values of the new tokens are in the cache already. Query heads
/// [g * n, (g + 1) * n) share the keys of group g, with n = heads / kvHeads. Source: Vaswani et al.
/// 2017 (arXiv:1706.03762), Ainslie et al. 2023 (arXiv:2305.13245), Beltagy et al. 2020
/// (arXiv:2004.05150) for the window.
void attend(const ModelConfig& config, const KvCache& cache, int layer, const NewTokens& tokens,
            const Activations& q, Activations& out, ThreadPool& pool);

} // namespace engine
