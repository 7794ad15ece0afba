#include "engine/decoding/Decoder.h"

#include "engine/decoding/Exponential.h"
#include "engine/decoding/LargestValues.h"
#include "engine/decoding/Philox.h"
#include "engine/decoding/RunningSum.h"
#include "engine/decoding/SamplerChain.h"
#include "engine/decoding/SettingsCheck.h"
#include "engine/decoding/Softmax.h"

#include <algorithm>
#include <cassert>

namespace engine {

namespace {

int rankOf(TokenId id, std::span<const float> logits)
{
    return engine::rankOf(logits, static_cast<std::size_t>(id.value));
}

using RankedId = std::pair<TokenId, int>;

/// The `count` largest logits, in rank order.
std::vector<RankedId> mostProbable(std::span<const float> logits, std::size_t count)
{
    std::vector<std::int32_t> top = largestValues(logits, count);
    std::sort(top.begin(), top.end(), [logits](std::int32_t a, std::int32_t b) {
        return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
    });
    std::vector<RankedId> ranked;
    for (const std::int32_t id : top)
        ranked.emplace_back(TokenId{id}, static_cast<int>(ranked.size()) + 1);
    return ranked;
}

bool isAmong(const std::vector<RankedId>& ranked, TokenId id)
{
    return std::any_of(ranked.begin(), ranked.end(),
                       [id](const RankedId& entry) { return entry.first == id; });
}

/// The ids of Step::candidates, with their ranks: `ranked`, then `others` where they are not among
/// those, in rank order too.
std::vector<RankedId> withOthers(std::vector<RankedId> ranked, std::span<const float> logits,
                                 std::initializer_list<TokenId> others)
{
    const auto listed = static_cast<std::ptrdiff_t>(ranked.size());
    for (const TokenId id : others)
        if (!isAmong(ranked, id))
            ranked.emplace_back(id, rankOf(id, logits));
    std::sort(ranked.begin() + listed, ranked.end(),
              [](const RankedId& a, const RankedId& b) { return a.second < b.second; });
    return ranked;
}

/// The sum of `values` but for those at `left`, ascending. Subtracting those from 1 instead would
/// leave mere rounding error where they are nearly all.
double sumWithout(std::span<const double> values, const std::vector<std::size_t>& left)
{
    double result = 0;
    std::size_t begin = 0;
    for (const std::size_t position : left) {
        result += sum(values.subspan(begin, position - begin));
        begin = position + 1;
    }
    return result + sum(values.subspan(begin));
}

OtherCandidates othersOf(const std::vector<Candidate>& candidates, const Distribution& distribution,
                         const CandidateSet& kept, std::span<const double> finalProbabilities)
{
    std::vector<std::size_t> ids;
    std::vector<std::size_t> positions;
    for (const Candidate& candidate : candidates) {
        ids.push_back(static_cast<std::size_t>(candidate.piece.id.value));
        if (const auto position = kept.positionOf(candidate.piece.id))
            positions.push_back(*position);
    }
    std::sort(ids.begin(), ids.end());
    std::sort(positions.begin(), positions.end());
    OtherCandidates others;
    others.count = static_cast<std::int64_t>(distribution.weights.size() - candidates.size());
    others.probability = std::min(1.0, sumWithout(distribution.weights, ids) / distribution.total);
    if (!finalProbabilities.empty()) // else the pick has all, and it is always listed
        others.finalProbability = std::min(1.0, sumWithout(finalProbabilities, positions));
    return others;
}

std::vector<float> sampleOf(std::span<const float> logits)
{
    const std::size_t count = std::min<std::size_t>(64, logits.size());
    std::vector<float> sample(count);
    for (std::size_t i = 0; i < count; ++i)
        sample[i] = logits[i * logits.size() / count];
    return sample;
}

Result<Done> check(const DecodeRequest& request)
{
    if (const auto valid = validate(request.sampling); !valid)
        return valid.error();
    if (request.topCandidates < 1)
        return Error{ErrorCode::InvalidArgument, "top: expected a whole number from 1, found " +
                                                     std::to_string(request.topCandidates)};
    const auto vocabularySize = static_cast<std::int64_t>(request.logits.size());
    for (const TokenId id : request.watched)
        if (id.value < 0 || id.value >= vocabularySize)
            return Error{ErrorCode::InvalidArgument, "watched token: expected an id from 0 to " +
                                                         std::to_string(vocabularySize - 1) +
                                                         ", found " + std::to_string(id.value)};
    if (request.forced && (request.forced->value < 0 || request.forced->value >= vocabularySize))
        return Error{ErrorCode::InvalidArgument, "forced token: expected an id from 0 to " +
                                                     std::to_string(vocabularySize - 1) +
                                                     ", found " +
                                                     std::to_string(request.forced->value)};
    return Done{};
}

} // namespace

DrawnPosition drawFrom(std::span<const double> probabilities, double u)
{
    assert(!probabilities.empty());
    if (const auto crossing = firstCrossing(probabilities, u, Bound::Exceed))
        return {crossing->position, {u, crossing->before, crossing->after}};
    // The last of those that have any: the least of them, and the latest of its equals.
    std::size_t last = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        if (probabilities[i] > 0 &&
            (probabilities[last] <= 0 || probabilities[i] <= probabilities[last]))
            last = i;
    const double low = sumWithout(probabilities, {last});
    return {last, {u, std::min(low, u), 1.0}};
}

/// What the rule made of what the chain left.
struct Decoder::Choice
{
    /// Parallel to the kept candidates; empty for greedy decoding, where the pick has all.
    std::span<const double> finalProbabilities;
    std::size_t position = 0;
    std::optional<Draw> draw;

