#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"
#include "engine/api/RunChecks.h"
#include "engine/generation/GenerationSession.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine {

class LanguageModel;

/// All that a run is made from; the tokenizer is the model's.
struct RunInputs
{
    std::shared_ptr<const LanguageModel> model;
    Prompt prompt;
    RunConfig config;
    int threads = 1; ///< makes a run faster, never other
};

/// What a run was started with: its text where it has one, else its ids.
Prompt promptOf(const Run& run);

/// Sees a run when it has begun and after each of its steps.
using RunWatcher = std::function<void(const Run&)>;

/// A run from its inputs to a stop, or to Cancelled where `stop` asks for it.
/// Errors: those of GenerationSession::start; NotFinite. Thread: any.
Result<Run> runToStop(const RunInputs& inputs, const std::stop_token& stop,
                      const RunWatcher& watch = {});

/// What there is to say of a run from the same inputs as `first`.
CheckedRun checkedRun(const Run& first, const Run& run, int threads);

/// Told after each step: of the runs to make, those done, and the steps of the one in progress.
using CheckProgress = std::function<void(int runsDone, int steps)>;

/// Makes `count` runs, at least 1, from the same inputs and compares them with the first of them.
/// The first is computed with `inputs.threads`, those after it with 1, 2, ... up to as many, since
/// their number must make no difference.
/// Errors: those of runToStop; Cancelled.
Result<RunCheck> checkRuns(const RunInputs& inputs, int count, const std::stop_token& stop,
                           const CheckProgress& progress = {});

} // namespace engine
