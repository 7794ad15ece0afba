#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"
#include "engine/generation/GenerationSession.h"

namespace engine {

class LanguageModel;

/// The prompt as tokens: tokenized by the settings (special tokens, chat template), or ids as they
/// are. Without its digest. Errors: InvalidArgument (no token at all, ids outside the model's
/// vocabulary), those of encode and of the chat template.
Result<StartingContext> startingContext(const LanguageModel& model, const Prompt& prompt,
                                        const RunConfig& config);

} // namespace engine
