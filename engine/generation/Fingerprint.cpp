#include "engine/generation/Fingerprint.h"

#include "engine/generation/LanguageModel.h"
#include "engine/io/Sha256.h"

#include <bit>

namespace engine {

static_assert(
    std::endian::native == std::endian::little,
    "values are digested as they lie in memory, and weights are used as they lie in the file");
static_assert(sizeof(TokenId) == 4 && sizeof(float) == 4);

std::string contextDigest(std::span<const TokenId> ids)
{
    return Sha256::of(std::as_bytes(ids));
}

std::string logitsDigest(std::span<const float> logits)
{
    return Sha256::of(std::as_bytes(logits));
}

void addDigests(Run& run, const LanguageModel& model)
{
    run.model.sha256 = model.fingerprint();
    run.tokenizer.sha256 = model.tokenizerInfo().sha256;
}

} // namespace engine
