#include "engine/generation/Alignment.h"

#include "engine/generation/InputCompare.h"
#include "engine/generation/StepCompare.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace engine {

namespace {

/// Gives equal tokens equal numbers, so that all further work is on whole numbers.
class TokenNumbers
{
public:
    explicit TokenNumbers(bool idsCount) : m_idsCount(idsCount) {}

    int of(const TokenPiece& piece)
    {
        const std::int32_t id = m_idsCount ? piece.id.value : -1;
        const auto next = static_cast<int>(m_numbers.size());
        return m_numbers.try_emplace({id, piece.bytes}, next).first->second;
    }

private:
    bool m_idsCount;
    std::map<std::pair<std::int32_t, std::string>, int> m_numbers;
};

using Numbers = std::vector<int>;

Numbers contextOf(const Run& run, TokenNumbers& numbers)
{
    Numbers result;
    for (const ContextToken& token : run.context.tokens)
        result.push_back(numbers.of(token.piece));
    return result;
}

Numbers picksOf(const Run& run, TokenNumbers& numbers)
{
    Numbers result;
    for (const Step& step : run.steps)
        result.push_back(numbers.of(pickedPiece(step)));
    return result;
}

int commonBeginning(const Numbers& a, const Numbers& b)
{
    const auto [end, unused] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<int>(end - a.begin());
}

// ---------------------------------------------------------------- where and why two runs part

std::vector<ChainSetting> differingSettings(const SamplingConfig& a, const SamplingConfig& b)
{
    std::vector<ChainSetting> settings;
    const auto note = [&settings](bool differs, ChainSetting setting) {
        if (differs)
            settings.push_back(setting);
    };
    note(a.rule != b.rule, ChainSetting::Rule);
    note(a.repetitionPenalty != b.repetitionPenalty, ChainSetting::RepetitionPenalty);
    // Beside greedy decoding the rest of the chain is no difference: it takes no part there.
    if (a.rule != b.rule || a.rule == DecodingRule::Greedy)
        return settings;
    note(a.temperature != b.temperature, ChainSetting::Temperature);
    note(a.topK != b.topK, ChainSetting::TopK);
    note(a.topP != b.topP, ChainSetting::TopP);
    note(a.minP != b.minP, ChainSetting::MinP);
    note(a.order != b.order, ChainSetting::Order);
    return settings;
}

PartingSide sideOf(const Step& step)
{
    const Candidate* picked = step.find(step.picked);
    return {.pick = pickedPiece(step),
            .rank = picked != nullptr ? picked->rank : 0,
            .rule = step.rule,
            .draw = step.draw,
            .forced = step.forced,
            .sampling = step.sampling};
}

PartingCause causeAt(const Step& a, const Step& b)
{
    if (logitsDiffer(a, b))
        return PartingCause::Logits;
    if (a.picked == b.picked)
        return PartingCause::Text;
    // A token put in by hand would have parted them under any settings.
    if (a.forced || b.forced)
        return PartingCause::Forced;
    return probabilitiesDiffer(a, b) ? PartingCause::Settings : PartingCause::Draw;
}

RunParting partingAt(const Run& a, const Run& b, std::size_t at)
{
    RunParting parting;
    parting.step = static_cast<int>(at);
    parting.sameModel = sameModel(a.model, b.model);
    if (at >= a.steps.size() || at >= b.steps.size())
        return parting;
    const Step& x = a.steps[at];
    const Step& y = b.steps[at];
    parting.cause = causeAt(x, y);
    parting.settings = differingSettings(x.sampling, y.sampling);
    parting.first = sideOf(x);
    parting.other = sideOf(y);
    if (const auto since = firstStepWhere(a, b, logitsDiffer); since && *since < at)
        parting.logitsDifferSince = static_cast<int>(*since);
    return parting;
}

// ---------------------------------------------------------------- agreeing again

using Window = std::array<int, leastAgreement>;

Window windowAt(const Numbers& tokens, std::size_t at)
{
    Window window;
    std::copy_n(tokens.begin() + static_cast<std::ptrdiff_t>(at), leastAgreement, window.begin());
    return window;
}

/// Where each window of tokens begins, ascending.
using Places = std::map<Window, std::vector<std::size_t>>;

Places placesFrom(const Numbers& tokens, std::size_t from)
{
    Places places;
    for (std::size_t i = from; i + leastAgreement <= tokens.size(); ++i)
        places[windowAt(tokens, i)].push_back(i);
    return places;
}

/// The next agreement at or behind these positions: the least passed over in both together. Each
/// token is looked at a bounded number of times in all the calls of one pair of runs, since those
/// looked at in vain lie before the agreement found, which the next call begins behind.
std::optional<Reconvergence> nextAgreement(const Places& places, const Numbers& other,
                                           std::size_t firstFrom, std::size_t otherFrom)
{
    std::optional<std::pair<std::size_t, std::size_t>> best;
    std::size_t least = 0;
    for (std::size_t j = otherFrom; j + leastAgreement <= other.size(); ++j) {
        if (best && j - otherFrom >= least)
            break;
        const auto found = places.find(windowAt(other, j));
        if (found == places.end())
            continue;
        const auto i = std::lower_bound(found->second.begin(), found->second.end(), firstFrom);
        if (i == found->second.end())
            continue;
        const std::size_t passed = (*i - firstFrom) + (j - otherFrom);
        if (!best || passed < least) {
            best = {*i, j};
            least = passed;
        }
    }
    if (!best)
        return std::nullopt;
    return Reconvergence{static_cast<int>(best->first), static_cast<int>(best->second), 0};
}

std::vector<Reconvergence> agreementsAfter(const Numbers& first, const Numbers& other,
                                           std::size_t from)
{
    std::vector<Reconvergence> agreements;
    const Places places = placesFrom(first, from);
    std::size_t i = from;
    std::size_t j = from;
    while (auto next = nextAgreement(places, other, i, j)) {
        i = static_cast<std::size_t>(next->firstStep);
        j = static_cast<std::size_t>(next->otherStep);
        while (i < first.size() && j < other.size() && first[i] == other[j]) {
            ++i;
            ++j;
            ++next->count;
        }
        agreements.push_back(*next);
    }
    return agreements;
}

// ---------------------------------------------------------------- loops

/// For each position the length of what begins there and also begins the whole (the Z-function).
std::vector<std::size_t> matchesWithBeginning(const Numbers& tokens)
{
    std::vector<std::size_t> matches(tokens.size(), 0);
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (i < right)
            matches[i] = std::min(right - i, matches[i - left]);
        while (i + matches[i] < tokens.size() && tokens[matches[i]] == tokens[i + matches[i]])
            ++matches[i];
        if (i + matches[i] > right) {
            left = i;
            right = i + matches[i];
        }
    }
    return matches;
}

