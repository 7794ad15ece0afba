#include "ui/StepFactsPanel.h"

#include "tests/ui/support/SampleRun.h"

#include <QLabel>
#include <QTest>

using ui::StepFactsPanel;

namespace {

/// Numbers that can be worked by hand: entropy 3 bit, so perplexity 8; p = 1/4, so 2 bit.
engine::Step simpleStep()
{
    engine::Step step;
    step.entropyBits = 3;
    step.candidates.resize(2);
    step.candidates[0].piece.id = {5};
    step.candidates[0].rank = 1;
    step.candidates[0].probability = 0.5;
    step.candidates[1].piece.id = {9};
    step.candidates[1].rank = 2;
    step.candidates[1].probability = 0.25;
    step.argmax = {5};
    step.picked = {9};
    step.rule = engine::DecodingRule::Sample;
    step.draw = engine::Draw{0.6706398529, 0.5, 0.75};
    step.keptCount = 1234;
    step.timings.forward = std::chrono::microseconds(1940);
    return step;
}

} // namespace

class StepFactsPanelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheFiguresOfAStep();
    void greedyHasNoDraw();
    void withoutAStepThereAreDashes();
    void aPickThatIsNotListedSaysSo();
    void everyFactExplainsItself();
    void whatTheMaskTookOutIsShownWhereThereIsAMask();
};

void StepFactsPanelTest::whatTheMaskTookOutIsShownWhereThereIsAMask()
{
    StepFactsPanel panel;
    engine::Step step = simpleStep();
    const auto visibleLabels = [&panel] {
        int count = 0;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            count += label->isVisibleTo(&panel) ? 1 : 0;
        return count;
    };
    panel.setStep(&step, 4096);
    const int without = visibleLabels();
    QCOMPARE(panel.text(StepFactsPanel::UnnamedIds), QString());
    engine::StageTrace mask;
    mask.stage = engine::SamplingStage::UnnamedIds;
    mask.before = 4096;
    mask.after = 4000;
    mask.removedProbability = 0.0123;
    step.stages = {mask};
    panel.setStep(&step, 4096);
    QCOMPARE(panel.text(StepFactsPanel::UnnamedIds), QStringLiteral("1.2 %"));
    QCOMPARE(visibleLabels(), without + 2);
    panel.setStep(nullptr, 0);
    QCOMPARE(visibleLabels(), without);
}

void StepFactsPanelTest::showsTheFiguresOfAStep()
{
    StepFactsPanel panel;
    const engine::Step step = simpleStep();
    panel.setStep(&step, 4096);
    QCOMPARE(panel.text(StepFactsPanel::Entropy), QStringLiteral("3.00 bit"));
    QCOMPARE(panel.text(StepFactsPanel::Perplexity), QStringLiteral("8.00"));
    QCOMPARE(panel.text(StepFactsPanel::Surprise), QStringLiteral("2.00 bit"));
    QCOMPARE(panel.text(StepFactsPanel::PickedRank), QStringLiteral("2 / 4,096"));
    QCOMPARE(panel.text(StepFactsPanel::RandomDraw), QStringLiteral("u = 0.6706"));
    QCOMPARE(panel.text(StepFactsPanel::KeptTokens), QStringLiteral("1,234"));
    QCOMPARE(panel.text(StepFactsPanel::ForwardTime), QStringLiteral("1.9 ms"));
}

void StepFactsPanelTest::greedyHasNoDraw()
{
    StepFactsPanel panel;
    engine::Step step = simpleStep();
    step.draw.reset();
    step.rule = engine::DecodingRule::Greedy;
    panel.setStep(&step, 4096);
    QCOMPARE(panel.text(StepFactsPanel::RandomDraw), QStringLiteral("none: greedy"));
    step.rule = engine::DecodingRule::Sample;
    panel.setStep(&step, 4096);
    QCOMPARE(panel.text(StepFactsPanel::RandomDraw), QStringLiteral("none: T = 0"));
}

void StepFactsPanelTest::withoutAStepThereAreDashes()
{
    StepFactsPanel panel;
    const engine::Step step = simpleStep();
    panel.setStep(&step, 4096);
    panel.setStep(nullptr, 0);
    for (int fact = 0; fact < StepFactsPanel::FactCount; ++fact)
        QCOMPARE(panel.text(static_cast<StepFactsPanel::Fact>(fact)), QString(QChar(0x2013)));
}

void StepFactsPanelTest::aPickThatIsNotListedSaysSo()
{
    StepFactsPanel panel;
    engine::Step step = simpleStep();
    step.picked = {777};
    panel.setStep(&step, 0);
    QCOMPARE(panel.text(StepFactsPanel::Surprise), QStringLiteral("not recorded"));
    QCOMPARE(panel.text(StepFactsPanel::PickedRank), QStringLiteral("not recorded"));
}

void StepFactsPanelTest::everyFactExplainsItself()
{
    StepFactsPanel panel;
    for (int fact = 0; fact < StepFactsPanel::FactCount; ++fact) {
        const QString text = panel.explanation(static_cast<StepFactsPanel::Fact>(fact));
        QVERIFY(text.size() > 30);
        QVERIFY(text.endsWith(QLatin1Char('.')));
    }
}

QTEST_MAIN(StepFactsPanelTest)
#include "StepFactsPanelTest.moc"
