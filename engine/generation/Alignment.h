#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunComparison.h"

#include <span>

namespace engine {

/// The fewest tokens in a row that count as agreeing again: fewer come together by chance.
inline constexpr int leastAgreement = 4;
/// The fewest tokens that count as a loop, and the fewest whole copies: "very very" is none.
inline constexpr int leastLoop = 6;
inline constexpr int leastLoopCopies = 2;

/// Sets runs beside each other, the first being the one that the others are compared with.
///
/// Tokens are equal where their id and bytes are; of runs with different tokenizers, where their
/// bytes are. Whether scores and probabilities differ is decided by what both steps list.
///
/// Agreements are found after the parting, from left to right: the next is the one that is reached
/// by passing over the fewest tokens of both runs together, goes on for as long as the tokens are
/// equal, and the search resumes behind it. So they are in order in both runs, as in a longest
/// common subsequence, but found in linear time.
///
/// A loop is the longest end of the run that has a period, with at least `leastLoopCopies` copies
/// and `leastLoop` tokens; among several periods of one end the shortest.
///
/// Time and memory: for n tokens in all of the runs, O(n log n) and O(n).
RunComparison alignRuns(std::span<const Run* const> runs);

} // namespace engine
