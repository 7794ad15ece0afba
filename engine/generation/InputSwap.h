#pragma once

#include "engine/api/Error.h"
#include "engine/api/RunChecks.h"
#include "engine/generation/RunCheck.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine {

/// A run and the model that it came from, which can so be made again.
struct RepeatableRun
{
    Run run;
    std::shared_ptr<const LanguageModel> model;
};

/// Told after each step: of `runs` to make, those done.
using SwapProgress = std::function<void(int runsDone, int runs)>;

/// Exchanges one input of two runs at a time and runs again. First comes each run from its own
/// inputs, the control; then a swap for each input that differs, and, where several settings do,
/// one for each of these as well. What is taken over:
/// - of the same tokenizer: the context as its ids, the settings but for those that only make ids
///   out of the text, the model's weights;
/// - of different ones, whose ids mean different things: the context as its text, all settings, the
///   model together with its tokenizer. A tokenizer by itself would not fit the other's weights.
/// A run that has not ended is compared as far as it goes. What cannot be run (ids that the other
/// model does not have, say) has a fault in its outcome.
/// Errors: Cancelled; OutOfMemory is thrown as std::bad_alloc.
Result<SwapGrid> swapInputs(const RepeatableRun& a, const RepeatableRun& b, int threads,
                            const std::stop_token& stop, const SwapProgress& progress = {});

} // namespace engine
