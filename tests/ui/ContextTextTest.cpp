#include "ui/ContextText.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"
#include "ui/TokenText.h"

#include <QScrollBar>
#include <QTest>

using ui::ContextText;
using ui::StepModel;

class ContextTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsPromptAndContinuationWithoutSpecialTokens();
    void tellsThePromptFromWhatWasGenerated();
    void joinsSplitCharactersAsTheyComplete();
    void followsEachStepAndEachStepBack();
    void markupStaysText();
    void lineEndsOfEveryKindKeepPositionsRight();
    void scrollsToTheEnd();
};

void ContextTextTest::showsPromptAndContinuationWithoutSpecialTokens()
{
    StepModel steps;
    ContextText text;
    text.setModel(&steps);
    const engine::Run run = support::greedyRun();
    steps.setRun(run);
    QCOMPARE(text.toPlainText(),
             QString::fromUtf8("Once upon a time, there was a cat named Milo.\n\tHe said \""
                               "\xE4\xBD\xA0\xE5\xA5\xBD!\" \xF0\x9F\x98\x80 and sat on the mat."));
    QVERIFY(text.isReadOnly());
}

void ContextTextTest::tellsThePromptFromWhatWasGenerated()
{
    StepModel steps;
    ContextText text;
    const ui::Theme theme = ui::Theme::light();
    text.setTheme(theme);
    text.setModel(&steps);
    steps.setRun(support::greedyRun(3));
    QCOMPARE(text.promptLength(), 29);
    QTextCursor cursor(text.document());
    cursor.setPosition(29);
    QCOMPARE(cursor.charFormat().foreground().color(), theme.mutedText);
    cursor.setPosition(31);
    QCOMPARE(cursor.charFormat().foreground().color(), theme.text);
}

void ContextTextTest::joinsSplitCharactersAsTheyComplete()
{
    StepModel steps;
    ContextText text;
    text.setModel(&steps);
    const engine::Run run = support::greedyRun();
    engine::Run part = run;
    part.steps.resize(12);
    part.stop.reset();
    steps.setRun(part);
    QVERIFY(text.toPlainText().endsWith(QChar::ReplacementCharacter));
    steps.replaceSteps(12, {run.steps[12]}, std::nullopt);
    QVERIFY(text.toPlainText().endsWith(QString::fromUtf8("\xE4\xBD\xA0\xE5\xA5\xBD")));
    QVERIFY(!text.toPlainText().contains(QChar::ReplacementCharacter));
}

void ContextTextTest::followsEachStepAndEachStepBack()
{
    StepModel steps;
    ContextText text;
    text.setModel(&steps);
    const engine::Run run = support::sampleRun();
    steps.setRun(support::promptOnlyRun());
    const auto expected = [&] {
        std::string bytes;
        for (const engine::ContextToken& token : steps.contextTokens())
            if (token.piece.kind != engine::TokenKind::Control)
                bytes += token.piece.bytes;
        return ui::decodedText(bytes);
    };
    for (int i = 0; i < 20; ++i) {
        steps.replaceSteps(i, {run.steps[static_cast<std::size_t>(i)]}, std::nullopt);
        QCOMPARE(text.toPlainText(), expected());
    }
    steps.replaceSteps(7, {run.steps[3], run.steps[4]}, std::nullopt);
    QCOMPARE(text.toPlainText(), expected());
    steps.setRun(engine::Run());
    QCOMPARE(text.toPlainText(), QString());
}

void ContextTextTest::markupStaysText()
{
    StepModel steps;
    ContextText text;
    text.setModel(&steps);
    steps.setRun(support::runWithToken("<b>x</b><img src=a>&amp;"));
    QVERIFY(text.toPlainText().contains(QStringLiteral("<b>x</b><img src=a>&amp;")));
}

void ContextTextTest::lineEndsOfEveryKindKeepPositionsRight()
{
    StepModel steps;
    ContextText text;
    text.setModel(&steps);
    const std::string odd = "a\r\nb\rc\xE2\x80\xA9"
                            "d\xE2\x80\xA8"
                            "e\xEF\xBF\xBC"
                            "f";
    const engine::Run run = support::runWithToken(odd);
    steps.setRun(run);
    const QString before = text.toPlainText();
    QVERIFY(before.contains(QStringLiteral("a\nb\nc\nd")));
    // Taking the last token away and putting it back must give the same text again.
    steps.replaceSteps(2, {}, std::nullopt);
    steps.replaceSteps(2, {run.steps[2]}, std::nullopt);
    QCOMPARE(text.toPlainText(), before);
}

void ContextTextTest::scrollsToTheEnd()
{
    StepModel steps;
    ContextText text;
    text.setModel(&steps);
    text.resize(200, 60);
    text.show();
    steps.setRun(support::sampleRun(300));
    QVERIFY(text.verticalScrollBar()->maximum() > 0);
    QCOMPARE(text.verticalScrollBar()->value(), text.verticalScrollBar()->maximum());
}

QTEST_MAIN(ContextTextTest)
#include "ContextTextTest.moc"
