#pragma once

#include "engine/api/RunConfig.h"
#include "engine/api/Token.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// What one stage of the chain saw of a candidate, in the quantities that stages decide by. The set
/// here is what the stages before it had left.
struct CandidateAtStage
{
    SamplingStage stage = SamplingStage::Temperature;
    double scoreBefore = 0; ///< the logit as the stages before had altered it
    double scoreAfter = 0;  ///< as this stage left it; the same but for penalty and temperature
    double probability = 0; ///< softmax over the set, of scoreBefore
    std::int64_t rank = 0;  ///< 1-based in the set, by score, ties by smaller id
    double massBefore = 0;  ///< probability of those of lower rank number; top-p keeps it below p

    bool operator==(const CandidateAtStage&) const = default;
};

/// One token of the vocabulary as a step saw it.
struct Candidate
{
    TokenPiece piece;
    float logit = 0;             ///< raw score from the model
    double probability = 0;      ///< softmax of the logits at temperature 1, whole vocabulary
    double finalProbability = 0; ///< what the draw used; 0 for a removed candidate
    int rank = 0;                ///< 1-based, by logit, ties by smaller id
    std::optional<SamplingStage> removedBy;
    /// Of the stages that ran, in their order, up to the one that removed it. Empty where a trace
    /// does not tell.
    std::vector<CandidateAtStage> path;

    bool operator==(const Candidate&) const = default;
};

/// What one stage of the chain did. Probabilities here are those the stage itself saw: the softmax
/// over what the stages before it had left.
struct StageTrace
{
    SamplingStage stage = SamplingStage::Temperature;
    double value = 0;              ///< the setting: temperature, k, p, ...; 0 for UnnamedIds
    std::int64_t before = 0;       ///< candidates that came in
    std::int64_t after = 0;        ///< candidates that went on
    double removedProbability = 0; ///< mass of those it removed
    std::int64_t changed = 0;      ///< logits it altered (repetition penalty: ids in the context)
    double largestProbability = 0; ///< of those that came in; min-p keeps from value times this up

    bool operator==(const StageTrace&) const = default;
};

/// The random number of a step and the slice [low, high) of the running sum that it fell into.
struct Draw
{
    double u = 0;
    double low = 0;
    double high = 0;
    int attempt = 0; ///< 0: the run's own; n: the n-th that the user drew in its place

    bool operator==(const Draw&) const = default;
};

/// All tokens that are not in `Step::candidates`, as one row.
struct OtherCandidates
{
    std::int64_t count = 0;
    double probability = 0;
    double finalProbability = 0;

    bool operator==(const OtherCandidates&) const = default;
};

struct StepTimings
{
    std::chrono::microseconds forward{0};
    std::chrono::microseconds decode{0};
};

/// All that was seen at one position: a value, never changed once emitted.
struct Step
{
    int index = 0;                     ///< 0-based number of the generated token
    int contextLength = 0;             ///< tokens the model read for this step
    double entropyBits = 0;            ///< of the softmax at temperature 1, whole vocabulary
    double logSumExp = 0;              ///< natural log of the sum of exp(logit)
    std::vector<Candidate> candidates; ///< the most probable in rank order, plus the picked one
    OtherCandidates others;
    /// Further tokens that the user asked to follow, in the order asked for; those that are among
    /// `candidates` too. `others` counts those that are not.
    std::vector<Candidate> watched;
    TokenId argmax;     ///< largest logit, ties by smaller id
    TokenId picked;     ///< the token appended to the context
    TokenId ruleChoice; ///< what the rule picked; differs from `picked` only when forced
    bool forced = false;
    DecodingRule rule = DecodingRule::Greedy;
    std::optional<Draw> draw; ///< only for Sample at a temperature above 0
    /// In the order they ran: the mask, where it took ids out, then the stages that were on.
    std::vector<StageTrace> stages;
    std::int64_t keptCount = 0; ///< candidates left after the chain
    SamplingConfig sampling;    ///< the settings this step was decoded with
    float minLogit = 0;
    float maxLogit = 0;
    std::vector<float>
        logitSample;          ///< evenly spaced over the vocabulary, for a picture of all logits
    std::string logitsSha256; ///< of the float32 little-endian logits, whole vocabulary
    StepTimings timings;

    const Candidate* find(TokenId id) const
    {
        for (const Candidate& candidate : candidates)
            if (candidate.piece.id == id)
                return &candidate;
        for (const Candidate& candidate : watched)
            if (candidate.piece.id == id)
                return &candidate;
        return nullptr;
    }
};

} // namespace engine
