#pragma once

#include "engine/tensor/VectorKernels.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engine {

/// Keys and values of one run: for each layer [position, kvWidth], in single precision.
///
/// Room is made in chunks of positions, so that a long context costs memory only as far as it is
/// used, and what is there never moves. Thread: one owner; rows of different positions may be
/// written, and those written before read, from several threads.
class KvCache
{
public:
    KvCache(int layers, int kvWidth);

    /// Makes room for `positions` positions in every layer.
    void reserve(std::int64_t positions);

    std::span<float> key(int layer, std::int64_t position);
    std::span<float> value(int layer, std::int64_t position);

    /// Positions that lie one behind the other in memory.
    static constexpr std::int64_t chunkPositions = 256;

    /// The keys, or values, of positions [begin, begin + count) from column `column` on; the range
    /// must lie in one chunk.
    VectorRows keys(int layer, std::int64_t begin, std::int64_t count, std::int64_t column) const;
    VectorRows values(int layer, std::int64_t begin, std::int64_t count, std::int64_t column) const;

    std::size_t bytes() const;

private:
    // Each chunk holds the keys of its positions and then their values.
    const float* row(int layer, std::int64_t position, bool value) const;

    std::int64_t m_kvWidth;
    std::vector<std::vector<std::unique_ptr<float[]>>> m_chunks; ///< [layer][chunk]
};

} // namespace engine
