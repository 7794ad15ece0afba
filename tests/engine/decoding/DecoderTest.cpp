#include "engine/decoding/Decoder.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using engine::Candidate;
using engine::Decoder;
using engine::DecodeRequest;
using engine::DecodingRule;
using engine::drawFrom;
using engine::DrawnPosition;
using engine::ErrorCode;
using engine::SamplingConfig;
using engine::SamplingStage;
using engine::Step;
using engine::TokenId;

namespace {

constexpr double largestU = 1.0 - 0x1p-53;

bool near(double value, double expected)
{
    return std::abs(value - expected) <= 1e-14;
}

SamplingConfig sampling(std::uint64_t seed = 0)
{
    SamplingConfig config;
    config.rule = DecodingRule::Sample;
    config.seed = seed;
    return config;
}

Step decode(const std::vector<float>& logits, const SamplingConfig& config, int index = 0,
            int top = 20, std::optional<TokenId> forced = {},
            const std::vector<TokenId>& context = {})
{
    Decoder decoder;
    auto step = decoder.decode({.logits = logits,
                                .context = context,
                                .stepIndex = index,
                                .sampling = config,
                                .topCandidates = top,
                                .forced = forced});
    return step ? *step : Step{};
}

std::vector<std::int32_t> idsOf(const Step& step)
{
    std::vector<std::int32_t> ids;
    for (const Candidate& candidate : step.candidates)
        ids.push_back(candidate.piece.id.value);
    return ids;
}

} // namespace

class DecoderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Descending: position 1 (0.5), 2 (0.3), 0 (0.2).
    void draw_picksTheFirstWhoseRunningSumExceedsU_data()
    {
        QTest::addColumn<double>("u");
        QTest::addColumn<int>("position");
        QTest::newRow("0") << 0.0 << 1;
        QTest::newRow("just below the first sum") << std::nextafter(0.5, 0.0) << 1;
        QTest::newRow("the first sum itself is not exceeded") << 0.5 << 2;
        QTest::newRow("just below the second sum") << std::nextafter(0.8, 0.0) << 2;
        QTest::newRow("the second sum") << 0.8 << 0;
        QTest::newRow("just under 1") << largestU << 0;
    }
    void draw_picksTheFirstWhoseRunningSumExceedsU()
    {
        QFETCH(double, u);
        QFETCH(int, position);
        const DrawnPosition drawn = drawFrom(std::vector<double>{0.2, 0.5, 0.3}, u);
        QCOMPARE(static_cast<int>(drawn.position), position);
        QVERIFY(drawn.draw.u == u);
        QVERIFY(drawn.draw.low <= u && u < drawn.draw.high);
    }

    void draw_takesEqualsByPosition()
    {
        const std::vector<double> quarters(4, 0.25);
        QCOMPARE(drawFrom(quarters, 0.0).position, std::size_t{0});
        QCOMPARE(drawFrom(quarters, 0.25).position, std::size_t{1});
        QCOMPARE(drawFrom(quarters, 0.74).position, std::size_t{2});
        QCOMPARE(drawFrom(quarters, 0.75).position, std::size_t{3});
    }

    void draw_justUnderOneYieldsTheLastEvenIfTheSumFallsShort()
    {
        // Ten tenths sum to 1 - 2^-53, which is not more than u.
        const DrawnPosition drawn = drawFrom(std::vector<double>(10, 0.1), largestU);
        QCOMPARE(drawn.position, std::size_t{9});
        QVERIFY(drawn.draw.high == 1.0 && drawn.draw.low < largestU);
    }

    void draw_neverYieldsWhatHasNoProbability()
    {
        std::vector<double> probabilities(12, 0.1);
        probabilities[3] = 0;
        probabilities[11] = 0;
        QCOMPARE(drawFrom(probabilities, largestU).position, std::size_t{10});
        QCOMPARE(drawFrom(std::vector<double>{0.0, 1.0, 0.0}, largestU).position, std::size_t{1});
    }

    void greedy_takesTheArgmaxAndDrawsNothing()
    {
        const Step step = decode({1, 3, 2}, SamplingConfig());
        QVERIFY(step.picked == TokenId{1} && step.argmax == TokenId{1});
        QVERIFY(step.rule == DecodingRule::Greedy);
        QVERIFY(!step.draw && step.stages.empty() && !step.forced);
        QCOMPARE(idsOf(step), (std::vector<std::int32_t>{1, 2, 0}));
        QVERIFY(step.candidates[0].finalProbability == 1.0);
        QVERIFY(step.candidates[1].finalProbability == 0.0);
        QVERIFY(!step.candidates[1].removedBy);
        QVERIFY(near(step.candidates[0].probability, 0.665240955774821889));
        QCOMPARE(step.keptCount, std::int64_t{3});
        QVERIFY(step.others.count == 0 && step.others.probability == 0);
    }

    void greedy_takesTheSmallerIdOfEquals()
    {
        QVERIFY(decode({1, 3, 2, 3}, SamplingConfig()).picked == TokenId{1});
        QVERIFY(decode({-0.0F, 0.0F}, SamplingConfig()).picked == TokenId{0});
        QVERIFY(decode({0.0F, -0.0F}, SamplingConfig()).argmax == TokenId{0});
    }

    void greedy_withAPenaltyPicksAnotherThanTheArgmax()
    {
        SamplingConfig config;
        config.repetitionPenalty = 2;
        const Step step = decode({1, 3, 2}, config, 0, 1, {}, {{1}});
        QVERIFY(step.argmax == TokenId{1});
        QVERIFY(step.picked == TokenId{2});
        QCOMPARE(step.contextLength, 1);
        QCOMPARE(step.stages.size(), std::size_t{1});
        // Listed behind the most probable, since it is not among them.
        QCOMPARE(idsOf(step), (std::vector<std::int32_t>{1, 2}));
        QCOMPARE(step.candidates[1].rank, 2);
    }

    void greedy_skipsIdsTheTokenizerCannotNameAndShowsTheArgmaxAllTheSame()
    {
        const std::vector<float> logits = {1, 2, 5, 0};
        const std::vector<std::int32_t> named = {0, 1, 3};
        engine::Decoder decoder;
        const auto step = decoder.decode({.logits = logits, .context = {}, .namedIds = named});
        QVERIFY(bool(step));
        QCOMPARE(step->argmax, TokenId{2});
        QCOMPARE(step->picked, TokenId{1});
        QCOMPARE(step->find(TokenId{2})->removedBy, SamplingStage::UnnamedIds);
        QCOMPARE(step->find(TokenId{2})->rank, 1);
        QCOMPARE(step->keptCount, 3);
    }

    void temperatureZeroIsGreedyWhateverTheRuleSays()
    {
        SamplingConfig config = sampling();
        config.temperature = 0;
        config.topK = 1;
        const Step step = decode({1, 3, 2}, config);
        QVERIFY(step.rule == DecodingRule::Greedy && step.picked == TokenId{1});
        QVERIFY(!step.draw && step.stages.empty());
        QVERIFY(step.sampling == config);
    }

    void aTinyTemperaturePicksTheArgmax()
    {
        for (const double temperature : {1e-3, 1e-100, 5e-324}) {
            SamplingConfig config = sampling();
            config.temperature = temperature;
            for (int index = 0; index < 20; ++index) {
                const Step step = decode({1, 3, 2}, config, index);
                QVERIFY(step.picked == TokenId{1} && step.rule == DecodingRule::Sample);
                QVERIFY(step.candidates[0].finalProbability == 1.0);
            }
        }
    }

    // u is 0.6706 for seed 42, step 3, and 0.8805 for seed 0, step 0.
    void sample_drawsByTheSeedAndTheStep()
    {
        const Step step = decode({2, 1, 0}, sampling(42), 3);
        QVERIFY(step.rule == DecodingRule::Sample);
        QVERIFY(step.draw.has_value());
        QVERIFY(step.draw->u == 0.6706398529302326);
        QVERIFY(step.picked == TokenId{1}); // the first reaches 0.6652
        QVERIFY(near(step.draw->low, 0.665240955774821889));
        QVERIFY(near(step.draw->high, 0.665240955774821889 + 0.244728471054797652));
        QVERIFY(decode({2, 1, 0}, sampling(0), 0).draw->u == 0.8805201978886142);
        QVERIFY(decode({2.1F, 1, 0}, sampling(42), 3).picked == TokenId{0});
    }

    void sample_ofEqualLogitsGoesByTheSmallerId()
    {
        // u = 0.8805 falls into the fourth quarter, u = 0.6706 into the third.
        QVERIFY(decode({1, 1, 1, 1}, sampling(0), 0).picked == TokenId{3});
        QVERIFY(decode({1, 1, 1, 1}, sampling(42), 3).picked == TokenId{2});
    }

    void sample_withTopKOneIsTheArgmax()
    {
        SamplingConfig config = sampling();
        config.topK = 1;
        for (int index = 0; index < 10; ++index) {
            const Step step = decode({1, 1.1F, 1}, config, index);
            QVERIFY(step.picked == TokenId{1});
            QVERIFY(step.draw->low == 0.0 && step.draw->high == 1.0);
            QVERIFY(step.keptCount == 1);
        }
    }

    void recordsWhoRemovedACandidate()
    {
        SamplingConfig config = sampling(1);
        config.topK = 2;
        const Step step = decode({3, 2, 1, 0}, config);
        QVERIFY(!step.candidates[1].removedBy);
        QVERIFY(step.candidates[2].removedBy == SamplingStage::TopK);
        QVERIFY(step.candidates[2].finalProbability == 0.0);
        QVERIFY(near(step.candidates[2].probability, 0.087144318742032567));
        QVERIFY(near(step.candidates[0].finalProbability, 0.731058578630004879));
    }

    void listsTheMostProbableThenThePickedOne()
    {
        // Equal shares of a sixteenth: u = 0.8805 picks id 14.
        const Step step = decode(std::vector<float>(16, 0.0F), sampling(0), 0, 3);
        QCOMPARE(idsOf(step), (std::vector<std::int32_t>{0, 1, 2, 14}));
        QCOMPARE(step.candidates[3].rank, 15);
        QCOMPARE(step.others.count, std::int64_t{12});
        QVERIFY(near(step.others.probability, 0.75));
        QVERIFY(near(step.others.finalProbability, 0.75));
    }

    void countsTheOthersAfterTheChain()
    {
        SamplingConfig config = sampling(0);
        config.topK = 2;
        const Step step = decode({3, 2, 1, 0}, config, 0, 1);
        // u = 0.8805 picks the second of two; the third and fourth are the others, both removed.
        QCOMPARE(idsOf(step), (std::vector<std::int32_t>{0, 1}));
        QCOMPARE(step.others.count, std::int64_t{2});
        QVERIFY(near(step.others.probability, 0.087144318742032567 + 0.032058603280084988));
        QVERIFY(step.others.finalProbability == 0.0);
    }

    void draw_ofALaterAttemptTakesTheStepsNextNumber()
    {
        const std::vector<float> logits(4, 0.0F); // slices of a quarter
        Decoder decoder;
        const auto step = decoder.decode({.logits = logits,
                                          .context = {},
                                          .stepIndex = 3,
                                          .drawAttempt = 1,
                                          .sampling = sampling(42)});
        QVERIFY(step && step->draw);
        QCOMPARE(step->draw->u, 0.4705470906429242);
        QCOMPARE(step->draw->attempt, 1);
        QVERIFY(step->picked == TokenId{1}); // 0.25 <= u < 0.5; the first number is in [0.5, 0.75)
        QVERIFY(decode(logits, sampling(42), 3).picked == TokenId{2});
    }
    void watched_areRecordedWithWhatTheChainMadeOfThem()
    {
        const std::vector<float> logits = {2, 1, 0, -1, 1};
        const std::vector<TokenId> watched = {TokenId{4}, TokenId{3}};
        SamplingConfig config = sampling(1);
        config.topK = 3;
        Decoder decoder;
        const auto step = decoder.decode({.logits = logits,
                                          .context = {},
                                          .sampling = config,
                                          .topCandidates = 1,
                                          .watched = watched});
        QVERIFY(step && step->watched.size() == 2);
        QVERIFY(step->watched[0].piece.id == TokenId{4} && step->watched[0].rank == 3);
        QVERIFY(!step->watched[0].removedBy && step->watched[0].finalProbability > 0);
        QVERIFY(step->watched[1].rank == 5 && step->watched[1].finalProbability == 0);
        QVERIFY(step->watched[1].removedBy == SamplingStage::TopK);
        QVERIFY(near(step->watched[0].probability, std::exp(1 - step->logSumExp)));
        QVERIFY(step->find(TokenId{3}) != nullptr);
        const std::vector<TokenId> outside = {TokenId{5}};
        const auto refused = decoder.decode({.logits = logits, .context = {}, .watched = outside});
        QVERIFY(!refused && refused.error().message.find("found 5") != std::string::npos);
    }
    void forced_replacesThePickAndKeepsTheRulesOwnChoiceAndDraw()
    {
        SamplingConfig config = sampling(42);
        config.topK = 2;
        const Step rule = decode({2, 1, 0, -1}, config, 3, 1);
        const Step forced = decode({2, 1, 0, -1}, config, 3, 1, TokenId{3});
        QVERIFY(forced.forced && forced.picked == TokenId{3});
        QVERIFY(forced.ruleChoice == rule.picked);
        QVERIFY(forced.draw == rule.draw);
        // The most probable, then the rule's choice and the forced one in rank order.
        QCOMPARE(idsOf(forced), (std::vector<std::int32_t>{0, 3}));
        QVERIFY(forced.find(TokenId{3})->removedBy == SamplingStage::TopK);
        QVERIFY(forced.find(TokenId{3})->finalProbability == 0.0);
        QCOMPARE(forced.find(TokenId{3})->rank, 4);
        const Step both = decode({2, 1, 0, -1}, SamplingConfig(), 0, 1, TokenId{2});
        QCOMPARE(idsOf(both), (std::vector<std::int32_t>{0, 2}));
    }

    void forced_listsTheRulesChoiceToo()
    {
        const Step step = decode(std::vector<float>(16, 0.0F), sampling(0), 0, 2, TokenId{9});
        QCOMPARE(idsOf(step), (std::vector<std::int32_t>{0, 1, 9, 14}));
        QVERIFY(step.ruleChoice == TokenId{14});
    }

    void samplesTheLogitsEvenly()
    {
        std::vector<float> logits(640);
        for (std::size_t i = 0; i < logits.size(); ++i)
            logits[i] = static_cast<float>(i);
        const Step step = decode(logits, SamplingConfig());
        QCOMPARE(step.logitSample.size(), std::size_t{64});
        QVERIFY(step.logitSample[0] == 0.0F && step.logitSample[63] == 630.0F);
        QVERIFY(step.minLogit == 0.0F && step.maxLogit == 639.0F);
        QCOMPARE(decode({3, 1}, SamplingConfig()).logitSample, (std::vector<float>{3, 1}));
    }

    void ranksByTheRawLogit()
    {
        const Step step = decode({5, 7, 7, 1, 5}, SamplingConfig());
        QCOMPARE(idsOf(step), (std::vector<std::int32_t>{1, 2, 0, 4, 3}));
        for (int i = 0; i < 5; ++i)
            QCOMPARE(step.candidates[static_cast<std::size_t>(i)].rank, i + 1);
    }

    void givesTheSameStepWhateverCameBefore()
    {
        const std::vector<float> first = {1, 5, 2, 2, 0, 9, 4};
        const std::vector<float> second = {0.5F, 0.25F, 3};
        SamplingConfig config = sampling(9);
        config.topP = 0.9;
        config.temperature = 1.5;
        Decoder used;
        QVERIFY(bool(used.decode({.logits = first, .context = {}, .sampling = config})));
        const auto after = used.decode({.logits = second, .context = {}, .sampling = config});
        const Step fresh = decode(second, config);
        QVERIFY(bool(after));
        QVERIFY(after->candidates == fresh.candidates && after->draw == fresh.draw);
        QVERIFY(after->stages == fresh.stages && after->others == fresh.others);
    }

    void refusesBadRequests()
    {
        Decoder decoder;
        const std::vector<float> logits = {1, 2};
        SamplingConfig bad;
        bad.topP = 2;
        QCOMPARE(decoder.decode({.logits = logits, .context = {}, .sampling = bad}).error().code,
                 ErrorCode::InvalidArgument);
        const auto forced = decoder.decode({.logits = logits, .context = {}, .forced = TokenId{2}});
        QCOMPARE(forced.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(QString::fromStdString(forced.error().message),
                 QStringLiteral("forced token: expected an id from 0 to 1, found 2"));
        QVERIFY(!decoder.decode({.logits = logits, .context = {}, .topCandidates = 0}));
        QVERIFY(!decoder.decode({.logits = {}, .context = {}}));
        const std::vector<float> broken = {1, std::numeric_limits<float>::quiet_NaN()};
        QCOMPARE(decoder.decode({.logits = broken, .context = {}}).error().code,
                 ErrorCode::NotFinite);
        // And works on after that.
        QVERIFY(decoder.decode({.logits = logits, .context = {}})->picked == TokenId{1});
    }
};

QTEST_APPLESS_MAIN(DecoderTest)
#include "DecoderTest.moc"
