#pragma once

#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"
#include "engine/api/Token.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// What made two runs that had gone together pick other tokens; the first in the pipeline.
enum class PartingCause
{
    Context,  ///< they start from other tokens
    Logits,   ///< same tokens read, other scores
    Settings, ///< same scores, and the chain or the rule made other probabilities of them
    Draw,     ///< same probabilities, another u
    Forced,   ///< same probabilities, and a token was put in by hand
    Text,     ///< same token, other text: another tokenizer
};

/// The settings that shape the distribution of a step. The seed is none of them: it decides u.
enum class ChainSetting
{
    Rule,
    RepetitionPenalty,
    Temperature,
    TopK,
    TopP,
    MinP,
    Order,
};

/// One of the two steps at which runs part.
struct PartingSide
{
    TokenPiece pick;
    int rank = 0; ///< of the pick, 1-based by logit; 0 where the record does not tell
    DecodingRule rule = DecodingRule::Greedy;
    std::optional<Draw> draw;
    bool forced = false;
    SamplingConfig sampling;

    bool operator==(const PartingSide&) const = default;
};

/// Where and why a run parts from the first of those compared. For contexts that differ, `step` is
/// 0, and the sides are as they were found only where both have a step.
struct RunParting
{
    int step = 0; ///< 0-based generated token
    PartingCause cause = PartingCause::Draw;
    int contextPosition = 0; ///< Context: the first token that differs, 0-based
    bool sameModel = true;
    /// The first step at which the scores differed, where they did so before the picks.
    std::optional<int> logitsDifferSince;
    /// Those that differ at `step` and have a say: beside greedy decoding only rule and penalty.
    std::vector<ChainSetting> settings;
    PartingSide first;
    PartingSide other;

    bool operator==(const RunParting&) const = default;
};

/// `count` tokens that a run, after parting, has in common with the first: those of its steps from
/// `otherStep` on are those of the first run's steps from `firstStep` on.
struct Reconvergence
{
    int firstStep = 0;
    int otherStep = 0;
    int count = 0;

    bool operator==(const Reconvergence&) const = default;
};

/// The end of a run that repeats itself: from `start` on each token is the one `period` before it.
struct RepetitionLoop
{
    int start = 0;  ///< step of the first copy's first token
    int period = 0; ///< tokens in one copy
    int copies = 0; ///< whole ones, the first counted
    int length = 0; ///< tokens from `start` to the end

    bool operator==(const RepetitionLoop&) const = default;
};

/// One of the runs compared.
struct ComparedRun
{
    /// From the first run; nothing for the first itself, and for one that has the same tokens as
    /// far as both go.
    std::optional<RunParting> parting;
    std::vector<Reconvergence> agreements; ///< in order, after the parting
    std::optional<RepetitionLoop> loop;

    bool operator==(const ComparedRun&) const = default;
};

/// Two to four runs beside each other; see Alignment.h for how it is found.
struct RunComparison
{
    int sharedContext = 0; ///< tokens at the beginning of all starting contexts that are equal
    int sharedSteps = 0;   ///< steps at the beginning that all have, with equal picks
    std::vector<ComparedRun> runs;

    bool operator==(const RunComparison&) const = default;
};

} // namespace engine
