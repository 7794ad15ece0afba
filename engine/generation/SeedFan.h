#pragma once

#include "engine/api/Error.h"
#include "engine/api/RunChecks.h"
#include "engine/generation/RunCheck.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace engine {

/// A run's picks and how likely the model finds them: ln p of a pick is its logit less the
/// logsumexp of its step.
FanPath fanPath(const Run& run);

/// Told after each step: of the seeds, those done (-1 while the greedy path is made), and the steps
/// of the one in progress.
using FanProgress = std::function<void(int seedsDone, int steps)>;

/// The greedy continuation of a prompt, and those of `count` seeds from `inputs.config`'s on, drawn
/// under its settings whatever its rule is. Each is as a run of its own would be; what several
/// begin with alike is computed once.
/// Errors: those of GenerationSession::start; NotFinite; Cancelled.
Result<SeedFan> seedFan(const RunInputs& inputs, int count, const std::stop_token& stop,
                        const FanProgress& progress = {});

} // namespace engine
