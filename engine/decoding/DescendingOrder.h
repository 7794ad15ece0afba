#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Hands out the positions of probabilities from the largest down, among equals the earlier first,
/// and sorts only as far as it is asked. A draw or a top-p seldom looks at more than a few hundred
/// of a vocabulary, so this takes a few passes over it where a full sort would take tens. The
/// values, which must outlive this, are in [0, 1].
class DescendingOrder
{
public:
    explicit DescendingOrder(std::span<const double> values);

    /// Nothing once all have been handed out.
    std::optional<std::size_t> next();

private:
    struct Entry
    {
        double value;
        std::uint32_t position;
    };

    void sortNextChunk();

    std::span<const double> m_values;
    std::vector<std::uint32_t> m_bucketCounts; ///< values in each bucket; a higher bucket is larger
    std::size_t m_bucketBound = 0;             ///< buckets from here up have been sorted
    std::size_t m_chunkTarget = 0;
    std::vector<Entry> m_chunk;
    std::size_t m_nextInChunk = 0;
};

} // namespace engine
