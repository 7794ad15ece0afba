#include "ui/StopText.h"

#include "tests/ui/support/SampleRun.h"

#include <QTest>

using engine::StopReason;
using ui::stopText;

class StopTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysNothingWhileTheRunCanGoOn();
    void namesEachReasonWithItsValue();
    void namesTheStopTextThatCameFirst();
    void survivesARunThatLacksTheDetail();
};

void StopTextTest::saysNothingWhileTheRunCanGoOn()
{
    engine::Run run = support::sampleRun(3);
    run.stop.reset();
    QCOMPARE(stopText(run), QString());
}

void StopTextTest::namesEachReasonWithItsValue()
{
    engine::Run run = support::sampleRun();
    QCOMPARE(stopText(run), QStringLiteral("stop token <|endoftext|>"));
    run.stop = StopReason::MaxNewTokens;
    QCOMPARE(stopText(run), QStringLiteral("length limit (24)"));
    run.stop = StopReason::ContextFull;
    QCOMPARE(stopText(run), QStringLiteral("context full (512)"));
    run.stop = StopReason::Cancelled;
    QCOMPARE(stopText(run), QStringLiteral("cancelled"));
}

void StopTextTest::namesTheStopTextThatCameFirst()
{
    engine::Run run = support::sampleRun();
    run.stop = StopReason::StopText;
    run.outputBytes = "He sat.\nThe end";
    run.settings.stopTexts = {"The end", ".\n", "never", ""};
    QCOMPARE(stopText(run), QStringLiteral("stop text \".") + QChar(0x21B5) + QLatin1Char('"'));
}

void StopTextTest::survivesARunThatLacksTheDetail()
{
    engine::Run run;
    for (const StopReason reason :
         {StopReason::MaxNewTokens, StopReason::StopToken, StopReason::StopText,
          StopReason::ContextFull, StopReason::Cancelled}) {
        run.stop = reason;
        QVERIFY(!stopText(run).isEmpty());
    }
}

QTEST_MAIN(StopTextTest)
#include "StopTextTest.moc"
