#include "engine/model/KvCache.h"

#include <cassert>

namespace engine {

KvCache::KvCache(int layers, int kvWidth)
    : m_kvWidth(kvWidth), m_chunks(static_cast<std::size_t>(layers))
{}

void KvCache::reserve(std::int64_t positions)
{
    const std::size_t count =
        static_cast<std::size_t>((positions + chunkPositions - 1) / chunkPositions);
    const std::size_t size = static_cast<std::size_t>(2 * chunkPositions * m_kvWidth);
    for (auto& chunks : m_chunks)
        while (chunks.size() < count)
            chunks.push_back(std::make_unique<float[]>(size));
}

const float* KvCache::row(int layer, std::int64_t position, bool value) const
{
    const auto& chunks = m_chunks[static_cast<std::size_t>(layer)];
    const float* chunk = chunks[static_cast<std::size_t>(position / chunkPositions)].get();
    const std::int64_t index = position % chunkPositions + (value ? chunkPositions : 0);
    return chunk + index * m_kvWidth;
}

std::span<float> KvCache::key(int layer, std::int64_t position)
{
    return {const_cast<float*>(row(layer, position, false)), static_cast<std::size_t>(m_kvWidth)};
}

std::span<float> KvCache::value(int layer, std::int64_t position)
{
    return {const_cast<float*>(row(layer, position, true)), static_cast<std::size_t>(m_kvWidth)};
}

VectorRows KvCache::keys(int layer, std::int64_t begin, std::int64_t count,
                         std::int64_t column) const
{
    assert(begin % chunkPositions + count <= chunkPositions);
    return {row(layer, begin, false) + column, m_kvWidth, count};
}

VectorRows KvCache::values(int layer, std::int64_t begin, std::int64_t count,
                           std::int64_t column) const
{
    assert(begin % chunkPositions + count <= chunkPositions);
    return {row(layer, begin, true) + column, m_kvWidth, count};
}

std::size_t KvCache::bytes() const
{
    std::size_t chunks = 0;
    for (const auto& layer : m_chunks)
        chunks += layer.size();
    return chunks * static_cast<std::size_t>(2 * chunkPositions * m_kvWidth) * sizeof(float);
}

} // namespace engine
