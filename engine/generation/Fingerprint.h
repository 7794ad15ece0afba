#pragma once

#include "engine/api/Run.h"
#include "engine/api/Token.h"

#include <span>
#include <string>

namespace engine {

class LanguageModel;

// SHA-256 digests, lower-case hex, by which two runs are compared without the model.

/// Of the ids as little-endian int32.
std::string contextDigest(std::span<const TokenId> ids);

/// Of the logits as little-endian float32, whole vocabulary.
std::string logitsDigest(std::span<const float> logits);

/// Puts the digests of model and tokenizer into a run made before they were known. Reads the whole
/// model file at the first call for a model. Thread: any, for a run of the caller's own.
void addDigests(Run& run, const LanguageModel& model);

} // namespace engine
