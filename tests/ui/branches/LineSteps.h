#pragma once

#include "engine/api/Run.h"
#include "engine/api/Step.h"

#include <string>
#include <vector>

// Runs whose tokens are single letters: "abc" is three steps that picked a, b and c.

namespace support {

inline engine::Step letterStep(int index, char letter, const engine::SamplingConfig& sampling = {})
{
    engine::Step step;
    step.index = index;
    step.contextLength = 1 + index;
    engine::Candidate candidate;
    candidate.piece = {engine::TokenId{letter}, std::string(1, letter), engine::TokenKind::Normal};
    candidate.rank = 1;
    candidate.logit = -1;
    candidate.probability = candidate.finalProbability = 1;
    step.candidates = {candidate};
    step.picked = step.argmax = step.ruleChoice = candidate.piece.id;
    step.sampling = sampling;
    return step;
}

/// The steps of `letters` from step `from` on.
inline std::vector<engine::Step> letterSteps(const std::string& letters, std::size_t from = 0,
                                             const engine::SamplingConfig& sampling = {})
{
    std::vector<engine::Step> steps;
    for (std::size_t i = from; i < letters.size(); ++i)
        steps.push_back(letterStep(static_cast<int>(i), letters[i], sampling));
    return steps;
}

inline engine::Run letterRun(const std::string& letters)
{
    engine::Run run;
    run.context.text = "x";
    run.context.tokens = {
        {{engine::TokenId{'x'}, "x", engine::TokenKind::Normal}, engine::TokenOrigin::Prompt}};
    run.steps = letterSteps(letters);
    return run;
}

inline std::string lettersOf(const std::vector<engine::Step>& steps)
{
    std::string letters;
    for (const engine::Step& step : steps)
        letters += static_cast<char>(step.picked.value);
    return letters;
}

} // namespace support
