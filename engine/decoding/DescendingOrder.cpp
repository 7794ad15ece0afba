#include "engine/decoding/DescendingOrder.h"

#include <algorithm>
#include <bit>

namespace engine {

namespace {

constexpr std::size_t bucketCount = 8192;

/// Eight buckets for each power of two: exponent and first three bits of the fraction. For numbers
/// that are not negative the bits are ordered as the numbers are, and equal numbers share a bucket.
std::size_t bucketOf(double value)
{
    return std::min<std::size_t>(std::bit_cast<std::uint64_t>(value) >> 49, bucketCount - 1);
}

} // namespace

DescendingOrder::DescendingOrder(std::span<const double> values) : m_values(values)
{
    constexpr std::size_t firstChunk = 256;
    m_bucketBound = bucketCount;
    m_chunkTarget = firstChunk;
    if (values.size() <= 4 * firstChunk) {
        m_chunkTarget = values.size();
        m_bucketCounts.assign(1, static_cast<std::uint32_t>(values.size()));
        return;
    }
    m_bucketCounts.assign(bucketCount, 0);
    for (const double value : values)
        ++m_bucketCounts[bucketOf(value)];
}

void DescendingOrder::sortNextChunk()
{
    m_chunk.clear();
    m_nextInChunk = 0;
    // With a single bucket (few values) all are sorted at once.
    const bool all = m_bucketCounts.size() == 1;
    std::size_t lowest = all ? 0 : m_bucketBound;
    for (std::size_t gathered = 0; lowest > 0 && gathered < m_chunkTarget;)
        gathered += m_bucketCounts[--lowest];
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const std::size_t bucket = bucketOf(m_values[i]);
        if (bucket >= lowest && bucket < m_bucketBound)
            m_chunk.push_back({m_values[i], static_cast<std::uint32_t>(i)});
    }
    std::sort(m_chunk.begin(), m_chunk.end(), [](const Entry& a, const Entry& b) {
        return a.value != b.value ? a.value > b.value : a.position < b.position;
    });
    m_bucketBound = lowest;
    m_chunkTarget *= 16;
}

std::optional<std::size_t> DescendingOrder::next()
{
    if (m_nextInChunk == m_chunk.size()) {
        if (m_bucketBound == 0)
            return std::nullopt;
        sortNextChunk();
        if (m_chunk.empty())
            return std::nullopt;
    }
    return m_chunk[m_nextInChunk++].position;
}

} // namespace engine
