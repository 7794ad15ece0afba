#include "tests/ui/support/HandmadeStep.h"

#include <cmath>
#include <cstddef>

namespace support {
namespace {

using namespace engine;

Step listedStep(const std::vector<double>& probabilities, std::int64_t others)
{
    Step step;
    step.index = 4;
    step.contextLength = 9;
    double sum = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        Candidate candidate;
        const auto number = static_cast<std::int32_t>(i);
        candidate.piece.id = TokenId{100 + number};
        candidate.piece.bytes = std::string(" ") + static_cast<char>('a' + number % 26);
        candidate.rank = number + 1;
        candidate.probability = probabilities[i];
        candidate.logit = static_cast<float>(std::log(probabilities[i]));
        sum += probabilities[i];
        step.candidates.push_back(candidate);
    }
    step.others = {others, others > 0 ? 1 - sum : 0, 0};
    step.argmax = step.candidates.front().piece.id;
    return step;
}

} // namespace

Step handmadeStep(const std::vector<double>& probabilities, int kept, int pick, std::int64_t others)
{
    Step step = listedStep(probabilities, others);
    const auto vocabulary = static_cast<std::int64_t>(probabilities.size()) + others;
    step.rule = DecodingRule::Sample;
    step.sampling.rule = step.rule;
    step.sampling.topP = 0.9;
    step.keptCount = kept;
    double mass = 0;
    for (int i = 0; i < kept; ++i)
        mass += probabilities[static_cast<std::size_t>(i)];
    double low = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        Candidate& candidate = step.candidates[i];
        if (static_cast<int>(i) >= kept) {
            candidate.removedBy = SamplingStage::TopP;
            continue;
        }
        candidate.finalProbability = probabilities[i] / mass;
        if (static_cast<int>(i) < pick)
            low += candidate.finalProbability;
    }
    const Candidate& picked = step.candidates[static_cast<std::size_t>(pick)];
    step.draw = Draw{low + picked.finalProbability / 2, low, low + picked.finalProbability};
    step.picked = step.ruleChoice = picked.piece.id;
    step.stages = {{SamplingStage::TopP, 0.9, vocabulary, kept, 1 - mass, 0}};
    return step;
}

Step handmadeGreedyStep(const std::vector<double>& probabilities, std::int64_t others)
{
    Step step = listedStep(probabilities, others);
    step.keptCount = 1;
    step.candidates.front().finalProbability = 1;
    step.picked = step.ruleChoice = step.argmax;
    return step;
}

} // namespace support
