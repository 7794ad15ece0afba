#pragma once

#include "engine/api/Step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace support {

/// A sampled step with these probabilities in rank order, ids 100, 101, ..., tokens " a", " b", ...
/// The first `kept` stay and are renormalised, the rest is removed by top-p 0.90; `others` tokens
/// share what is missing to 1. The candidate at `pick` is drawn, with u in the middle of its slice.
engine::Step handmadeStep(const std::vector<double>& probabilities, int kept, int pick,
                          std::int64_t others);

/// The same, decoded by the greedy rule.
engine::Step handmadeGreedyStep(const std::vector<double>& probabilities, std::int64_t others);

} // namespace support
