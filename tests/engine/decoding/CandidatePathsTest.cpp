// What the decoder says that each stage saw, against plain arithmetic in long double: full sorts,
// every softmax afresh, sums one by one.

#include "engine/decoding/CandidatePaths.h"

#include "engine/decoding/Decoder.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using engine::Candidate;
using engine::CandidateAtStage;
using engine::Decoder;
using engine::DecodingRule;
using engine::SamplingConfig;
using engine::SamplingStage;
using engine::StageTrace;
using engine::Step;
using engine::TokenId;

namespace {

/// A penalised logit is rounded, so that 13 / 1.3 ties with 10.
struct Token
{
    int id;
    double logit;
    long double temperature = 1;
    long double probability = 0;
    long double massBefore = 0;

    long double score() const { return logit / temperature; }
};

/// In rank order, with probabilities and sums.
void look(std::vector<Token>& tokens)
{
    std::sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
    });
    long double total = 0;
    for (const Token& token : tokens)
        total += std::exp(token.score() - tokens[0].score());
    long double mass = 0;
    for (Token& token : tokens) {
        token.probability = std::exp(token.score() - tokens[0].score()) / total;
        token.massBefore = mass;
        mass += token.probability;
    }
}

bool isNear(double value, long double expected, long double tolerance = 1e-12L)
{
    return std::abs(value - expected) <= tolerance * std::max(1.0L, std::abs(expected));
}

/// The candidate of a step as its stage number `at` saw it; the path ends where it was removed.
const CandidateAtStage* seenAt(const Step& step, int id, std::size_t at)
{
    const Candidate* candidate = step.find(TokenId{id});
    return candidate != nullptr && at < candidate->path.size() ? &candidate->path[at] : nullptr;
}

/// Follows the stages as the step says that they cut, so that a cut at which rounding decided does
/// no harm, and holds all that they saw against plain arithmetic. The message of a difference.
QString difference(const Step& step, const std::vector<float>& logits,
                   const std::vector<TokenId>& context)
{
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < logits.size(); ++i)
        tokens.push_back({static_cast<int>(i), logits[i]});
    std::size_t compared = 0;
    for (std::size_t at = 0; at < step.stages.size(); ++at) {
        const StageTrace& stage = step.stages[at];
        look(tokens);
        if (!isNear(stage.largestProbability, tokens[0].probability))
            return QStringLiteral("largest probability of stage %1").arg(at);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const Token token = tokens[i];
            Token& after = tokens[i];
            if (stage.stage == SamplingStage::Temperature)
                after.temperature *= stage.value;
            if (stage.stage == SamplingStage::RepetitionPenalty &&
                std::find(context.begin(), context.end(), TokenId{token.id}) != context.end())
                after.logit =
                    after.logit > 0 ? after.logit / stage.value : after.logit * stage.value;
            const CandidateAtStage* seen = seenAt(step, token.id, at);
            if (seen == nullptr)
                continue;
            ++compared;
            if (seen->stage != stage.stage || seen->rank != static_cast<std::int64_t>(i) + 1 ||
                !isNear(seen->scoreBefore, token.score()) ||
                !isNear(seen->scoreAfter, after.score()) ||
                !isNear(seen->probability, token.probability) ||
                !isNear(seen->massBefore, token.massBefore))
                return QStringLiteral("stage %1, token %2").arg(at).arg(token.id);
        }
        tokens.resize(static_cast<std::size_t>(stage.after)); // those that go are always the last
    }
    std::size_t told = 0;
    std::vector<int> ids;
    for (const auto* list : {&step.candidates, &step.watched})
        for (const Candidate& candidate : *list)
            if (std::find(ids.begin(), ids.end(), candidate.piece.id.value) == ids.end()) {
                ids.push_back(candidate.piece.id.value);
                told += candidate.path.size();
                if (candidate.removedBy ? candidate.path.empty() ||
                                              candidate.path.back().stage != candidate.removedBy
                                        : candidate.path.size() != step.stages.size())
                    return QStringLiteral("length of the path of token %1").arg(ids.back());
            }
    return told == compared ? QString() : QStringLiteral("something told twice");
}

/// Each stage's rule, on the quantities that it is said to have seen.
bool decidesAsTold(const Candidate& candidate, const Step& step)
{
    for (std::size_t at = 0; at < candidate.path.size(); ++at) {
        const CandidateAtStage& seen = candidate.path[at];
        const double value = step.stages[at].value;
        const bool isRemoved = candidate.removedBy && at + 1 == candidate.path.size();
        if (seen.stage == SamplingStage::TopK &&
            isRemoved != (seen.rank > static_cast<std::int64_t>(value)))
            return false;
        if (seen.stage == SamplingStage::TopP && seen.rank > 1 &&
            isRemoved != (seen.massBefore >= value))
            return false;
        const double share = seen.probability / step.stages[at].largestProbability;
        if (seen.stage == SamplingStage::MinP && std::abs(share - value) > 1e-12 &&
            isRemoved != (share < value))
            return false;
    }
    return true;
}

