#include "engine/generation/NearTie.h"

#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

#include <cmath>

using engine::Candidate;
using engine::CloseCall;
using engine::closestCall;
using engine::Step;
using engine::TokenId;

namespace {

/// Two candidates with these logits and nothing else of weight.
Step greedyStep(float first, float second)
{
    Step step;
    step.index = 3;
    step.minLogit = -8;
    step.maxLogit = first;
    int rank = 0;
    for (const float logit : {first, second}) {
        Candidate candidate;
        candidate.piece.id = TokenId{rank};
        candidate.logit = logit;
        candidate.rank = ++rank;
        step.candidates.push_back(candidate);
    }
    step.picked = step.ruleChoice = step.argmax = TokenId{0};
    return step;
}

/// Drawn at `u` from these probabilities, the first picked.
Step drawnStep(double first, double u, float logit = 10)
{
    Step step = greedyStep(logit, logit - static_cast<float>(std::log(first / (1 - first))));
    step.rule = engine::DecodingRule::Sample;
    step.sampling.rule = engine::DecodingRule::Sample;
    step.candidates[0].probability = step.candidates[0].finalProbability = first;
    step.candidates[1].probability = step.candidates[1].finalProbability = 1 - first;
    step.draw = engine::Draw{u, 0, first, 0};
    return step;
}

} // namespace

class NearTieTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void greedyIsAsNearAsItsTopTwo()
    {
        const auto wide = closestCall(greedyStep(12, 11));
        QVERIFY(wide);
        QCOMPARE(wide->margin, 1.0);
        // Twice 1e-5 of the largest logit: both may be off.
        QVERIFY(std::abs(wide->bound - 2 * 1e-5 * 12) < 1e-12);
        QVERIFY(!wide->isNearTie());
        QCOMPARE(wide->step, 3);
        QCOMPARE(wide->rival.id.value, 1);
        QVERIFY(closestCall(greedyStep(12, std::nextafter(12.0F, 0.0F)))->isNearTie());
        QVERIFY(closestCall(greedyStep(12, 12))->isNearTie());
        QVERIFY(!closestCall(greedyStep(12, 11.999F))->isNearTie());
    }

    void aDrawIsAsNearAsTheEdgeOfItsSlice()
    {
        // Far from the edge at 0.6, and far from it in scores.
        const auto far = closestCall(drawnStep(0.6, 0.3));
        QVERIFY(far && !far->isNearTie());
        // u one hundred-thousandth below the edge: an error of 1e-4 in a score moves it that far.
        const auto near = closestCall(drawnStep(0.6, 0.59999));
        QVERIFY(near && near->isNearTie());
        QVERIFY(near->kind == CloseCall::Kind::Draw);
        QVERIFY(std::abs(near->margin - 1e-5) < 1e-12);
        QCOMPARE(near->rival.id.value, 1);
        QVERIFY(!closestCall(drawnStep(0.6, 0.5999))->isNearTie());
    }

    /// The bound of a draw is one that no error of the stated size can pass.
    void noErrorOfTheStatedSizeMovesAnEdgeFarther()
    {
        for (const double share : {0.05, 0.3, 0.5, 0.9}) {
            const double d = 1e-5 * 10;
            const double moved =
                share * std::exp(d) / (share * std::exp(d) + (1 - share) * std::exp(-d));
            const auto call = closestCall(drawnStep(share, share / 2));
            QVERIFY(call);
            const double bound = 1e-5 * 10 / 2;
            QVERIFY(std::abs(moved - share) <= bound * 1.0001);
        }
    }

    void forcedPicksAndLoneOnesAreNoCalls()
    {
        Step forced = greedyStep(12, 12);
        forced.forced = true;
        QVERIFY(!closestCall(forced));
        Step lone = greedyStep(12, 11);
        lone.candidates.pop_back();
        QVERIFY(!closestCall(lone));
    }

    void aRunNamesItsNearTiesOrTheClosest()
    {
        engine::Run run;
        run.steps = {greedyStep(12, 11), greedyStep(12, 11.5F), greedyStep(12, 10)};
        run.steps[0].index = 0;
        run.steps[1].index = 1;
        run.steps[2].index = 2;
        auto calls = engine::closeCalls(run);
        QCOMPARE(calls.size(), std::size_t(1));
        QCOMPARE(calls[0].step, 1);
        QVERIFY(!calls[0].isNearTie());
        run.steps[2] = greedyStep(12, 12);
        run.steps[2].index = 2;
        calls = engine::closeCalls(run);
        QCOMPARE(calls.size(), std::size_t(1));
        QCOMPARE(calls[0].step, 2);
        QVERIFY(calls[0].isNearTie());
    }
};

QTEST_APPLESS_MAIN(NearTieTest)
#include "NearTieTest.moc"
