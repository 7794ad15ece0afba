#pragma once

#include "engine/api/Token.h"
#include "engine/decoding/CandidateSet.h"

#include <cstdint>
#include <span>
#include <vector>

namespace engine {

// The stages of the sampling chain, each a function of what the stages before it left. The three
// that remove answer with the positions that they keep, ascending, at least one; among equals the
// smaller id is kept.

/// Divides positive and multiplies negative logits of ids in `context`, each id once. Returns how
/// many it altered (a logit of 0 stays 0). Source: Keskar et al. 2019 (CTRL, arXiv:1909.05858),
/// section 4.1.
std::int64_t repetitionPenalty(CandidateSet& candidates, double penalty,
                               std::span<const TokenId> context);

/// The `k` largest logits, k >= 1. Source: Fan et al. 2018 (arXiv:1805.04833).
std::vector<std::int32_t> topK(const CandidateSet& candidates, std::int64_t k);

/// The smallest set, in descending order, whose probability reaches `p`; with p = 0 the first
/// alone. Source: Holtzman et al. 2020 (arXiv:1904.09751).
std::vector<std::int32_t> topP(CandidateSet& candidates, double p);

/// Those with at least `p` times the largest probability. Source: Nguyen et al. 2024
/// (arXiv:2407.01082).
std::vector<std::int32_t> minP(CandidateSet& candidates, double p);

} // namespace engine
