#include "engine/model/Attention.h"

#include "engine/tensor/VectorKernels.h"

#include <algorithm>
#include <vector>

namespace engine {

namespace {

struct Head
{
    std::span<const float> q;
    std::span<float> out;
    std::int64_t column; ///< of its keys and values in a row of the cache
};

/// Positions [begin, end).
struct Range
{
    std::int64_t begin;
    std::int64_t end;
};

/// Calls visit(begin, count) for the pieces of `range` that lie in one chunk of the cache each.
template <typename Visit>
void forEachChunk(const Range& range, Visit visit)
{
    constexpr std::int64_t size = KvCache::chunkPositions;
    for (std::int64_t begin = range.begin; begin < range.end;) {
        const std::int64_t count = std::min(size - begin % size, range.end - begin);
        visit(begin, count);
        begin += count;
    }
}

/// One head of one token that sees the positions of `seen`. `scores` has room for them.
void attendHead(const ModelConfig& config, const KvCache& cache, int layer, const Range& seen,
                const Head& head, std::span<float> scores)
{
    const float scale = static_cast<float>(config.attentionScale);
    forEachChunk(seen, [&](std::int64_t begin, std::int64_t count) {
        scoreKeys(head.q, cache.keys(layer, begin, count, head.column), scale,
                  scores.data() + (begin - seen.begin));
    });
    scores = scores.first(static_cast<std::size_t>(seen.end - seen.begin));
    if (config.attentionSoftCap > 0)
        softCap(scores, static_cast<float>(config.attentionSoftCap));
    softmaxInPlace(scores);
    std::fill(head.out.begin(), head.out.end(), 0.0F);
    forEachChunk(seen, [&](std::int64_t begin, std::int64_t count) {
        addWeighted(scores.data() + (begin - seen.begin),
                    cache.values(layer, begin, count, head.column), head.out);
    });
}

} // namespace

void attend(const ModelConfig& config, const KvCache& cache, int layer, const NewTokens& tokens,
            const Activations& q, Activations& out, ThreadPool& pool)
{
    const std::int64_t heads = config.heads;
    const std::int64_t headsPerGroup = config.heads / config.kvHeads;
    const std::size_t size = static_cast<std::size_t>(config.headDim);
    const std::size_t qStride = config.qkvOrder == QkvOrder::PerHead ? 3 * size : size;
    const std::int64_t window = config.plan[static_cast<std::size_t>(layer)].window;
    pool.parallelFor(tokens.count * heads, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(tokens.position + tokens.count));
        for (std::int64_t i = begin; i < end; ++i) {
            // Head by head, so that its keys and values stay in the cache for all tokens.
            const std::int64_t head = i / tokens.count;
            const std::int64_t token = i % tokens.count;
            const std::size_t index = static_cast<std::size_t>(head);
            const std::int64_t length = tokens.position + token + 1;
            const std::int64_t first = window > 0 ? std::max<std::int64_t>(0, length - window) : 0;
            attendHead(config, cache, layer, {first, length},
                       {q.row(token).subspan(index * qStride, size),
                        out.row(token).subspan(index * size, size),
                        head / headsPerGroup * config.headDim},
                       scores);
        }
    });
}

} // namespace engine
