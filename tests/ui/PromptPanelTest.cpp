#include "ui/PromptPanel.h"

#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using ui::PromptPanel;

class PromptPanelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startNeedsAModelAndAText();
    void startSendsThePromptAsTyped();
    void controlEnterStartsAndEnterIsANewline();
    void anEditedPromptIsShownAsNotStarted();
    void growsFromTwoToFourLines();
    void aRecordedPromptCannotBeEdited();
    void pastingKeepsPlainText();
};

void PromptPanelTest::startNeedsAModelAndAText()
{
    PromptPanel panel;
    panel.setPrompt(QStringLiteral("Once"));
    QVERIFY(!panel.startButton()->isEnabled());
    panel.setCanStart(true);
    QVERIFY(panel.startButton()->isEnabled());
    panel.setPrompt(QString());
    QVERIFY(!panel.startButton()->isEnabled());
    QSignalSpy submitted(&panel, &PromptPanel::promptSubmitted);
    QTest::keyClick(panel.editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(submitted.count(), 0);
}

void PromptPanelTest::startSendsThePromptAsTyped()
{
    PromptPanel panel;
    panel.setCanStart(true);
    QSignalSpy submitted(&panel, &PromptPanel::promptSubmitted);
    QTest::keyClicks(panel.editor(), QStringLiteral(" <b>Once</b> "));
    QTest::mouseClick(panel.startButton(), Qt::LeftButton);
    QCOMPARE(submitted.count(), 1);
    QCOMPARE(submitted.first().first().value<ui::PromptRequest>().text,
             QStringLiteral(" <b>Once</b> "));
}

void PromptPanelTest::controlEnterStartsAndEnterIsANewline()
{
    PromptPanel panel;
    panel.setCanStart(true);
    QSignalSpy submitted(&panel, &PromptPanel::promptSubmitted);
    QTest::keyClicks(panel.editor(), QStringLiteral("a"));
    QTest::keyClick(panel.editor(), Qt::Key_Return);
    QTest::keyClicks(panel.editor(), QStringLiteral("b"));
    QCOMPARE(submitted.count(), 0);
    QTest::keyClick(panel.editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(submitted.count(), 1);
    QCOMPARE(submitted.first().first().value<ui::PromptRequest>().text, QStringLiteral("a\nb"));
}

void PromptPanelTest::anEditedPromptIsShownAsNotStarted()
{
    PromptPanel panel;
    panel.setCanStart(true);
    const auto says = [&](const QString& text) {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->text() == text)
                return true;
        return false;
    };
    panel.setPrompt(QStringLiteral("Once"));
    QVERIFY(says(QStringLiteral("Not started yet")));
    panel.setStarted({QStringLiteral("Once")});
    QVERIFY(!panel.isEdited());
    QVERIFY(!says(QStringLiteral("Not started yet")));
    panel.setPrompt(QStringLiteral("Twice"));
    QVERIFY(panel.isEdited());
    QVERIFY(says(QStringLiteral("Edited, not started yet")));
}

void PromptPanelTest::growsFromTwoToFourLines()
{
    PromptPanel panel;
    panel.resize(260, 300);
    panel.show();
    const int two = panel.editor()->height();
    panel.setPrompt(QStringLiteral("a\nb\nc"));
    const int three = panel.editor()->height();
    QVERIFY(three > two);
    panel.setPrompt(QStringLiteral("word ").repeated(2000));
    const int four = panel.editor()->height();
    QVERIFY(four > three);
    QCOMPARE(four - three, three - two);
    panel.setPrompt(QStringLiteral("a"));
    QCOMPARE(panel.editor()->height(), two);
}

void PromptPanelTest::aRecordedPromptCannotBeEdited()
{
    PromptPanel panel;
    panel.setCanStart(true);
    panel.setStarted({QStringLiteral("Once")});
    panel.setEditable(false);
    QTest::keyClicks(panel.editor(), QStringLiteral("x"));
    QCOMPARE(panel.prompt(), QStringLiteral("Once"));
    QVERIFY(!panel.startButton()->isEnabled());
}

void PromptPanelTest::pastingKeepsPlainText()
{
    PromptPanel panel;
    panel.setPrompt(QStringLiteral("<i>no</i> &amp; no"));
    QCOMPARE(panel.prompt(), QStringLiteral("<i>no</i> &amp; no"));
}

QTEST_MAIN(PromptPanelTest)
#include "PromptPanelTest.moc"
