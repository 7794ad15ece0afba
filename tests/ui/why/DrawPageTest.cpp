#include "ui/why/DrawPage.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/why/DrawBar.h"
#include "ui/why/DrawCounts.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace {

engine::Run runOf(const engine::Step& step)
{
    engine::Run run;
    run.steps = {step};
    run.steps[0].index = 0;
    return run;
}

/// The slices of the handmade step moved: the first loses what the second gains.
engine::Step movedStep(engine::Step step, double first, double low, double high)
{
    step.sampling.temperature = 1.25;
    step.candidates[0].finalProbability = first;
    step.candidates[1].finalProbability = 1 - first;
    step.draw->low = low;
    step.draw->high = high;
    return step;
}

} // namespace

class DrawPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysHowFarTheNearestEdgeIs()
    {
        engine::Step step = support::handmadeStep({0.6, 0.4}, 2, 0, 0);
        step.draw = engine::Draw{0.55, 0, 0.6};
        QCOMPARE(ui::edgeText(step),
                 QStringLiteral("The nearest edge is at 0.6000, 0.0500 away: beyond it u would "
                                "pick %1b.")
                     .arg(QChar(0x2423)));
        // 0 is nearer, but it is no edge to another token.
        step.draw->u = 0.01;
        QVERIFY(ui::edgeText(step).contains(QStringLiteral("0.5900 away")));
    }

    void holdsTheDrawAndSaysWhenAnEdgePassesU()
    {
        engine::Step step = support::handmadeStep({0.6, 0.4}, 2, 0, 0);
        step.draw = engine::Draw{0.55, 0, 0.6};
        ui::StepModel steps;
        steps.setRun(runOf(step));
        ui::DrawPage page;
        page.resize(700, 400);
        page.show();
        page.showStep(steps);
        QVERIFY(!page.heldBar()->isVisible());
        page.holdButton()->click();
        QVERIFY(page.heldBar()->isVisible());

        steps.setRun(runOf(movedStep(step, 0.58, 0, 0.58)));
        page.showStep(steps);
        QVERIFY(page.note()->text().contains(
            QStringLiteral("temperature 1.00 → 1.25 moved the edges, u stayed")));
        engine::Step other = movedStep(step, 0.54, 0.54, 1);
        other.picked = other.ruleChoice = other.candidates[1].piece.id;
        steps.setRun(runOf(other));
        page.showStep(steps);
        QVERIFY(page.note()->text().contains(QStringLiteral("moved an edge past u")));
        QVERIFY(page.holdButton()->isChecked());

        other.logitsSha256 = "another context";
        steps.setRun(runOf(other));
        page.showStep(steps);
        QVERIFY(!page.holdButton()->isChecked());
    }

    void countsTheDrawsItAskedFor()
    {
        ui::StepModel steps;
        steps.setRun(support::sampleRun());
        ui::DrawPage page;
        page.resize(700, 500);
        page.show();
        page.showStep(steps);
        QSignalSpy asked(&page, &ui::DrawPage::drawsRequested);
        page.manyButton()->click();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][1].toInt(), steps.selected());
        page.showDraws({0.1, 0.2, 0.9});
        QCOMPARE(page.counts()->draws(), 3);
        page.showStep(steps); // the same step
        QCOMPARE(page.counts()->draws(), 3);
        steps.select(2);
        page.showStep(steps);
        QCOMPARE(page.counts()->draws(), 0);
    }

    void saysThatGreedyHasNoDraw()
    {
        ui::StepModel steps;
        steps.setRun(support::greedyRun());
        ui::DrawPage page;
        page.showStep(steps);
        QVERIFY(page.headline()->text().contains(QStringLiteral("there is no draw")));
        QVERIFY(!page.againButton()->isEnabled() && !page.manyButton()->isEnabled() &&
                !page.holdButton()->isEnabled());
        page.showDraws({0.5});
        QCOMPARE(page.counts()->draws(), 0);
    }

    void saysWhatToDoWithoutAStep()
    {
        ui::StepModel steps;
        ui::DrawPage page;
        page.showStep(steps);
        QVERIFY(page.headline()->text().contains(QStringLiteral("Make a step")));
    }
};

QTEST_MAIN(DrawPageTest)
#include "DrawPageTest.moc"
