#include "engine/api/StepMetrics.h"

#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

#include <cmath>

using engine::Step;
using testing::need;

/// Every number against its formula, from the probabilities of the whole vocabulary.
class StepMetricsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersOfAStepFollowFromTheProbabilities()
    {
        engine::GenerationSession session =
            testing::start(std::string("Once upon a time"), testing::sampled(5));
        testing::advance(session, 6);
        std::vector<engine::TokenId> all;
        for (std::int32_t id = 0; id < session.run().model.vocabularySize; ++id)
            all.push_back(engine::TokenId{id});
        for (const Step& step : session.run().steps) {
            const auto vocabulary = need(session.lookUp(step.index, all, {}));
            double entropy = 0;
            double first = 0;
            double second = 0;
            double picked = 0;
            for (const engine::Candidate& candidate : vocabulary) {
                const double p = candidate.probability;
                entropy -= p > 0 ? p * std::log2(p) : 0;
                if (p > first)
                    second = std::exchange(first, p);
                else
                    second = std::max(second, p);
                if (candidate.piece.id == step.picked)
                    picked = p;
            }
            QVERIFY(std::abs(*engine::logProbability(step) - std::log(picked)) < 1e-9);
            QVERIFY(std::abs(engine::effectiveChoices(step) - std::exp2(entropy)) < 1e-9);
            const auto margin = engine::margin(step);
            QVERIFY(margin);
            QVERIFY(std::abs(margin->probability - (first - second)) < 1e-12);
            QVERIFY(std::abs(margin->logit - std::log(first / second)) < 1e-5); // of float32
        }
    }

    void perplexityIsTheInverseOfTheGeometricMean()
    {
        engine::GenerationSession session =
            testing::start(std::string("Once upon a time"), testing::sampled(5));
        testing::advance(session, 8);
        double product = 1;
        for (std::size_t count = 1; count <= 8; ++count) {
            const Step& step = session.run().steps[count - 1];
            product *= step.find(step.picked)->probability;
            const engine::RunMetrics metrics = engine::metricsOfFirst(session.run(), count);
            QCOMPARE(metrics.steps, int(count));
            QVERIFY(std::abs(metrics.logProbability - std::log(product)) < 1e-9);
            const double expected = std::pow(product, -1.0 / double(count));
            QVERIFY(std::abs(metrics.perplexity - expected) < 1e-9 * expected);
        }
        QVERIFY(engine::metricsOfFirst(session.run(), 100) ==
                engine::metricsOfFirst(session.run(), 8));
        QVERIFY(engine::metricsOfFirst(session.run(), 0) == engine::RunMetrics());
    }

    void whatIsNotListedIsNotMadeUp()
    {
        Step step;
        step.picked = engine::TokenId{5};
        QVERIFY(!engine::logProbability(step));
        QVERIFY(!engine::margin(step));
        engine::Candidate only;
        only.rank = 1;
        step.candidates = {only};
        QVERIFY(!engine::margin(step));
        only.rank = 2;
        step.candidates.push_back(only);
        QCOMPARE(engine::margin(step)->logit, 0.0); // a tie
    }
};

QTEST_APPLESS_MAIN(StepMetricsTest)
#include "StepMetricsTest.moc"
