#pragma once

#include "engine/api/Error.h"
#include "engine/api/PromptRendering.h"
#include "engine/api/RunConfig.h"

#include <string>

namespace engine {

class LanguageModel;

/// What a run with `config` would read for `text`: its chat, parseSpecial and addSpecialTokens are
/// looked at. The tokens are those that GenerationSession::start begins with. Once the text of a
/// chat is changed it is a prompt of its own, to be read with parseSpecial and without chat.
/// Errors: those of encode; UnsupportedFeature where the chat template cannot be followed.
Result<PromptRendering> renderPrompt(const LanguageModel& model, const std::string& text,
                                     const RunConfig& config);

} // namespace engine
