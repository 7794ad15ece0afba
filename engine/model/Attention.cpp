#include "engine/model/Attention.h"

#include "engine/tensor/VectorKernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace engine {

namespace {

struct Head
{
    std::span<const float> q;
    std::span<float> out;
    std::int64_t column; ///< of its keys and values in a row of the cache
};

/// One head of one token that sees positions [0, length). `scores` has room for them.
void attendHead(const KvCache& cache, int layer, std::int64_t length, const Head& head,
                std::span<float> scores)
{
    const float scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(head.q.size())));
    for (std::int64_t j = 0; j < length; j += KvCache::chunkPositions) {
        const std::int64_t count = std::min(KvCache::chunkPositions, length - j);
        scoreKeys(head.q, cache.keys(layer, j, count, head.column), scale, scores.data() + j);
    }
    softmaxInPlace(scores.first(static_cast<std::size_t>(length)));
    std::fill(head.out.begin(), head.out.end(), 0.0F);
    for (std::int64_t j = 0; j < length; j += KvCache::chunkPositions) {
        const std::int64_t count = std::min(KvCache::chunkPositions, length - j);
        addWeighted(scores.data() + j, cache.values(layer, j, count, head.column), head.out);
    }
}

} // namespace

void attend(const ModelConfig& config, const KvCache& cache, int layer, const NewTokens& tokens,
            const Activations& q, Activations& out, ThreadPool& pool)
{
    const std::int64_t heads = config.heads;
    const std::int64_t headsPerGroup = config.heads / config.kvHeads;
    const std::size_t size = static_cast<std::size_t>(config.headDim);
    pool.parallelFor(tokens.count * heads, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(tokens.position + tokens.count));
        for (std::int64_t i = begin; i < end; ++i) {
            // Head by head, so that its keys and values stay in the cache for all tokens.
            const std::int64_t head = i / tokens.count;
            const std::int64_t token = i % tokens.count;
            const std::size_t column = static_cast<std::size_t>(head) * size;
            attendHead(cache, layer, tokens.position + token + 1,
                       {q.row(token).subspan(column, size), out.row(token).subspan(column, size),
                        head / headsPerGroup * config.headDim},
                       scores);
        }
    });
}

} // namespace engine
