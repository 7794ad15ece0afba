#pragma once

#include "engine/tokenizer/Vocabulary.h"

#include <string_view>

namespace engine {

/// Can a text be cut before each space mark (U+2581) that follows something else, and its parts be
/// encoded one by one? So where no piece reaches across such a place: cutting there changes nothing
/// but speed and memory.
bool canCutBeforeSpaces(const Vocabulary& vocabulary);

/// The text up to the first such place.
std::string_view untilSpaceCut(std::string_view text);

} // namespace engine
