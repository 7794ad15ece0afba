#include "ui/StatusLine.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"

#include <QTest>

class StatusLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhereTheRunIs();
    void aGreedyStepHasNoSeed();
    void beforeTheFirstStepItCountsThePrompt();
    void aMessageComesLast();
    void comparedRunsHaveFiguresAndKeysOfTheirOwn();
};

void StatusLineTest::comparedRunsHaveFiguresAndKeysOfTheirOwn()
{
    ui::StepModel steps;
    steps.setRun(support::sampleRun());
    ui::StatusLine line;
    line.showRun(steps);
    const QString keys = line.keys();
    line.showFigures(QStringLiteral("Step 2 of 9"), QStringLiteral("C back"));
    QCOMPARE(line.text(), QStringLiteral("Step 2 of 9"));
    QCOMPARE(line.keys(), QStringLiteral("C back"));
    line.showRun(steps);
    QCOMPARE(line.keys(), keys);
}

void StatusLineTest::saysWhereTheRunIs()
{
    ui::StepModel steps;
    ui::StatusLine line;
    engine::Run run = support::sampleRun();
    for (engine::Step& step : run.steps) {
        step.timings.forward = std::chrono::microseconds(3000);
        step.timings.decode = std::chrono::microseconds(400);
    }
    steps.setRun(run);
    steps.select(17);
    line.showRun(steps);
    QCOMPARE(line.text().simplified(),
             QString::fromUtf8("Step 17 of 23 \xC2\xB7 3.4 ms per token \xC2\xB7 seed 42 \xC2\xB7 "
                               "ended: stop token <|endoftext|>"));
    QVERIFY(line.keys().contains(QStringLiteral("Space step")));
}

void StatusLineTest::aGreedyStepHasNoSeed()
{
    ui::StepModel steps;
    ui::StatusLine line;
    steps.setRun(support::greedyRun(3));
    line.showRun(steps);
    QVERIFY(!line.text().contains(QStringLiteral("seed")));
}

void StatusLineTest::beforeTheFirstStepItCountsThePrompt()
{
    ui::StepModel steps;
    ui::StatusLine line;
    line.showRun(steps);
    QCOMPARE(line.text(), QString());
    steps.setRun(support::promptOnlyRun());
    line.showRun(steps);
    QCOMPARE(line.text(), QStringLiteral("Prompt of 9 tokens, no step yet"));
}

void StatusLineTest::aMessageComesLast()
{
    ui::StepModel steps;
    ui::StatusLine line;
    steps.setRun(support::greedyRun(3));
    line.showRun(steps);
    line.setMessage(QStringLiteral("Saved\n<b>run</b>"));
    QVERIFY(line.text().endsWith(QStringLiteral("Saved <b>run</b>")));
    line.setMessage(QString());
    QVERIFY(!line.text().contains(QStringLiteral("Saved")));
}

QTEST_MAIN(StatusLineTest)
#include "StatusLineTest.moc"
