#include "engine/decoding/Exponential.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

namespace engine {

namespace {

constexpr double smallestArgument = -708.0;

// Blocks stay in the nearest cache from one loop to the next; a multiple of LaneSum::lanes.
constexpr std::size_t blockSize = 512;

/// exp(x) for smallestArgument <= x <= 0. Without branches, so that a loop of it is vector code.
[[gnu::always_inline]] inline double exponential(double x)
{
    constexpr double roundToWhole = 0x1.8p52; // adding it leaves a whole number in the low bits
    constexpr double inverseLn2 = 0x1.71547652b82fep0;
    constexpr double ln2High = 0x1.62e42feep-1; // few enough bits that n * ln2High is exact
    constexpr double ln2Low = 0x1.a39ef35793c76p-33;

    const double shifted = __builtin_fma(x, inverseLn2, roundToWhole);
    const double n = shifted - roundToWhole;
    const double r = __builtin_fma(n, -ln2Low, __builtin_fma(n, -ln2High, x));
    double series = 1.0 / 6227020800.0;
    series = __builtin_fma(series, r, 1.0 / 479001600.0);
    series = __builtin_fma(series, r, 1.0 / 39916800.0);
    series = __builtin_fma(series, r, 1.0 / 3628800.0);
    series = __builtin_fma(series, r, 1.0 / 362880.0);
    series = __builtin_fma(series, r, 1.0 / 40320.0);
    series = __builtin_fma(series, r, 1.0 / 5040.0);
    series = __builtin_fma(series, r, 1.0 / 720.0);
    series = __builtin_fma(series, r, 1.0 / 120.0);
    series = __builtin_fma(series, r, 1.0 / 24.0);
    series = __builtin_fma(series, r, 1.0 / 6.0);
    series = __builtin_fma(series, r, 0.5);
    series = __builtin_fma(series, r, 1.0);
    series = __builtin_fma(series, r, 1.0);
    // Multiplies by 2^n: n is added to the exponent's bits.
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) + exponent);
}

/// Clamping in the loop of exponential() would be a branch, so it has one of its own.
[[gnu::always_inline]] inline void exponentiateBlock(double* block, std::size_t size,
                                                     double atSmallest)
{
    for (std::size_t i = 0; i < size; ++i)
        block[i] = block[i] < smallestArgument ? smallestArgument : block[i];
    // Taking exp(-708) off turns what was clamped to 0, and leaves results above 1e-290 as they
    // are.
    for (std::size_t i = 0; i < size; ++i)
        block[i] = exponential(block[i]) - atSmallest;
}

[[gnu::always_inline]] inline void exponentiateAll(double* values, std::size_t count)
{
    const double atSmallest = exponential(smallestArgument);
    for (std::size_t begin = 0; begin < count; begin += blockSize)
        exponentiateBlock(values + begin, std::min(blockSize, count - begin), atSmallest);
}

template <typename Logit>
[[gnu::always_inline]] inline WeightSums fillWeights(const Logit* logits, double maximum,
                                                     double temperature, double* weights,
                                                     std::size_t count)
{
    const double atSmallest = exponential(smallestArgument);
    double distance[blockSize];
    LaneSum total;
    LaneSum weighted;
    for (std::size_t begin = 0; begin < count; begin += blockSize) {
        const std::size_t size = std::min(blockSize, count - begin);
        double* const block = weights + begin;
        for (std::size_t i = 0; i < size; ++i)
            block[i] = static_cast<double>(logits[begin + i]) - maximum;
        if (temperature != 1.0)
            for (std::size_t i = 0; i < size; ++i)
                block[i] /= temperature;
        // A distance beyond all measure has no weight, and must not make 0 times infinity.
        for (std::size_t i = 0; i < size; ++i)
            distance[i] = block[i] < smallestArgument ? -smallestArgument : -block[i];
        exponentiateBlock(block, size, atSmallest);
        for (std::size_t i = 0; i < size; ++i)
            distance[i] *= block[i];
        total.add(block, size);
        weighted.add(distance, size);
    }
    return {total.value(), weighted.value()};
}

#ifdef __x86_64__
// The same operations four at a time and the fused ones by instruction.
[[gnu::target("avx2,fma")]] void exponentiateWithAvx2(double* values, std::size_t count)
{
    exponentiateAll(values, count);
}
template <typename Logit>
[[gnu::target("avx2,fma")]] WeightSums fillWeightsWithAvx2(const Logit* logits, double maximum,
                                                           double temperature, double* weights,
                                                           std::size_t count)
{
    return fillWeights(logits, maximum, temperature, weights, count);
}
bool hasAvx2()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

template <typename Logit>
WeightSums fillWeightsBest(std::span<const Logit> logits, double maximum, double temperature,
                           std::span<double> weights)
{
    assert(logits.size() == weights.size());
#ifdef __x86_64__
    if (hasAvx2())
        return fillWeightsWithAvx2(logits.data(), maximum, temperature, weights.data(),
                                   weights.size());
#endif
    return fillWeights(logits.data(), maximum, temperature, weights.data(), weights.size());
}

} // namespace

void exponentiate(std::span<double> values)
{
#ifdef __x86_64__
    if (hasAvx2()) {
        exponentiateWithAvx2(values.data(), values.size());
        return;
    }
#endif
    exponentiateAll(values.data(), values.size());
}

WeightSums softmaxWeights(std::span<const float> logits, double maximum, double temperature,
                          std::span<double> weights)
{
    return fillWeightsBest(logits, maximum, temperature, weights);
}

WeightSums softmaxWeights(std::span<const double> logits, double maximum, double temperature,
                          std::span<double> weights)
{
    return fillWeightsBest(logits, maximum, temperature, weights);
}

} // namespace engine
