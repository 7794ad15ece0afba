#pragma once

#include "engine/api/Run.h"
#include "engine/api/Token.h"
#include "engine/generation/TraceDiff.h"

#include <string>

namespace engine {

/// The sentence of a TraceDiff whose other values are there.
std::string diffSentence(const Run& a, const Run& b, const TraceDiff& diff);

/// A token as a sentence shows it: its text in quotes, with \n and the like for what is not seen,
/// or its bytes, ⟨E2 82⟩, where they make no characters.
std::string quoted(const TokenPiece& piece);

} // namespace engine
