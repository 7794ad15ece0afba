#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/CalendarDay.h"
#include "engine/tokenizer/JinjaSyntax.h"
#include "engine/tokenizer/JinjaValue.h"

#include <string>
#include <utility>
#include <vector>

namespace engine {

/// Runs a template over its variables, as Jinja does for Hugging Face's transformers: with
/// raise_exception, namespace, range and strftime_now. What a template is not given by this is an
/// error that names it, never a guess. `strftime_now is defined` is false, so that a template with
/// a fixed date for that case takes it, and the same prompt gives the same tokens tomorrow; one
/// that calls it all the same learns `today`. Errors: UnsupportedFeature for what is not known here
/// and for what the template itself refuses; the message begins with "chat template". Work and size
/// are bounded, whatever the template.
Result<MarkedText> renderJinja(const JinjaBody& body,
                               std::vector<std::pair<std::string, JinjaValue>> variables,
                               CalendarDay today);

} // namespace engine
