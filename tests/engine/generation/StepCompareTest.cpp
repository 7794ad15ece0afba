#include "engine/generation/StepCompare.h"

#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

class StepCompareTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comparesLogitsByTheirDigest()
    {
        Step a = plainStep(0);
        Step b = plainStep(0);
        QVERIFY(!logitsDiffer(a, b));
        b.logitsSha256 = digest('b');
        QVERIFY(logitsDiffer(a, b));
    }

    void comparesLogitsByTheCandidatesWhereADigestIsMissing()
    {
        Step a = plainStep(0);
        Step b = plainStep(0);
        b.logitsSha256.clear();
        QVERIFY(!logitsDiffer(a, b));
        b.candidates[1].logit += 0.001F;
        QVERIFY(logitsDiffer(a, b));
        b.candidates.pop_back(); // no longer in both
        QVERIFY(!logitsDiffer(a, b));
    }

    void comparesProbabilitiesOfCandidatesInBoth()
    {
        const Step a = plainStep(0);
        Step b = plainStep(0);
        b.candidates[0].finalProbability += 1e-15; // rounding
        QVERIFY(!probabilitiesDiffer(a, b));
        b.candidates[0].finalProbability += 1e-6;
        QVERIFY(probabilitiesDiffer(a, b));
        b = plainStep(0);
        b.candidates[1].removedBy = SamplingStage::TopP;
        QVERIFY(probabilitiesDiffer(a, b));
        b.candidates.pop_back();
        QVERIFY(!probabilitiesDiffer(a, b));
        b.rule = DecodingRule::Greedy;
        QVERIFY(probabilitiesDiffer(a, b));
    }

    void comparesPicksByIdAndText()
    {
        QVERIFY(!picksDiffer(plainStep(0), plainStep(0)));
        QVERIFY(picksDiffer(plainStep(0, 10), plainStep(0, 11)));
        Step other = plainStep(0);
        other.candidates[0].piece.bytes = "mat";
        QVERIFY(picksDiffer(plainStep(0), other));
    }

    void comparesEveryValueButTheTimings()
    {
        const Step a = plainStep(0);
        Step b = plainStep(0);
        b.timings.forward = std::chrono::microseconds(99);
        QVERIFY(equalButTimings(a, b));
        b.logitSample = {1.0F};
        QVERIFY(!equalButTimings(a, b));
        b = plainStep(0);
        b.sampling.seed = 2;
        QVERIFY(!equalButTimings(a, b));
        b = plainStep(0);
        b.others.count = 1;
        QVERIFY(!equalButTimings(a, b));
    }

    void passesOverPathsThatOneSideDoesNotTell()
    {
        const Step older = unusualRun().steps[0];
        Step newer = older;
        Step without = older;
        for (Candidate& candidate : without.candidates)
            candidate.path.clear();
        for (StageTrace& stage : without.stages)
            stage.largestProbability = 0;
        QVERIFY(equalButTimings(without, newer) && equalButTimings(newer, without));
        newer.candidates[1].path[1].rank = 3;
        QVERIFY(equalButTimings(without, newer));
        QVERIFY(!equalButTimings(older, newer));
        newer = older;
        newer.stages[0].largestProbability = 0.5;
        QVERIFY(!equalButTimings(older, newer));
    }

    void findsTheFirstStepOfThoseInBoth()
    {
        Run a = plainRun(3);
        Run b = plainRun(5);
        QVERIFY(!firstStepWhere(a, b, picksDiffer));
        b.steps[4] = plainStep(4, 11); // the other run has no step 4
        QVERIFY(!firstStepWhere(a, b, picksDiffer));
        b.steps[1] = plainStep(1, 11);
        b.steps[2] = plainStep(2, 11);
        QCOMPARE(firstStepWhere(a, b, picksDiffer), std::optional<std::size_t>(1));
    }
};

QTEST_APPLESS_MAIN(StepCompareTest)
#include "StepCompareTest.moc"
