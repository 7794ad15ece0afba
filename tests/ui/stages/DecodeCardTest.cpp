#include "ui/stages/DecodeCard.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"

#include <QTest>

using engine::SamplingStage;

namespace {

/// A model whose only step is this one.
void show(ui::DecodeCard& card, const engine::Step& step)
{
    engine::Run run = support::sampleRun(1);
    run.steps = {step};
    ui::StepModel steps;
    steps.setRun(run);
    card.showStep(steps);
}

} // namespace

class DecodeCardTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFunnelNamesTheStagesThatRemovedTokens()
    {
        ui::DecodeCard card;
        const engine::Run run = support::sampleRun(1);
        show(card, run.steps[0]);
        QCOMPARE(card.funnel(),
                 u"4,096 → top-k 20 → top-p 0.90 → %1"_qs.arg(run.steps[0].keptCount));
        QVERIFY(card.toolTip().startsWith(card.funnel()));
        QVERIFY(card.toolTip().contains(u"temperature 0.80"_qs));
    }

    void stagesThatDidNothingAreLeftOut()
    {
        ui::DecodeCard card;
        engine::Step step = support::handmadeStep({0.6, 0.4}, 2, 0, 0);
        step.stages = {{SamplingStage::TopK, 40, 2, 2, 0, 0}, {SamplingStage::TopP, 1, 2, 2, 0, 0}};
        show(card, step);
        QCOMPARE(card.funnel(), u"2 → 2"_qs);
    }

    void sayWhereTheDrawLanded()
    {
        ui::DecodeCard card;
        show(card, support::handmadeStep({0.6, 0.4}, 2, 1, 0));
        QCOMPARE(card.outcome(), u"u = 0.800"_qs);
    }

    void greedyTakesTheLargest()
    {
        ui::DecodeCard card;
        show(card, support::handmadeGreedyStep({0.6, 0.3}, 4094));
        QCOMPARE(card.outcome(), u"takes the largest"_qs);
        QCOMPARE(card.funnel(), u"4,096 → largest"_qs);
    }

    void aForcedPickIsSaidToBeOne()
    {
        ui::DecodeCard card;
        show(card,
             support::forcedStep(support::handmadeStep({0.6, 0.4}, 2, 1, 0), engine::TokenId{100}));
        QCOMPARE(card.outcome(), u"u = 0.800 · but you forced another"_qs);
    }

    void withoutAStepItIsEmpty()
    {
        ui::DecodeCard card;
        ui::StepModel steps;
        steps.setRun(support::promptOnlyRun());
        card.showStep(steps);
        QVERIFY(card.segments().empty());
        QCOMPARE(card.funnel(), QString());
        card.resize(card.sizeHint());
        QVERIFY(!card.grab().isNull());
    }
};

QTEST_MAIN(DecodeCardTest)
#include "DecodeCardTest.moc"
