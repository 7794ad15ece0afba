#pragma once

#include "engine/api/Error.h"
#include "engine/api/Step.h"
#include "engine/decoding/Decoder.h"

namespace engine {

class Tokenizer;

/// A whole Step from its logits: decoded, the candidates' pieces filled in, the logits digested.
/// The time of the forward pass is the caller's to add. Errors: those of Decoder::decode.
Result<Step> decodeStep(const DecodeRequest& request, Decoder& decoder, const Tokenizer& tokenizer);

/// A recorded step under other settings or with another token forced, from its logits, with no
/// model call. `request.logits` and `request.context` are those that `recorded` was made from.
/// Errors: those of Decoder::decode.
Result<Step> redecode(const Step& recorded, const DecodeRequest& request, Decoder& decoder,
                      const Tokenizer& tokenizer);

} // namespace engine
