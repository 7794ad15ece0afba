#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace engine {

/// Whether any of `count` values satisfies `test`: a sum without branches, which is vector code.
template <typename T, std::size_t count, typename Test>
bool anyOf(const T* values, const Test& test)
{
    int hits = 0;
    for (std::size_t i = 0; i < count; ++i)
        hits += test(values[i]) ? 1 : 0;
    return hits != 0;
}

/// The first position of a value that is among `values`.
template <typename T>
std::size_t firstEqual(std::span<const T> values, T value)
{
    constexpr std::size_t block = 64;
    std::size_t i = 0;
    while (i + block <= values.size() &&
           !anyOf<T, block>(values.data() + i, [value](T other) { return other == value; }))
        i += block;
    while (i < values.size() && values[i] != value)
        ++i;
    return i;
}

/// The position of the largest value, among equals the first. `values` is not empty.
template <typename T>
std::size_t firstLargest(std::span<const T> values)
{
    // In lanes, which std::max_element is not: its result depends on the one before.
    constexpr std::size_t lanes = 16;
    T largest[lanes];
    std::fill_n(largest, lanes, values[0]);
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            largest[lane] = values[i + lane] > largest[lane] ? values[i + lane] : largest[lane];
    for (; i < values.size(); ++i)
        largest[0] = std::max(largest[0], values[i]);
    return firstEqual(values, *std::max_element(largest, largest + lanes));
}

/// 1-based, the largest first, among equals the earlier position.
template <typename T>
std::int32_t rankOf(std::span<const T> values, std::size_t position)
{
    const T value = values[position];
    std::int32_t before = 0;
    for (std::size_t i = 0; i < position; ++i)
        before += values[i] >= value ? 1 : 0;
    for (std::size_t i = position + 1; i < values.size(); ++i)
        before += values[i] > value ? 1 : 0;
    return before + 1;
}

/// The positions of the `count` largest values, ascending; among equals the earlier position counts
/// as larger. No value may be NaN. In one pass for a small count, which is the usual one.
template <typename T>
std::vector<std::int32_t> largestValues(std::span<const T> values, std::size_t count)
{
    std::vector<std::int32_t> positions;
    if (count >= values.size()) {
        positions.resize(values.size());
        std::iota(positions.begin(), positions.end(), 0);
        return positions;
    }
    if (count == 0)
        return positions;
    constexpr std::size_t smallEnoughForAHeap = 1024;
    if (count <= smallEnoughForAHeap) {
        // The front of the heap is the least of those kept; a later equal does not displace it.
        const auto outranks = [values](std::int32_t a, std::int32_t b) {
            return values[a] != values[b] ? values[a] > values[b] : a < b;
        };
        positions.resize(count);
        std::iota(positions.begin(), positions.end(), 0);
        std::make_heap(positions.begin(), positions.end(), outranks);
        T least = values[positions.front()];
        constexpr std::size_t block = 64;
        for (std::size_t i = count; i < values.size(); ++i) {
            // Nearly all of a large vocabulary is below: pass over it in blocks.
            while (i + block <= values.size() &&
                   !anyOf<T, block>(values.data() + i, [least](T other) { return other > least; }))
                i += block;
            if (i == values.size())
                break;
            if (!(values[i] > least))
                continue;
            std::pop_heap(positions.begin(), positions.end(), outranks);
            positions.back() = static_cast<std::int32_t>(i);
            std::push_heap(positions.begin(), positions.end(), outranks);
            least = values[positions.front()];
        }
        std::sort(positions.begin(), positions.end());
        return positions;
    }
    std::vector<T> copy(values.begin(), values.end());
    const auto last = copy.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(copy.begin(), last, copy.end(), std::greater<>());
    const T threshold = *last;
    std::size_t equals =
        count -
        static_cast<std::size_t>(std::count_if(values.begin(), values.end(),
                                               [threshold](T value) { return value > threshold; }));
    positions.reserve(count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] > threshold) {
            positions.push_back(static_cast<std::int32_t>(i));
        } else if (values[i] == threshold && equals > 0) {
            positions.push_back(static_cast<std::int32_t>(i));
            --equals;
        }
    }
    return positions;
}

} // namespace engine
