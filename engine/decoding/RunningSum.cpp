#include "engine/decoding/RunningSum.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace engine {

namespace {

// For numbers that are not negative the bits are ordered as the numbers are, so a bucket takes
// those that share their first bits: the sign (0), exponent and first three bits of the fraction,
// then 13 bits more at each level below.
constexpr int bitsPerLevel = 13;
constexpr std::size_t bucketCount = std::size_t{1} << bitsPerLevel;
constexpr int firstShift = 49;
constexpr std::size_t sortedAtOnce = 1024;

struct Entry
{
    double value;
    std::uint32_t position;
};

std::size_t bucketOf(double value, int shift)
{
    return (std::bit_cast<std::uint64_t>(value) >> shift) & (bucketCount - 1);
}

class Search
{
public:
    Search(double bound, Bound kind) : m_bound(bound), m_kind(kind) {}

    /// Goes on from the sum so far. `entries` are in ascending position and alike in all bits above
    /// those of `shift`.
    std::optional<Crossing> look(std::vector<Entry> entries, int shift)
    {
        // Equal values, of which a flat distribution may have very many, no level would part.
        const auto differs = [&entries](const Entry& entry) {
            return entry.value != entries.front().value;
        };
        if (entries.size() <= sortedAtOnce || std::none_of(entries.begin(), entries.end(), differs))
            return lookOneByOne(std::move(entries));
        return lookInBuckets(
            entries.size(), [&entries](std::size_t i) { return entries[i].value; },
            [&entries](std::size_t i) { return entries[i]; }, shift);
    }

    template <typename ValueAt, typename EntryAt>
    std::optional<Crossing> lookInBuckets(std::size_t count, const ValueAt& valueAt,
                                          const EntryAt& entryAt, int shift)
    {
        std::vector<double> sums(bucketCount);
        std::vector<std::uint32_t> counts(bucketCount);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t bucket = bucketOf(valueAt(i), shift);
            sums[bucket] += valueAt(i);
            ++counts[bucket];
        }
        for (std::size_t bucket = bucketCount; bucket-- > 0;) {
            if (counts[bucket] == 0)
                continue;
            if (!passes(m_sum + sums[bucket])) {
                m_sum += sums[bucket];
                continue;
            }
            std::vector<Entry> inside;
            inside.reserve(counts[bucket]);
            for (std::size_t i = 0; i < count; ++i)
                if (bucketOf(valueAt(i), shift) == bucket)
                    inside.push_back(entryAt(i));
            // Added in another order, the bucket may fall short by a rounding error: then go on.
            if (const auto found = look(std::move(inside), std::max(shift - bitsPerLevel, 0)))
                return found;
        }
        return std::nullopt;
    }

    std::optional<Crossing> lookOneByOne(std::vector<Entry> entries)
    {
        const auto larger = [](const Entry& a, const Entry& b) {
            return a.value != b.value ? a.value > b.value : a.position < b.position;
        };
        if (!std::is_sorted(entries.begin(), entries.end(), larger))
            std::sort(entries.begin(), entries.end(), larger);
        for (const Entry& entry : entries) {
            const double next = m_sum + entry.value;
            if (passes(next))
                return Crossing{entry.position, m_sum, next};
            m_sum = next;
        }
        return std::nullopt;
    }

private:
    bool passes(double sum) const
    {
        return m_kind == Bound::Reach ? sum >= m_bound : sum > m_bound;
    }

    double m_bound;
    Bound m_kind;
    double m_sum = 0;
};

} // namespace

std::optional<Crossing> firstCrossing(std::span<const double> values, double bound, Bound kind)
{
    const auto entryAt = [values](std::size_t i) {
        return Entry{values[i], static_cast<std::uint32_t>(i)};
    };
    Search search(bound, kind);
    if (values.size() > sortedAtOnce)
        return search.lookInBuckets(
            values.size(), [values](std::size_t i) { return values[i]; }, entryAt, firstShift);
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < values.size(); ++i)
        entries.push_back(entryAt(i));
    return search.lookOneByOne(std::move(entries));
}

} // namespace engine
