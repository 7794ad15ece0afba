#include "engine/decoding/CandidateSet.h"

#include <QTest>

#include <cmath>
#include <deque>
#include <vector>

using engine::CandidateSet;
using engine::TokenId;

namespace {

bool near(double value, double expected)
{
    return std::abs(value - expected) <= 1e-14;
}

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

void reset(CandidateSet& set, const std::vector<float>& logits)
{
    const Given& start = given(logits);
    set.reset(start.logits, start.distribution);
}

} // namespace

class CandidateSetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsWithTheWholeVocabulary()
    {
        CandidateSet set;
        reset(set, {2, 1, 0});
        QCOMPARE(set.ids(), (std::vector<std::int32_t>{0, 1, 2}));
        QVERIFY(near(set.probabilities()[0], 0.665240955774821889));
        QVERIFY(set.weights()[0] == 1.0);
    }

    void dividesByATemperature()
    {
        CandidateSet set;
        reset(set, {2, 1, 0});
        set.divideBy(2.0);
        QVERIFY(near(set.probabilities()[0], 0.506480391055654025));
        QVERIFY(near(set.probabilities()[1], 0.307195885718498397));
        set.divideBy(0.25); // one half in all
        QVERIFY(near(set.probabilities()[0], 0.866813332197334871));
    }

    void staysFiniteAtATinyTemperature()
    {
        CandidateSet set;
        reset(set, {14, 13, 14, -14});
        set.divideBy(5e-324);
        const auto p = set.probabilities();
        QVERIFY(p[0] == 0.5 && p[1] == 0.0 && p[2] == 0.5 && p[3] == 0.0);
    }

    void keepsPositionsAndTellsWhatWentWithTheRest()
    {
        CandidateSet set;
        reset(set, {3, 2, 1, 0});
        const std::vector<std::int32_t> kept = {0, 2};
        QVERIFY(near(set.keep(kept), 0.236882818089910132 + 0.032058603280084988));
        QCOMPARE(set.ids(), (std::vector<std::int32_t>{0, 2}));
        QCOMPARE(set.positionOf(TokenId{2}), std::optional<std::size_t>(1));
        QVERIFY(!set.positionOf(TokenId{1}));
        // exp(3) and exp(1): a logistic function of 2.
        QVERIFY(near(set.probabilities()[0], 1 / (1 + std::exp(-2.0))));
    }

    void removesNothingWhereAllStay()
    {
        CandidateSet set;
        reset(set, {3, 2, 1});
        const std::vector<std::int32_t> kept = {0, 1, 2};
        QVERIFY(set.keep(kept) == 0.0);
        QVERIFY(near(set.probabilities()[0], 0.665240955774821889));
    }

    void tellsRanksScoresAndTheWeightBefore()
    {
        CandidateSet set;
        std::vector<float> logits(700, -1.0F);
        logits[3] = 2;
        logits[600] = 1;
        reset(set, logits);
        const auto version = set.version();
        set.divideBy(0.5);
        QCOMPARE(set.version(), version); // neither positions nor order
        QVERIFY(set.scoreAt(3) == 4.0 && set.scoreAt(0) == -2.0);
        QCOMPARE(set.rankOf(600), std::int64_t{2});
        QCOMPARE(set.rankOf(4), std::int64_t{6}); // behind 3, 600, 0, 1, 2
        QVERIFY(set.weightBefore(3) == 0.0);
        QVERIFY(set.weightBefore(600) == 1.0);
        QVERIFY(near(set.weightBefore(4), 1 + std::exp(-2.0) + 3 * std::exp(-6.0)));
        QVERIFY(near(set.weightBefore(699), set.totalWeight() - std::exp(-6.0)));
        set.setLogit(4, 3);
        QVERIFY(set.version() != version);
        QCOMPARE(set.rankOf(4), std::int64_t{1});
        const std::vector<std::int32_t> kept = {0, 4, 600};
        set.keep(kept);
        QCOMPARE(set.rankOf(2), std::int64_t{2});
        QVERIFY(near(set.weightBefore(2), 1.0));
    }

    void forgetsTheStepBefore()
    {
        CandidateSet set;
        reset(set, {9, 1, 1, 1, 1});
        set.divideBy(3);
        set.setLogit(0, -5);
        const std::vector<std::int32_t> kept = {1, 2};
        set.keep(kept);
        reset(set, {2, 1, 0});
        QCOMPARE(set.size(), std::size_t{3});
        QVERIFY(set.temperature() == 1.0);
        QVERIFY(near(set.probabilities()[2], 0.090030573170380457));
    }
};

QTEST_APPLESS_MAIN(CandidateSetTest)
#include "CandidateSetTest.moc"