std::optional<RepetitionLoop> loopAtEnd(const Numbers& picks)
{
    // Read backwards, an end with period p is a beginning that matches itself p further on.
    const std::vector<std::size_t> matches =
        matchesWithBeginning(Numbers(picks.rbegin(), picks.rend()));
    std::size_t bestPeriod = 0;
    std::size_t bestLength = 0;
    for (std::size_t period = 1; period < matches.size(); ++period) {
        const std::size_t length = period + matches[period];
        if (length >= leastLoop && length >= leastLoopCopies * period && length > bestLength) {
            bestPeriod = period;
            bestLength = length;
        }
    }
    if (bestLength == 0)
        return std::nullopt;
    return RepetitionLoop{.start = static_cast<int>(picks.size() - bestLength),
                          .period = static_cast<int>(bestPeriod),
                          .copies = static_cast<int>(bestLength / bestPeriod),
                          .length = static_cast<int>(bestLength)};
}

bool allTokenizersSame(std::span<const Run* const> runs)
{
    return std::all_of(runs.begin(), runs.end(), [&runs](const Run* run) {
        return sameTokenizer(runs.front()->tokenizer, run->tokenizer);
    });
}

} // namespace

RunComparison alignRuns(std::span<const Run* const> runs)
{
    RunComparison comparison;
    if (runs.empty())
        return comparison;
    TokenNumbers numbers(allTokenizersSame(runs));
    const Numbers firstContext = contextOf(*runs.front(), numbers);
    const Numbers firstPicks = picksOf(*runs.front(), numbers);
    comparison.sharedContext = static_cast<int>(firstContext.size());
    comparison.sharedSteps = static_cast<int>(firstPicks.size());

    for (const Run* run : runs) {
        ComparedRun compared;
        const Numbers context = contextOf(*run, numbers);
        const Numbers picks = picksOf(*run, numbers);
        compared.loop = loopAtEnd(picks);
        const int sharedContext = commonBeginning(firstContext, context);
        const bool sameContext = context == firstContext;
        const int together = sameContext ? commonBeginning(firstPicks, picks) : 0;
        comparison.sharedContext = std::min(comparison.sharedContext, sharedContext);
        comparison.sharedSteps = std::min(comparison.sharedSteps, together);

        const auto at = static_cast<std::size_t>(together);
        const bool picksPart = at < firstPicks.size() && at < picks.size();
        if (!sameContext || picksPart) {
            compared.parting = partingAt(*runs.front(), *run, at);
            if (!sameContext) {
                compared.parting->cause = PartingCause::Context;
                compared.parting->contextPosition = sharedContext;
            }
            compared.agreements = agreementsAfter(firstPicks, picks, at);
        }
        comparison.runs.push_back(std::move(compared));
    }
    return comparison;
}

} // namespace engine
