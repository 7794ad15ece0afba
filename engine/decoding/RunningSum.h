#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Where a running sum passes a bound: at `position` it goes from `before` to `after`.
struct Crossing
{
    std::size_t position = 0;
    double before = 0;
    double after = 0;

    bool operator==(const Crossing&) const = default;
};

enum class Bound
{
    Reach,  ///< the sum is at or above it
    Exceed, ///< the sum is above it
};

/// Adds up `values`, which are in [0, 1], from the largest down, among equals the earlier first,
/// and tells which of them takes the sum to the bound; nothing where all of them do not.
///
/// Nothing but the neighbourhood of the crossing is sorted: the values are put in buckets of about
/// equal ones, whole buckets are added (each in ascending position), and only the one in which the
/// bound lies is looked into, in the same way. So a whole vocabulary takes a pass or two, whatever
/// its distribution, and the sum is always made in the same order.
std::optional<Crossing> firstCrossing(std::span<const double> values, double bound, Bound kind);

/// For each of `positions`: the sum of the values that firstCrossing adds before that one, added in
/// the same way, so that for the one it finds this is `before` to the bit. The values are `weights`
/// / `total`. Of a large vocabulary only what stands before the last of the positions is looked at
/// closely.
std::vector<double> sumsBefore(std::span<const double> weights, double total,
                               std::span<const std::size_t> positions);

} // namespace engine
