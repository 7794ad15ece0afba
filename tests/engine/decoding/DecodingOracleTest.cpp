// The decoder against a second implementation, written down from the rules as plainly as possible:
// full sorts, a removed candidate is erased, every softmax afresh in long double.

#include "engine/decoding/Decoder.h"
#include "engine/decoding/Philox.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

using engine::Candidate;
using engine::Decoder;
using engine::DecodingRule;
using engine::SamplingConfig;
using engine::SamplingStage;
using engine::Step;
using engine::TokenId;

namespace {

struct Token
{
    int id;
    long double logit;
    long double probability;
};

struct Outcome
{
    int picked = 0;
    std::vector<Token> kept;
    std::map<int, SamplingStage> removed;
    std::vector<long double> removedProbability;
    std::vector<SamplingStage> ran;
    /// How near a comparison came to equality: below this, rounding decides.
    long double margin = 1;
};

void softmax(std::vector<Token>& tokens)
{
    long double largest = tokens[0].logit;
    for (const Token& token : tokens)
        largest = std::max(largest, token.logit);
    long double total = 0;
    for (Token& token : tokens)
        total += token.probability = std::exp(token.logit - largest);
    for (Token& token : tokens)
        token.probability /= total;
}

void sortByLogit(std::vector<Token>& tokens)
{
    std::sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
    });
}

std::size_t topPCount(const std::vector<Token>& sorted, double p, Outcome& outcome)
{
    long double sum = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        sum += sorted[i].probability;
        outcome.margin = std::min(outcome.margin, std::abs(sum - p));
        if (sum >= p)
            return i + 1;
    }
    return sorted.size();
}

std::size_t minPCount(const std::vector<Token>& sorted, double p, Outcome& outcome)
{
    std::size_t count = 0;
    for (const Token& token : sorted) {
        const long double bound = p * sorted[0].probability;
        if (token.logit != sorted[0].logit)
            outcome.margin = std::min(outcome.margin, std::abs(token.probability - bound));
        if (token.probability >= bound)
            ++count;
    }
    return count;
}

void runStage(SamplingStage stage, const SamplingConfig& config,
              const std::vector<TokenId>& context, Outcome& outcome)
{
    std::vector<Token>& tokens = outcome.kept;
    softmax(tokens);
    sortByLogit(tokens);
    std::size_t count = tokens.size();
    switch (stage) {
    case SamplingStage::UnnamedIds:
        break; // no part of an order
    case SamplingStage::RepetitionPenalty:
        for (Token& token : tokens)
            if (std::find(context.begin(), context.end(), TokenId{token.id}) != context.end())
                token.logit = token.logit > 0 ? token.logit / config.repetitionPenalty
                                              : token.logit * config.repetitionPenalty;
        break;
    case SamplingStage::Temperature:
        for (Token& token : tokens)
            token.logit /= config.temperature;
        break;
    case SamplingStage::TopK:
        count = std::min<std::size_t>(config.topK, count);
        break;
    case SamplingStage::TopP:
        count = topPCount(tokens, config.topP, outcome);
        break;
    case SamplingStage::MinP:
        count = minPCount(tokens, config.minP, outcome);
        break;
    }
    long double removed = 0;
    for (std::size_t i = count; i < tokens.size(); ++i) {
        outcome.removed[tokens[i].id] = stage;
        removed += tokens[i].probability;
    }
    tokens.resize(count);
    outcome.removedProbability.push_back(removed);
    outcome.ran.push_back(stage);
}

bool isOff(SamplingStage stage, const SamplingConfig& config)
{
    switch (stage) {
    case SamplingStage::UnnamedIds:
        break; // no part of an order
    case SamplingStage::RepetitionPenalty:
        return config.repetitionPenalty == 1;
    case SamplingStage::Temperature:
        return config.temperature == 1;
    case SamplingStage::TopK:
        return config.topK == 0;
    case SamplingStage::TopP:
        return config.topP == 1;
    case SamplingStage::MinP:
        return config.minP == 0;
    }
    return true;
}

Outcome textbook(const std::vector<float>& logits, const SamplingConfig& config,
                 const std::vector<TokenId>& context, int index)
{
    Outcome outcome;
    for (std::size_t i = 0; i < logits.size(); ++i)
        outcome.kept.push_back({static_cast<int>(i), logits[i], 0});
    const bool greedy = config.rule == DecodingRule::Greedy || config.temperature == 0;
    for (const SamplingStage stage : config.order)
        if (!isOff(stage, config) && (!greedy || stage == SamplingStage::RepetitionPenalty))
            runStage(stage, config, context, outcome);
    softmax(outcome.kept);
    sortByLogit(outcome.kept);
    outcome.picked = outcome.kept[0].id;
    if (greedy)
        return outcome;
    const double u = engine::uniform(config.seed, index);
    long double sum = 0;
    for (const Token& token : outcome.kept) {
        sum += token.probability;
        outcome.margin = std::min(outcome.margin, std::abs(sum - u));
        if (sum > u) {
            outcome.picked = token.id;
            break;
        }
    }
    return outcome;
}

