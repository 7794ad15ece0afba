#include "ui/DistributionRows.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"

#include <QTest>

using engine::SamplingStage;
using engine::Step;
using engine::TokenId;
using support::handmadeGreedyStep;
using support::handmadeStep;
using ui::BarScale;
using ui::DistributionRow;
using ui::DistributionRows;

namespace {

bool near(double a, double b)
{
    return qAbs(a - b) < 1e-12;
}

const std::vector<double> five = {0.4, 0.2, 0.2, 0.1, 0.05};

} // namespace

class DistributionRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCandidateIsARowAndTheRestIsOne()
    {
        const auto shown = DistributionRows::of(handmadeStep(five, 4, 2, 4091));
        QCOMPARE(shown.rows.size(), 6U);
        QCOMPARE(shown.rows[2].rank, 3);
        QCOMPARE(shown.rows[2].piece.id, TokenId{102});
        QVERIFY(shown.rows[5].isOthers());
        QCOMPARE(shown.rows[5].others, 4091);
        QVERIFY(near(shown.rows[5].probability, 0.05));
    }

    void withoutOtherTokensThereIsNoRowForThem()
    {
        const auto shown = DistributionRows::of(handmadeStep({1.0}, 1, 0, 0));
        QCOMPARE(shown.rows.size(), 1U);
        QVERIFY(shown.rows[0].isArgmax && shown.rows[0].isPicked);
        QVERIFY(!shown.cutLine);
        QCOMPARE(shown.keptWords, QString());
    }

    void theRunningSumGoesDownTheRanks()
    {
        const auto shown = DistributionRows::of(handmadeStep(five, 4, 2, 4091));
        QVERIFY(near(*shown.rows[0].cumulative, 0.4));
        QVERIFY(near(*shown.rows[3].cumulative, 0.9));
        QVERIFY(!shown.rows[5].cumulative);
    }

    void theRunningSumIsUnknownBelowAMissingRank()
    {
        Step step = handmadeStep(five, 5, 4, 4091);
        step.candidates[4].rank = 3000;
        const auto shown = DistributionRows::of(step);
        QVERIFY(shown.rows[3].cumulative);
        QVERIFY(!shown.rows[4].cumulative);
    }

    void rowsBeyondTheLimitJoinTheOthers()
    {
        const auto shown = DistributionRows::of(handmadeStep(five, 4, 1, 4091), 3);
        QCOMPARE(shown.rows.size(), 4U);
        QCOMPARE(shown.rows[2].rank, 3);
        QCOMPARE(shown.rows[3].others, 4093);
        QVERIFY(near(shown.rows[3].probability, 0.2));
        QVERIFY(near(shown.rows[3].finalProbability, 0.1 / 0.9));
    }

    void thePickHasARowHoweverLowItsRank()
    {
        Step step = handmadeStep(five, 5, 4, 4091);
        step.candidates[4].rank = 3000;
        const auto shown = DistributionRows::of(step, 3);
        QCOMPARE(shown.rows.size(), 4U);
        QCOMPARE(shown.rows[2].rank, 3000);
        QVERIFY(shown.rows[2].isPicked);
        QCOMPARE(shown.rows[3].others, 4093);
    }

    void theLineStandsAboveTheFirstCutRowAndSaysWhy()
    {
        const auto shown = DistributionRows::of(handmadeStep(five, 4, 2, 4091));
        QVERIFY(shown.cutLine);
        QCOMPARE(shown.cutLine->firstRowBelow, 4);
        QCOMPARE(shown.cutLine->words, u"top-p 0.90 cuts below · 4 of 4,096 tokens kept"_qs);
    }

    void theLineNamesTheStageThatCutAllOthers()
    {
        Step step = handmadeStep(five, 5, 2, 4091);
        step.stages = {{SamplingStage::TopK, 5, 4096, 5, 0.05, 0}};
        const auto shown = DistributionRows::of(step);
        QCOMPARE(shown.cutLine->firstRowBelow, 5);
        QCOMPARE(shown.cutLine->words, u"top-k 5 cuts below · 5 of 4,096 tokens kept"_qs);
    }

    void withCutAndKeptRowsMixedThereIsNoLineButTheCountStays()
    {
        Step step = handmadeStep(five, 4, 2, 4091);
        step.candidates[1].removedBy = SamplingStage::TopP;
        step.candidates[1].finalProbability = 0;
        step.keptCount = 3;
        const auto shown = DistributionRows::of(step);
        QVERIFY(!shown.cutLine);
        QVERIFY(shown.rows[1].isCut);
        QCOMPARE(shown.keptWords, u"3 of 4,096 tokens kept"_qs);
    }

    void othersThatAreKeptInPartAreNotCut()
    {
        Step step = handmadeStep(five, 5, 2, 4091);
        step.keptCount = 100;
        step.others.finalProbability = 0.01;
        const auto shown = DistributionRows::of(step);
        QVERIFY(!shown.rows.back().isCut);
        QVERIFY(!shown.cutLine);
    }

    void aKeptTokenGainsWhatTheCutOnesLose()
    {
        const auto shown = DistributionRows::of(handmadeStep(five, 4, 2, 4091));
        const ui::Bar kept = shown.bar(shown.rows[0], BarScale::Linear);
        QVERIFY(near(kept.solid, 0.4));
        QVERIFY(near(kept.gain, 0.4 / 0.9 - 0.4));
        QCOMPARE(kept.lost, 0.0);
        QCOMPARE(shown.bar(shown.rows[4], BarScale::Linear), (ui::Bar{0, 0, 0.05}));
    }

    void aTokenThatTemperatureLowersKeepsTheRest()
    {
        Step step = handmadeStep(five, 5, 0, 0);
        step.candidates[4].finalProbability = 0.02;
        const auto shown = DistributionRows::of(step);
        const ui::Bar bar = shown.bar(shown.rows[4], BarScale::Linear);
        QVERIFY(near(bar.solid, 0.02));
        QVERIFY(near(bar.lost, 0.03));
    }

    void greedyHasNoGainAndNoCut()
    {
        const auto shown = DistributionRows::of(handmadeGreedyStep(five, 4091));
        QVERIFY(!shown.hasFinal);
        QVERIFY(!shown.cutLine);
        for (const DistributionRow& row : shown.rows) {
            QVERIFY(!row.isCut);
            QCOMPARE(shown.bar(row, BarScale::Linear), (ui::Bar{row.probability, 0, 0}));
        }
    }

    void theLogarithmicScaleRunsFromAThousandthOfAPercentToAll()
    {
        Step step = handmadeStep({0.9, 0.001, 0.00001, 0.000001}, 2, 0, 0);
        const auto shown = DistributionRows::of(step);
        QVERIFY(near(shown.bar(shown.rows[1], BarScale::Logarithmic).solid, 0.4));
        QCOMPARE(shown.bar(shown.rows[1], BarScale::Logarithmic).gain, 0.0);
        QVERIFY(near(shown.bar(shown.rows[2], BarScale::Logarithmic).lost, 0.0));
        QCOMPARE(shown.bar(shown.rows[3], BarScale::Logarithmic).lost, 0.0);
    }

    void aForcedPickMarksTheRulesChoiceToo()
    {
        const Step step = support::forcedStep(handmadeStep(five, 4, 0, 4091), TokenId{104});
        const auto shown = DistributionRows::of(step);
        QVERIFY(shown.rows[0].isRuleChoice && !shown.rows[0].isPicked);
        QVERIFY(shown.rows[4].isForced && shown.rows[4].isPicked && shown.rows[4].isCut);
        QCOMPARE(shown.bar(shown.rows[4], BarScale::Linear), (ui::Bar{0.05, 0, 0}));
    }

    void theAxisEndsAtTheNextFivePercent_data()
    {
        QTest::addColumn<double>("largest");
        QTest::addColumn<double>("end");
        QTest::newRow("ordinary") << 0.243 << 0.25;
        QTest::newRow("on a multiple") << 0.25 << 0.25;
        QTest::newRow("just above one") << 0.2501 << 0.3;
        QTest::newRow("nearly all") << 0.999 << 1.0;
        QTest::newRow("all") << 1.0 << 1.0;
        QTest::newRow("small") << 0.03 << 0.05;
        QTest::newRow("flat, 1 of 4,096") << 1.0 / 4096 << 0.0005;
        QTest::newRow("flat, 1 of 100") << 0.01 << 0.01;
    }

    void theAxisEndsAtTheNextFivePercent()
    {
        QFETCH(double, largest);
        QFETCH(double, end);
        const auto shown = DistributionRows::of(handmadeGreedyStep({largest}, 10));
        QVERIFY2(near(shown.axisMaximum(), end), qPrintable(QString::number(shown.axisMaximum())));
    }

    void theOthersDoNotStretchTheAxis()
    {
        const auto shown = DistributionRows::of(handmadeGreedyStep({0.1, 0.1}, 4094));
        QVERIFY(near(shown.rows.back().probability, 0.8));
        QVERIFY(near(shown.axisMaximum(), 0.1));
    }

    void rowsAreSpokenAsSentences()
    {
        const auto shown = DistributionRows::of(handmadeStep(five, 4, 2, 4091));
        QCOMPARE(ui::spokenText(shown.rows[2]),
                 u"token ␣c, probability 20.0 percent, rank 3, picked"_qs);
        QCOMPARE(ui::spokenText(shown.rows[4]),
                 u"token ␣e, probability 5.0 percent, rank 5, removed by top-p"_qs);
        QCOMPARE(ui::spokenText(shown.rows[5]),
                 u"all other 4,091 tokens, probability 5.0 percent"_qs);
    }

    void aSampledRunAddsUpToOneInEveryStep()
    {
        for (const Step& step : support::sampleRun().steps) {
            for (const int limit : {2, 7, 20, DistributionRows::unlimited}) {
                double probability = 0;
                double finalProbability = 0;
                for (const DistributionRow& row : DistributionRows::of(step, limit).rows) {
                    probability += row.probability;
                    finalProbability += row.finalProbability;
                }
                QVERIFY(qAbs(probability - 1) < 1e-9);
                QVERIFY(qAbs(finalProbability - 1) < 1e-9);
            }
        }
    }
};

QTEST_APPLESS_MAIN(DistributionRowsTest)
#include "DistributionRowsTest.moc"
