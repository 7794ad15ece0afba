#pragma once

#include "engine/api/Run.h"

#include <QString>

namespace ui {

/// Why a run ended, in the words of the window: "length limit (25)", "stop token <|endoftext|>",
/// "stop text "The end"", "context full (512)", "cancelled". Empty while it can go on.
QString stopText(const engine::Run& run);

} // namespace ui
