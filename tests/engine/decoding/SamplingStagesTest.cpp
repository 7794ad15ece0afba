#include "engine/decoding/SamplingStages.h"

#include <QTest>

#include <cmath>
#include <deque>
#include <limits>
#include <vector>

using engine::CandidateSet;
using engine::TokenId;
using Positions = std::vector<std::int32_t>;

namespace {

/// Logits and their softmax, kept to the end of the program: a set looks at them.
struct Given
{
    std::vector<float> logits;
    engine::Distribution distribution;
};

const Given& given(const std::vector<float>& logits)
{
    static std::deque<Given> all;
    return all.emplace_back(Given{logits, *engine::softmax(logits)});
}

CandidateSet setOf(const std::vector<float>& logits)
{
    CandidateSet set;
    const Given& start = given(logits);
    set.reset(start.logits, start.distribution);
    return set;
}

/// Probabilities 0.6439, 0.2369, 0.0871, 0.0321; relative to the largest 1, 0.3679, 0.1353, 0.0498.
CandidateSet fourSteps()
{
    return setOf({3, 2, 1, 0});
}

} // namespace

class SamplingStagesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void repetitionPenalty_dividesPositiveAndMultipliesNegativeLogits()
    {
        CandidateSet set = setOf({3, 2, -1, 0, 4});
        const std::vector<TokenId> context = {{0}, {2}, {3}, {0}, {2}};
        // Each id once, however often it is there; the logit of 0 stays as it is.
        QCOMPARE(engine::repetitionPenalty(set, 2.0, context), std::int64_t{2});
        QCOMPARE(set.logits(), (std::vector<double>{1.5, 2, -2, 0, 4}));
    }

    void repetitionPenalty_belowOneFavoursRepeats()
    {
        CandidateSet set = setOf({3, -1});
        const std::vector<TokenId> context = {{0}, {1}};
        QCOMPARE(engine::repetitionPenalty(set, 0.5, context), std::int64_t{2});
        QCOMPARE(set.logits(), (std::vector<double>{6, -0.5}));
    }

    void repetitionPenalty_passesOverIdsThatAreNotInTheSet()
    {
        CandidateSet set = setOf({3, 2, 1});
        const Positions kept = {0, 1};
        set.keep(kept);
        const std::vector<TokenId> context = {{2}, {77}, {-1}, {1}};
        QCOMPARE(engine::repetitionPenalty(set, 2.0, context), std::int64_t{1});
        QCOMPARE(set.logits(), (std::vector<double>{3, 1}));
    }

    void repetitionPenalty_staysFiniteWhenItIsExtreme()
    {
        const std::vector<TokenId> context = {{0}, {1}};
        CandidateSet tiny = setOf({3, -1, 2});
        engine::repetitionPenalty(tiny, std::numeric_limits<double>::denorm_min(), context);
        QVERIFY(tiny.probabilities()[0] == 1.0);
        CandidateSet huge = setOf({3, -1e30F, 2});
        engine::repetitionPenalty(huge, std::numeric_limits<double>::max(), context);
        QVERIFY(huge.probabilities()[1] == 0.0);
        QVERIFY(std::abs(huge.probabilities()[2] - 1 / (1 + std::exp(-2.0))) < 1e-15);
    }

    void topK_keepsTheLargest()
    {
        QCOMPARE(engine::topK(setOf({1, 5, 3, 4}), 2), (Positions{1, 3}));
        QCOMPARE(engine::topK(setOf({1, 5, 3, 4}), 1), (Positions{1}));
    }

    void topK_keepsTheSmallerIdOfEquals()
    {
        QCOMPARE(engine::topK(setOf({2, 7, 7, 2, 7}), 2), (Positions{1, 2}));
        QCOMPARE(engine::topK(setOf({-0.0F, 0.0F, -1}), 1), (Positions{0}));
    }

    void topK_largerThanTheVocabularyKeepsAll()
    {
        QCOMPARE(engine::topK(setOf({1, 5, 3}), 3), (Positions{0, 1, 2}));
        QCOMPARE(engine::topK(setOf({1, 5, 3}), std::numeric_limits<std::int64_t>::max()),
                 (Positions{0, 1, 2}));
    }

    void topK_tellsApartWhatTinyTemperaturesMakeEqual()
    {
        // Both 13 and 12 have probability 0 here, but 13 is still the second largest.
        CandidateSet set = setOf({12, 13, 14});
        set.divideBy(1e-6);
        QVERIFY(set.probabilities()[0] == 0.0 && set.probabilities()[1] == 0.0);
        QCOMPARE(engine::topK(set, 2), (Positions{1, 2}));
    }

    // The running sums are 0.6439, 0.8808, 0.9679, 1.
    void topP_keepsTheTokenThatCrossesTheThreshold_data()
    {
        QTest::addColumn<double>("p");
        QTest::addColumn<int>("kept");
        QTest::newRow("0 keeps the first") << 0.0 << 1;
        QTest::newRow("less than the first") << 0.3 << 1;
        QTest::newRow("just below the first sum") << 0.6439 << 1;
        QTest::newRow("just above the first sum") << 0.644 << 2;
        QTest::newRow("just below the second sum") << 0.8807 << 2;
        QTest::newRow("just above the second sum") << 0.8808 << 3;
        QTest::newRow("0.9") << 0.9 << 3;
        QTest::newRow("nearly all") << 0.97 << 4;
        QTest::newRow("the largest below 1") << std::nextafter(1.0, 0.0) << 4;
    }
    void topP_keepsTheTokenThatCrossesTheThreshold()
    {
        QFETCH(double, p);
        QFETCH(int, kept);
        CandidateSet set = fourSteps();
        Positions expected(static_cast<std::size_t>(kept));
        for (int i = 0; i < kept; ++i)
            expected[static_cast<std::size_t>(i)] = i;
        QCOMPARE(engine::topP(set, p), expected);
    }

    void topP_stopsWhereTheSumIsExactlyReached()
    {
        CandidateSet set = setOf({1, 1, 1, 1}); // a quarter each
        QCOMPARE(engine::topP(set, 0.5), (Positions{0, 1}));
        QCOMPARE(engine::topP(set, 0.50001), (Positions{0, 1, 2}));
    }

    void topP_keepsTheSmallerIdsOfEquals()
    {
        CandidateSet set = setOf({1, 4, 1, 4, 1, 4});
        QCOMPARE(engine::topP(set, 0.4), (Positions{1, 3}));
    }

    void topP_keepsAllWhereRoundingLeavesTheSumBelow()
    {
        // Ten tenths sum to 0.9999999999999999.
        CandidateSet set = setOf(std::vector<float>(10, 2.0F));
        QCOMPARE(engine::topP(set, 1.0).size(), std::size_t{10});
    }

    void minP_isRelativeToTheLargest()
    {
        CandidateSet set = fourSteps();
        QCOMPARE(engine::minP(set, 0.04), (Positions{0, 1, 2, 3}));
        QCOMPARE(engine::minP(set, 0.1), (Positions{0, 1, 2}));
        QCOMPARE(engine::minP(set, 0.3), (Positions{0, 1}));
        QCOMPARE(engine::minP(set, 0.4), (Positions{0}));
    }

    void minP_ofOneKeepsAllThatEqualTheLargest()
    {
        CandidateSet set = setOf({1, 4, 3.9999F, 4});
        QCOMPARE(engine::minP(set, 1.0), (Positions{1, 3}));
    }

    void minP_seesTheTemperature()
    {
        CandidateSet set = fourSteps();
        set.divideBy(0.5); // exp(-2), 0.1353, now stands second
        QCOMPARE(engine::minP(set, 0.3), (Positions{0}));
    }
};

QTEST_APPLESS_MAIN(SamplingStagesTest)
#include "SamplingStagesTest.moc"
