#include "engine/decoding/Exponential.h"

#include <bit>
#include <cstdint>

namespace engine {

namespace {

constexpr double smallestArgument = -708.0;

/// exp(x) for smallestArgument <= x <= 0. Without branches, so that a loop of it is vector code.
constexpr double exponential(double x)
{
    constexpr double roundToWhole = 0x1.8p52; // adding it leaves a whole number in the low bits
    constexpr double inverseLn2 = 0x1.71547652b82fep0;
    constexpr double ln2High = 0x1.62e42feep-1; // few enough bits that n * ln2High is exact
    constexpr double ln2Low = 0x1.a39ef35793c76p-33;

    const double shifted = x * inverseLn2 + roundToWhole;
    const double n = shifted - roundToWhole;
    const double r = (x - n * ln2High) - n * ln2Low;
    double series = 1.0 / 6227020800.0;
    series = series * r + 1.0 / 479001600.0;
    series = series * r + 1.0 / 39916800.0;
    series = series * r + 1.0 / 3628800.0;
    series = series * r + 1.0 / 362880.0;
    series = series * r + 1.0 / 40320.0;
    series = series * r + 1.0 / 5040.0;
    series = series * r + 1.0 / 720.0;
    series = series * r + 1.0 / 120.0;
    series = series * r + 1.0 / 24.0;
    series = series * r + 1.0 / 6.0;
    series = series * r + 0.5;
    series = series * r + 1.0;
    series = series * r + 1.0;
    // Multiplies by 2^n: n is added to the exponent's bits.
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) + exponent);
}

/// Blocks stay in the nearest cache between the two loops; in one loop the clamp would be a branch.
[[gnu::always_inline]] inline void exponentiateInBlocks(double* values, std::size_t count)
{
    // Taking this off turns what was clamped to 0, and leaves results above 1e-290 as they are.
    constexpr double atSmallest = exponential(smallestArgument);
    constexpr std::size_t blockSize = 512;
    for (std::size_t begin = 0; begin < count; begin += blockSize) {
        const std::size_t size = count - begin < blockSize ? count - begin : blockSize;
        double* const block = values + begin;
        for (std::size_t i = 0; i < size; ++i)
            block[i] = block[i] < smallestArgument ? smallestArgument : block[i];
        for (std::size_t i = 0; i < size; ++i)
            block[i] = exponential(block[i]) - atSmallest;
    }
}

#ifdef __x86_64__
// The same operations four at a time (no fused ones), so the bits are the same too.
[[gnu::target("avx2")]] void exponentiateWithAvx2(double* values, std::size_t count)
{
    exponentiateInBlocks(values, count);
}
#endif

} // namespace

void exponentiate(std::span<double> values)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        exponentiateWithAvx2(values.data(), values.size());
        return;
    }
#endif
    exponentiateInBlocks(values.data(), values.size());
}

} // namespace engine