template <typename T>
T oneOf(std::mt19937& random, std::initializer_list<T> values)
{
    return *(values.begin() + random() % values.size());
}

SamplingConfig randomConfig(std::mt19937& random)
{
    SamplingConfig config;
    config.rule = random() % 9 == 0 ? DecodingRule::Greedy : DecodingRule::Sample;
    config.temperature = oneOf(random, {0.3, 0.8, 1.0, 1.7});
    config.topK = oneOf<std::int64_t>(random, {0, 1, 7, 40});
    config.topP = oneOf(random, {0.1, 0.5, 0.9, 0.999, 1.0});
    config.minP = oneOf(random, {0.0, 0.01, 0.1, 0.6});
    config.repetitionPenalty = oneOf(random, {1.0, 0.5, 1.3, 4.0});
    config.seed = random();
    std::shuffle(config.order.begin(), config.order.end(), random);
    return config;
}

} // namespace

class CandidatePathsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatTheStagesSaw_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("cases");
        QTest::newRow("a few") << 12 << 1500;
        QTest::newRow("more than are listed") << 200 << 600;
        QTest::newRow("a vocabulary") << 3000 << 60;
    }
    void tellsWhatTheStagesSaw()
    {
        QFETCH(int, size);
        QFETCH(int, cases);
        std::mt19937 random(static_cast<unsigned>(size));
        Decoder decoder;
        for (int index = 0; index < cases; ++index) {
            std::normal_distribution<float> normal(0, oneOf<float>(random, {0.5F, 3.0F, 12.0F}));
            const bool ties = random() % 3 == 0;
            std::vector<float> logits(static_cast<std::size_t>(size));
            for (float& logit : logits)
                logit = ties ? std::round(normal(random)) : normal(random);
            const auto any = [&] { return TokenId{static_cast<std::int32_t>(random() % size)}; };
            std::vector<TokenId> context(random() % 20);
            std::generate(context.begin(), context.end(), any);
            std::vector<TokenId> watched(random() % 4);
            std::generate(watched.begin(), watched.end(), any);
            const auto step =
                decoder.decode({.logits = logits,
                                .context = context,
                                .stepIndex = index,
                                .sampling = randomConfig(random),
                                .topCandidates = 1 + static_cast<int>(random() % 30),
                                .forced = random() % 3 == 0 ? std::optional(any()) : std::nullopt,
                                .watched = watched});
            QVERIFY(bool(step));
            const QString found = difference(*step, logits, context);
            QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("case %1: ").arg(index) + found));
            for (const Candidate& candidate : step->candidates)
                QVERIFY(decidesAsTold(candidate, *step));
        }
    }

    // The mask of unnamed ids takes out the largest of all.
    void tellsOfTheMaskToo()
    {
        const std::vector<float> logits = {1, 9, 2, 3};
        const std::vector<std::int32_t> named = {0, 2, 3};
        SamplingConfig config;
        config.rule = DecodingRule::Sample;
        config.topK = 2;
        Decoder decoder;
        const auto step = decoder.decode(
            {.logits = logits, .context = {}, .sampling = config, .namedIds = named});
        QVERIFY(bool(step));
        const Candidate& masked = step->candidates[0];
        QCOMPARE(masked.path.size(), std::size_t{1});
        QVERIFY(masked.path[0].stage == SamplingStage::UnnamedIds && masked.path[0].rank == 1);
        QVERIFY(step->stages[0].largestProbability == masked.path[0].probability);
        const Candidate& first = step->candidates[1];
        QCOMPARE(first.path.size(), std::size_t{2});
        QCOMPARE(first.path[1].rank, std::int64_t{1});
        QVERIFY(isNear(first.path[1].probability, 1 / (1 + std::exp(-1.0L) + std::exp(-2.0L))));
        QVERIFY(first.path[1].massBefore == 0);
    }

    void hasNoInfiniteScores()
    {
        SamplingConfig config;
        config.rule = DecodingRule::Sample;
        config.temperature = 1e-300;
        config.topK = 2;
        Decoder decoder;
        const std::vector<float> logits = {1e20F, -1e20F, 0};
        const auto step = decoder.decode({.logits = logits, .context = {}, .sampling = config});
        QVERIFY(bool(step));
        for (const Candidate& candidate : step->candidates)
            for (const CandidateAtStage& seen : candidate.path)
                QVERIFY(std::isfinite(seen.scoreBefore) && std::isfinite(seen.scoreAfter));
        QCOMPARE(step->candidates[2].path[1].massBefore, 1.0);
    }

    void tellsNothingWhereNoStageRan()
    {
        Decoder decoder;
        const std::vector<float> logits = {1, 2};
        const auto step = decoder.decode({.logits = logits, .context = {}});
        QVERIFY(step && step->candidates[0].path.empty());
    }
};

QTEST_APPLESS_MAIN(CandidatePathsTest)
#include "CandidatePathsTest.moc"
