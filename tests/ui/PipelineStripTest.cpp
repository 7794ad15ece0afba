#include "ui/PipelineStrip.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"
#include "ui/stages/StageCard.h"

#include <QSignalSpy>
#include <QTest>

class PipelineStripTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fiveCardsShareTheWidth()
    {
        ui::PipelineStrip strip;
        strip.resize(1248, 112);
        strip.show();
        int right = 0;
        for (int stage = 1; stage <= 5; ++stage) {
            const QRect card = strip.card(stage)->geometry();
            QVERIFY(card.left() >= right);
            QVERIFY(card.width() > 150);
            right = card.right();
        }
        QCOMPARE(right, strip.width() - 1);
    }

    void aClickOnACardLightsItsStage()
    {
        ui::PipelineStrip strip;
        strip.resize(1248, 112);
        strip.show();
        QCOMPARE(strip.activeStage(), 4);
        QSignalSpy activated(&strip, &ui::PipelineStrip::stageActivated);
        QTest::mouseClick(strip.card(2), Qt::LeftButton);
        QTest::keyClick(strip.card(3), Qt::Key_Return);
        QCOMPARE(activated.count(), 2);
        QCOMPARE(activated.at(0).at(0).toInt(), 2);
        QCOMPARE(strip.activeStage(), 3);
    }

    void everyCardSaysItsValuesInWords()
    {
        ui::StepModel steps;
        const engine::Run run = support::sampleRun();
        steps.setRun(run);
        steps.select(3);
        ui::PipelineStrip strip;
        strip.showStep(steps);
        const engine::Step& step = run.steps[3];
        const auto words = [&](int stage) { return strip.card(stage)->accessibleDescription(); };
        QCOMPARE(words(1), u"The model read %1 tokens."_qs.arg(step.contextLength));
        QVERIFY(words(2).startsWith(u"4,096 scores from"_qs));
        QVERIFY(words(3).contains(QString::number(step.entropyBits, 'f', 2) + u" bit"_qs));
        QVERIFY(words(4).contains(u"top-k 20"_qs));
        QVERIFY(words(4).contains(u"u = "_qs + QString::number(step.draw->u, 'f', 3)));
        QVERIFY(words(5).contains(u"Id %1 is"_qs.arg(step.picked.value)));
    }

    void followsTheSelectedStep()
    {
        ui::StepModel steps;
        steps.setRun(support::sampleRun());
        ui::PipelineStrip strip;
        steps.select(0);
        strip.showStep(steps);
        const QString first = strip.card(5)->accessibleDescription();
        steps.select(1);
        strip.showStep(steps);
        QVERIFY(strip.card(5)->accessibleDescription() != first);
    }

    void paintsEveryStepInBothThemes()
    {
        ui::StepModel steps;
        steps.setRun(support::sampleRun());
        ui::PipelineStrip strip;
        for (const ui::Theme& theme : {ui::Theme::light(), ui::Theme::dark()}) {
            strip.setTheme(theme);
            for (int step = 0; step < steps.stepCount(); ++step) {
                steps.select(step);
                strip.showStep(steps);
                strip.resize(step % 2 ? 1248 : 640, 112);
                QVERIFY(!strip.grab().isNull());
            }
        }
    }
};

QTEST_MAIN(PipelineStripTest)
#include "PipelineStripTest.moc"
