#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunChecks.h"

namespace engine {

/// The fingerprint of a run, by which two people compare theirs without a file. Two runs have the
/// same exactly where their ids, logits, draws and final probabilities are the same to the bit; how
/// long they took, how many candidates they list, what the settings were called and why they went
/// no further is no part of it. Of a trace that lacks the digests of logits it tells less, and
/// never equals that of a run.
RunFingerprint fingerprintOf(const Run& run);

/// The first step at which the values of two runs differ, or which only one of them has.
std::optional<int> firstDifference(const RunFingerprint& a, const RunFingerprint& b);

} // namespace engine
