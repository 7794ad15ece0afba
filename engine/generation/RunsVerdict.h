#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunChecks.h"

namespace engine {

/// The four inputs of two runs side by side, and where the runs part. A model's fingerprint is told
/// where it is known; it is computed apart, since that takes seconds. Thread: any.
RunsVerdict verdictOn(const Run& a, const Run& b);

} // namespace engine
