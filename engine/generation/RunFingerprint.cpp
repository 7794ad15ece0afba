#include "engine/generation/RunFingerprint.h"

#include "engine/generation/FingerprintWords.h"
#include "engine/io/Sha256.h"

#include <algorithm>
#include <bit>

namespace engine {

namespace {

void addId(Sha256& digest, TokenId id)
{
    digest.addNumber(static_cast<std::uint64_t>(static_cast<std::int64_t>(id.value)));
}

void addReal(Sha256& digest, double value)
{
    digest.addNumber(std::bit_cast<std::uint64_t>(value));
}

void addStarting(Sha256& digest, const Run& run)
{
    digest.addNumber(run.context.tokens.size());
    for (const ContextToken& token : run.context.tokens)
        addId(digest, token.piece.id);
}

/// What the step came to from what it was given. The final probabilities of the candidates before
/// the pick are in where its slice begins, that of the pick in the slice's length, and those behind
/// it in the number kept; so the number of candidates listed does not matter.
void addValues(Sha256& digest, const Step& step)
{
    digest.addField(step.logitsSha256);
    digest.addNumber(static_cast<std::uint64_t>(step.keptCount));
    const Candidate* picked = step.find(step.picked);
    addReal(digest, picked != nullptr ? picked->finalProbability : 0.0);
    digest.addNumber(step.draw ? 1 : 0);
    if (step.draw)
        for (const double value : {step.draw->u, step.draw->low, step.draw->high})
            addReal(digest, value);
    addId(digest, step.picked);
}

ShortDigest shortened(std::string sha256)
{
    ShortDigest digest;
    digest.words = spokenWords(sha256);
    digest.sha256 = std::move(sha256);
    return digest;
}

} // namespace

RunFingerprint fingerprintOf(const Run& run)
{
    RunFingerprint result;
    Sha256 tokens;
    addStarting(tokens, run);
    Sha256 start;
    addStarting(start, run);
    std::string soFar = start.hex();
    for (const Step& step : run.steps) {
        addId(tokens, step.picked);
        Sha256 values;
        values.addField(soFar);
        addValues(values, step);
        soFar = values.hex();
        result.steps.push_back(soFar);
    }
    result.tokens = shortened(tokens.hex());
    result.values = shortened(std::move(soFar));
    return result;
}

std::optional<int> firstDifference(const RunFingerprint& a, const RunFingerprint& b)
{
    const auto [end, unused] =
        std::mismatch(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end());
    if (end == a.steps.end() && a.steps.size() == b.steps.size())
        return std::nullopt;
    return static_cast<int>(end - a.steps.begin());
}

} // namespace engine