    double finalProbability(std::size_t of) const
    {
        if (finalProbabilities.empty())
            return of == position ? 1.0 : 0.0;
        return finalProbabilities[of];
    }
};

/// Runs the chain and chooses.
Decoder::Choice Decoder::decide(const DecodeRequest& request, const Distribution& distribution)
{
    std::vector<TokenId> followed;
    for (const auto& [id, rank] : m_ranked)
        followed.push_back(id);
    const auto follow = [&followed](TokenId id) {
        if (std::find(followed.begin(), followed.end(), id) == followed.end())
            followed.push_back(id);
    };
    if (request.forced)
        follow(*request.forced);
    for (const TokenId id : request.watched)
        follow(id);
    const auto applyAndChoose = [&] {
        m_chain.apply(request.logits, distribution, request.context, request.sampling,
                      request.namedIds, followed, m_ranked.size());
        return choose(request);
    };
    const Choice choice = applyAndChoose();
    const TokenId picked = m_chain.kept().idAt(choice.position);
    if (m_chain.stages().empty() || m_chain.paths().isFollowed(picked))
        return choice;
    // A pick from far down is known only now; the same once more, watching it too.
    follow(picked);
    return applyAndChoose();
}

Decoder::Choice Decoder::choose(const DecodeRequest& request)
{
    CandidateSet& kept = m_chain.kept();
    Choice choice;
    if (isGreedy(request.sampling)) {
        choice.position = kept.firstLargest();
        return choice;
    }
    choice.finalProbabilities = kept.probabilities();
    const DrawnPosition drawn =
        drawFrom(choice.finalProbabilities,
                 uniform(request.sampling.seed, request.stepIndex, request.drawAttempt));
    choice.position = drawn.position;
    choice.draw = drawn.draw;
    choice.draw->attempt = request.drawAttempt;
    return choice;
}

std::vector<Candidate> Decoder::candidatesOf(const DecodeRequest& request,
                                             const Distribution& distribution,
                                             const Choice& choice) const
{
    const TokenId ruleChoice = m_chain.kept().idAt(choice.position);
    std::vector<Candidate> candidates;
    for (const auto& [id, rank] :
         withOthers(m_ranked, request.logits, {ruleChoice, request.forced.value_or(ruleChoice)}))
        candidates.push_back(candidate(request, distribution, choice, id, rank));
    return candidates;
}

Candidate Decoder::candidate(const DecodeRequest& request, const Distribution& distribution,
                             const Choice& choice, TokenId id, int rank) const
{
    Candidate result;
    result.piece.id = id;
    result.logit = request.logits[static_cast<std::size_t>(id.value)];
    result.probability = distribution.probability(id);
    result.rank = rank;
    result.removedBy = m_chain.removedBy(id);
    result.path = m_chain.paths().of(id);
    if (const auto position = m_chain.kept().positionOf(id))
        result.finalProbability = choice.finalProbability(*position);
    return result;
}

Result<Step> Decoder::decode(const DecodeRequest& request)
{
    const auto begin = std::chrono::steady_clock::now();
    if (const auto valid = check(request); !valid)
        return valid.error();
    auto distribution = softmax(request.logits, std::move(m_weights));
    if (!distribution)
        return distribution.error();
    m_ranked = mostProbable(request.logits, static_cast<std::size_t>(request.topCandidates));
    const Choice choice = decide(request, *distribution);

    Step step;
    step.index = request.stepIndex;
    step.contextLength = static_cast<int>(request.context.size());
    step.entropyBits = distribution->entropyBits;
    step.logSumExp = distribution->logSumExp;
    step.minLogit = distribution->minLogit;
    step.maxLogit = distribution->maxLogit;
    step.argmax =
        TokenId{static_cast<std::int32_t>(firstEqual(request.logits, distribution->maxLogit))};
    step.ruleChoice = m_chain.kept().idAt(choice.position);
    step.forced = request.forced.has_value();
    step.picked = request.forced.value_or(step.ruleChoice);
    step.rule = isGreedy(request.sampling) ? DecodingRule::Greedy : DecodingRule::Sample;
    step.draw = choice.draw;
    step.stages = m_chain.stages();
    step.keptCount = static_cast<std::int64_t>(m_chain.kept().size());
    step.sampling = request.sampling;
    step.logitSample = sampleOf(request.logits);
    step.candidates = candidatesOf(request, *distribution, choice);
    for (const TokenId id : request.watched)
        step.watched.push_back(
            candidate(request, *distribution, choice, id, rankOf(id, request.logits)));
    step.others =
        othersOf(step.candidates, *distribution, m_chain.kept(), choice.finalProbabilities);
    m_weights = std::move(distribution->weights);
    step.timings.decode = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    return step;
}

} // namespace engine
