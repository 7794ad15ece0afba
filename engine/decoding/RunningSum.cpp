#include "engine/decoding/RunningSum.h"

#include "engine/decoding/LargestValues.h"

#include <algorithm>
#include <bit>
#include <limits>
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

bool comesFirst(const Entry& a, const Entry& b)
{
    return a.value != b.value ? a.value > b.value : a.position < b.position;
}

/// Equal values, of which a flat distribution may have very many, no level of buckets would part.
bool areAddedOneByOne(const std::vector<Entry>& entries)
{
    const auto differs = [&entries](const Entry& entry) {
        return entry.value != entries.front().value;
    };
    return entries.size() <= sortedAtOnce || std::none_of(entries.begin(), entries.end(), differs);
}

class Search
{
public:
    Search(double bound, Bound kind) : m_bound(bound), m_kind(kind) {}

    /// Goes on from the sum so far. `entries` are in ascending position and alike in all bits above
    /// those of `shift`.
    std::optional<Crossing> look(std::vector<Entry> entries, int shift)
    {
        if (areAddedOneByOne(entries))
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
        if (!std::is_sorted(entries.begin(), entries.end(), comesFirst))
            std::sort(entries.begin(), entries.end(), comesFirst);
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

/// The way of a Search whose bound lies at certain entries, which it is told, and not at a sum.
class SumsBefore
{
public:
    /// `targets` in the order in which they are passed.
    explicit SumsBefore(std::span<const Entry> targets) : m_targets(targets) {}

    void look(std::vector<Entry> entries, int shift)
    {
        if (areAddedOneByOne(entries))
            lookOneByOne(std::move(entries));
        else
            lookInBuckets(entries, shift);
    }

    /// `entries` are alike in all bits above those of `shift` and in ascending position.
    void lookInBuckets(const std::vector<Entry>& entries, int shift)
    {
        std::vector<double> sums(bucketCount);
        std::vector<std::vector<Entry>> inside(bucketCount); // of those with targets
        std::vector<char> hasTarget(bucketCount);
        for (std::size_t i = m_sums.size(); i < m_targets.size(); ++i)
            hasTarget[bucketOf(m_targets[i].value, shift)] = 1;
        for (const Entry& entry : entries) {
            const std::size_t bucket = bucketOf(entry.value, shift);
            sums[bucket] += entry.value;
            if (hasTarget[bucket] != 0)
                inside[bucket].push_back(entry);
        }
        for (std::size_t bucket = bucketCount; bucket-- > 0 && m_sums.size() < m_targets.size();) {
            const double before = m_sum;
            if (!inside[bucket].empty())
                look(std::move(inside[bucket]), std::max(shift - bitsPerLevel, 0));
            m_sum = before + sums[bucket];
        }
    }

    void lookOneByOne(std::vector<Entry> entries)
    {
        std::sort(entries.begin(), entries.end(), comesFirst);
        for (const Entry& entry : entries) {
            if (m_sums.size() == m_targets.size())
                return;
            if (entry.position == m_targets[m_sums.size()].position)
                m_sums.push_back(m_sum);
            m_sum += entry.value;
        }
    }

    /// `position` is that of a target.
    double sumBefore(std::size_t position) const
    {
        for (std::size_t i = 0; i < m_sums.size(); ++i)
            if (m_targets[i].position == position)
                return m_sums[i];
        return m_sum; // it is 0, and all others stand before it
    }

private:
    std::span<const Entry> m_targets;
    std::vector<double> m_sums; ///< of the targets passed so far
    double m_sum = 0;
};

/// In ascending position the values of at least `least`.
std::vector<Entry> entriesFrom(std::span<const double> weights, double total, double least)
{
    // A division for each would cost more than all the rest: compare the weights, with some room
    // for rounding, and divide those that are left.
    const double leastWeight = least * total * (1 - 1e-12);
    constexpr std::size_t block = 64;
    const auto reaches = [leastWeight](double weight) { return weight >= leastWeight; };
    std::vector<Entry> entries;
    std::size_t i = 0;
    while (i < weights.size()) {
        if (i + block <= weights.size() && !anyOf<double, block>(weights.data() + i, reaches)) {
            i += block;
            continue;
        }
        for (const std::size_t end = std::min(i + block, weights.size()); i < end; ++i)
            if (const double value = weights[i] / total; reaches(weights[i]) && value >= least)
                entries.push_back({value, static_cast<std::uint32_t>(i)});
    }
    return entries;
}

} // namespace

std::vector<double> sumsBefore(std::span<const double> weights, double total,
                               std::span<const std::size_t> positions)
{
    if (positions.empty())
        return {};
    std::vector<Entry> targets;
    for (const std::size_t position : positions)
        targets.push_back({weights[position] / total, static_cast<std::uint32_t>(position)});
    std::sort(targets.begin(), targets.end(), comesFirst);
    const bool oneByOne = weights.size() <= sortedAtOnce;
    // Whole buckets, down to that of the last target. What is 0 adds nothing to a sum.
    const double last = targets.back().value;
    const auto floor =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(last) >> firstShift << firstShift);
    const double least = std::max(oneByOne ? last : floor, std::numeric_limits<double>::min());
    SumsBefore search(targets);
    if (oneByOne)
        search.lookOneByOne(entriesFrom(weights, total, least));
    else
        search.lookInBuckets(entriesFrom(weights, total, least), firstShift);
    std::vector<double> sums;
    for (const std::size_t position : positions)
        sums.push_back(search.sumBefore(position));
    return sums;
}

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
