#pragma once

#include "engine/api/Error.h"
#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"
#include "engine/api/Token.h"
#include "engine/decoding/SamplerChain.h"
#include "engine/decoding/Softmax.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

struct DecodeRequest
{
    std::span<const float> logits;    ///< shape [vocabularySize], all finite
    std::span<const TokenId> context; ///< ids read so far, for the repetition penalty
    int stepIndex = 0;                ///< selects the random number of the draw
    int drawAttempt = 0;              ///< 0: the step's own number; n: the n-th after it
    SamplingConfig sampling = {};
    int topCandidates = 20; ///< candidates recorded, >= 1; all if more than there are
    std::optional<TokenId> forced = std::nullopt; ///< put in the place of the rule's choice
    /// Ids that the tokenizer has names for, ascending; the others are masked. Empty: all.
    std::span<const std::int32_t> namedIds = {};
    std::span<const TokenId> watched = {}; ///< recorded in Step::watched, in this order
};

/// From logits to a token: softmax, chain, argmax or draw. The same request gives the same Step
/// whatever was decoded before; an object is kept from step to step only so that its arrays are
/// allocated once. Thread: one owner at a time.
class Decoder
{
public:
    /// The Step is complete but for what logits do not tell: the candidates' bytes and kinds, the
    /// logits' digest and the time of the forward pass.
    /// Errors: InvalidArgument (settings out of range, no logits, `forced` or `watched` outside the
    /// vocabulary),
    /// NotFinite.
    Result<Step> decode(const DecodeRequest& request);

private:
    struct Choice;
    Choice decide(const DecodeRequest& request, const Distribution& distribution);
    Choice choose(const DecodeRequest& request);
    std::vector<Candidate> candidatesOf(const DecodeRequest& request,
                                        const Distribution& distribution,
                                        const Choice& choice) const;

    Candidate candidate(const DecodeRequest& request, const Distribution& distribution,
                        const Choice& choice, TokenId id, int rank) const;

    std::vector<double> m_weights;                 ///< of the softmax, between two steps
    std::vector<std::pair<TokenId, int>> m_ranked; ///< the most probable ids, with their ranks
    SamplerChain m_chain;
};

/// One draw from probabilities that sum to 1.
struct DrawnPosition
{
    std::size_t position = 0;
    Draw draw;
};

/// In descending order, among equals the smaller position first: the first whose running sum
/// exceeds `u`, in [0, 1). Where rounding leaves the whole sum at or below `u`, the last that has
/// any probability, whose slice then reaches 1. `probabilities` is not empty.
DrawnPosition drawFrom(std::span<const double> probabilities, double u);

} // namespace engine
