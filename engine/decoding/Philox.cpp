#include "engine/decoding/Philox.h"

namespace engine {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key)
{
    constexpr std::uint64_t multiplier0 = 0xD2511F53;
    constexpr std::uint64_t multiplier1 = 0xCD9E8D57;
    constexpr std::uint32_t weyl0 = 0x9E3779B9; // golden ratio
    constexpr std::uint32_t weyl1 = 0xBB67AE85; // square root of 3, less 1
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product0 = multiplier0 * counter[0];
        const std::uint64_t product1 = multiplier1 * counter[2];
        const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
        const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
        counter = {high1 ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
                   high0 ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
        key[0] += weyl0;
        key[1] += weyl1;
    }
    return counter;
}

double uniform(std::uint64_t seed, int step, int attempt)
{
    const auto words =
        philox4x32({static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(attempt), 0, 0},
                   {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    const std::uint64_t bits = (static_cast<std::uint64_t>(words[1]) << 32) | words[0];
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

} // namespace engine
