#pragma once

#include "engine/api/ModelInfo.h"
#include "engine/api/Run.h"

namespace engine {

// Comparisons of the inputs of two runs, from what traces hold.

bool sameIds(const StartingContext& a, const StartingContext& b);
/// By digest, or by what is said of it where a digest is missing.
bool sameModel(const ModelInfo& a, const ModelInfo& b);
bool sameTokenizer(const TokenizerInfo& a, const TokenizerInfo& b); ///< likewise

} // namespace engine