template <typename T>
T oneOf(std::mt19937& random, std::initializer_list<T> values)
{
    return *(values.begin() + random() % values.size());
}

std::vector<float> randomLogits(std::mt19937& random)
{
    std::vector<float> logits(1 + random() % oneOf<unsigned>(random, {4, 4, 12, 12, 60, 1500}));
    std::normal_distribution<float> normal(0, oneOf<float>(random, {0.5F, 3.0F, 12.0F}));
    const bool ties = random() % 2 == 0;
    for (float& logit : logits)
        logit = ties ? static_cast<float>(static_cast<int>(random() % 7)) / 2 - 1 : normal(random);
    return logits;
}

SamplingConfig randomConfig(std::mt19937& random, std::int64_t size)
{
    SamplingConfig config;
    config.rule = random() % 8 == 0 ? DecodingRule::Greedy : DecodingRule::Sample;
    config.temperature = oneOf(random, {0.0, 0.01, 0.5, 1.0, 1.0, 1.7, 100.0});
    config.topK = oneOf<std::int64_t>(random, {0, 0, 1, 2, 7, size, size + 5});
    config.topP = oneOf(random, {0.0, 0.1, 0.5, 0.9, 0.9, 0.999, 1.0, 1.0});
    config.minP = oneOf(random, {0.0, 0.0, 0.01, 0.1, 0.6, 1.0});
    config.repetitionPenalty = oneOf(random, {1.0, 1.0, 0.5, 1.3, 4.0});
    config.seed = random();
    std::shuffle(config.order.begin(), config.order.end(), random);
    config.order.resize(config.order.size() - random() % 2);
    return config;
}

} // namespace

class DecodingOracleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheTextbookOnThousandsOfCases()
    {
        std::mt19937 random(20240229);
        Decoder decoder;
        int compared = 0;
        constexpr int cases = 6000;
        for (int index = 0; index < cases; ++index) {
            const std::vector<float> logits = randomLogits(random);
            const auto size = static_cast<std::int64_t>(logits.size());
            const SamplingConfig config = randomConfig(random, size);
            std::vector<TokenId> context(random() % 20);
            for (TokenId& id : context)
                id.value = static_cast<std::int32_t>(random() % logits.size());
            const Outcome expected = textbook(logits, config, context, index);
            if (expected.margin < 1e-12L) // an exact tie of sums, which the worked examples cover
                continue;
            ++compared;
            const auto step = decoder.decode({.logits = logits,
                                              .context = context,
                                              .stepIndex = index,
                                              .sampling = config,
                                              .topCandidates = static_cast<int>(size),
                                              .forced = {}});
            QVERIFY(bool(step));
            if (!agrees(*step, expected, config))
                QFAIL(qPrintable(QStringLiteral("case %1").arg(index)));
        }
        QVERIFY2(compared > cases * 3 / 4, qPrintable(QString::number(compared)));
    }

private:
    static bool agrees(const Step& step, const Outcome& expected, const SamplingConfig& config)
    {
        constexpr long double tolerance = 1e-12L;
        if (step.picked.value != expected.picked)
            return false;
        if (step.keptCount != static_cast<std::int64_t>(expected.kept.size()) ||
            step.stages.size() != expected.ran.size())
            return false;
        for (std::size_t i = 0; i < expected.ran.size(); ++i)
            if (step.stages[i].stage != expected.ran[i] ||
                std::abs(step.stages[i].removedProbability - expected.removedProbability[i]) >
                    tolerance)
                return false;
        std::map<int, const Candidate*> found;
        for (const Candidate& candidate : step.candidates)
            found[candidate.piece.id.value] = &candidate;
        const bool greedy = config.rule == DecodingRule::Greedy || config.temperature == 0;
        for (const auto& [id, stage] : expected.removed)
            if (found.at(id)->removedBy != stage || found.at(id)->finalProbability != 0)
                return false;
        for (const Token& token : expected.kept) {
            const Candidate* candidate = found.at(token.id);
            const long double probability =
                greedy ? (token.id == expected.picked ? 1 : 0) : token.probability;
            if (candidate->removedBy ||
                std::abs(candidate->finalProbability - probability) > tolerance)
                return false;
        }
        return true;
    }
};

QTEST_APPLESS_MAIN(DecodingOracleTest)
#include "DecodingOracleTest.moc"
