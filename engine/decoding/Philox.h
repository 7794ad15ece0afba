#pragma once

#include <array>
#include <cstdint>

namespace engine {

/// The counter-based generator Philox4x32-10: ten rounds that mix a counter under a key, so that
/// any number of a sequence is had at once, without those before it. Source: Salmon, Moraes, Dror
/// and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// The random number of step `step` (>= 0) under `seed`, in [0, 1), a multiple of 2^-53. `attempt`
/// (>= 0) counts further numbers for the same step; it is the second word of the counter.
double uniform(std::uint64_t seed, int step, int attempt = 0);

} // namespace engine
