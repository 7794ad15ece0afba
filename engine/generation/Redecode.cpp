#include "engine/generation/Redecode.h"

#include "engine/generation/Fingerprint.h"
#include "engine/tokenizer/Tokenizer.h"

namespace engine {

namespace {

Result<Step> decodeNamed(const DecodeRequest& request, Decoder& decoder, const Tokenizer& tokenizer)
{
    auto step = decoder.decode(request);
    if (step)
        for (Candidate& candidate : step->candidates)
            candidate.piece = tokenizer.piece(candidate.piece.id);
    if (step)
        for (Candidate& candidate : step->watched)
            candidate.piece = tokenizer.piece(candidate.piece.id);
    return step;
}

} // namespace

Result<Step> decodeStep(const DecodeRequest& request, Decoder& decoder, const Tokenizer& tokenizer)
{
    auto step = decodeNamed(request, decoder, tokenizer);
    if (step)
        step->logitsSha256 = logitsDigest(request.logits);
    return step;
}

Result<Step> redecode(const Step& recorded, const DecodeRequest& request, Decoder& decoder,
                      const Tokenizer& tokenizer)
{
    auto step = decodeNamed(request, decoder, tokenizer);
    if (step) {
        step->logitsSha256 = recorded.logitsSha256;
        step->timings.forward = recorded.timings.forward;
    }
    return step;
}

} // namespace engine
