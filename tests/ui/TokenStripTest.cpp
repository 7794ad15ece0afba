#include "ui/TokenStrip.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolTip>

using ui::StepModel;
using ui::TokenStrip;

namespace {

constexpr int promptCount = 9;

struct Strip
{
    explicit Strip(const engine::Run& run, const QSize& size = {300, 600})
    {
        strip.setTheme(ui::Theme::light());
        strip.setModel(&steps);
        strip.resize(size);
        steps.setRun(run);
        strip.show();
        (void)QTest::qWaitForWindowExposed(&strip);
    }
    QImage picture() { return strip.grab().toImage(); }
    QColor at(const QPoint& point) { return picture().pixelColor(point); }

    StepModel steps;
    TokenStrip strip;
};

/// Whether a picture has a pixel about this colour inside a rectangle.
bool hasColour(const QImage& picture, const QRect& where, const QColor& colour)
{
    const QRect area = where.intersected(picture.rect());
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) {
            const QColor pixel = picture.pixelColor(x, y);
            if (qAbs(pixel.red() - colour.red()) < 12 &&
                qAbs(pixel.green() - colour.green()) < 12 &&
                qAbs(pixel.blue() - colour.blue()) < 12)
                return true;
        }
    return false;
}

int darkest(const QImage& picture, const QRect& where)
{
    int lightness = 255;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x)
            lightness = std::min(lightness, picture.pixelColor(x, y).lightness());
    return lightness;
}

} // namespace

class TokenStripTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsOneChipForEachToken();
    void followsNewStepsAndBack();
    void aClickOnAGeneratedChipGivesItsStep();
    void aClickOnThePromptGivesNothing();
    void theSelectedPickIsOutlinedInOrange();
    void anUnderlineMarksAPickThatIsNotTheArgmax();
    void tokensAfterTheSelectedStepAreFaded();
    void aForcedChipLooksDifferent();
    void moreProbableTokensAreTintedMore();
    void newlineBreaksTheFlow();
    void splitCharactersAreJoined();
    void theEndMarkFollowsTheLastToken();
    void theNewestStepIsScrolledIntoView();
    void upAndDownChooseTheChipAboveOrBelow();
    void hostileTokensAreShownLiterally_data();
    void hostileTokensAreShownLiterally();
    void toolTipsAreEscaped();
    void takesManyTokensAndOneMore();
    void anEmptyStripSaysWhatToDo();
};

void TokenStripTest::showsOneChipForEachToken()
{
    Strip s(support::sampleRun());
    QCOMPARE(s.strip.chipCount(), promptCount + 24);
    for (int i = 0; i < s.strip.chipCount(); ++i) {
        QVERIFY(s.strip.chipRect(i).width() > 8);
        for (int j = 0; j < i; ++j)
            QVERIFY(!s.strip.chipRect(i).intersects(s.strip.chipRect(j)));
    }
    QVERIFY(s.strip.accessibleDescription().startsWith(QStringLiteral("33 tokens")));
}

void TokenStripTest::followsNewStepsAndBack()
{
    const engine::Run run = support::sampleRun(6);
    Strip s(support::sampleRun(5));
    s.steps.replaceSteps(5, {run.steps[5]}, std::nullopt);
    QCOMPARE(s.strip.chipCount(), promptCount + 6);
    s.steps.replaceSteps(2, {}, std::nullopt);
    QCOMPARE(s.strip.chipCount(), promptCount + 2);
    s.steps.setRun(engine::Run());
    QCOMPARE(s.strip.chipCount(), 0);
}

void TokenStripTest::aClickOnAGeneratedChipGivesItsStep()
{
    Strip s(support::sampleRun(8));
    QSignalSpy activated(&s.strip, &TokenStrip::stepActivated);
    QTest::mouseClick(s.strip.viewport(), Qt::LeftButton, {},
                      s.strip.chipRect(promptCount + 3).center());
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.first().first().toInt(), 3);
}

void TokenStripTest::aClickOnThePromptGivesNothing()
{
    Strip s(support::sampleRun(8));
    QSignalSpy activated(&s.strip, &TokenStrip::stepActivated);
    QTest::mouseClick(s.strip.viewport(), Qt::LeftButton, {}, s.strip.chipRect(2).center());
    QTest::mouseClick(s.strip.viewport(), Qt::LeftButton, {}, QPoint(290, 590));
    QCOMPARE(activated.count(), 0);
}

void TokenStripTest::theSelectedPickIsOutlinedInOrange()
{
    Strip s(support::sampleRun(8));
    s.steps.select(3);
    const QRect chip = s.strip.chipRect(promptCount + 3);
    QVERIFY(
        hasColour(s.picture(), {chip.center().x(), chip.top(), 1, 4}, ui::Theme::light().picked));
    s.steps.select(5);
    QVERIFY(
        !hasColour(s.picture(), {chip.center().x(), chip.top(), 1, 4}, ui::Theme::light().picked));
}

void TokenStripTest::anUnderlineMarksAPickThatIsNotTheArgmax()
{
    engine::Run run = support::sampleRun(8);
    int other = -1;
    int same = -1;
    for (int i = 0; i < 7; ++i) {
        const engine::Step& step = run.steps[static_cast<std::size_t>(i)];
        (step.picked == step.argmax ? same : other) = i;
    }
    QVERIFY(other >= 0 && same >= 0);
    Strip s(run);
    const QImage picture = s.picture();
    const auto lower = [&](int step) {
        const QRect chip = s.strip.chipRect(promptCount + step);
        return QRect(chip.left(), chip.center().y(), chip.width(), chip.height() / 2);
    };
    QVERIFY(hasColour(picture, lower(other), ui::Theme::light().picked));
    QVERIFY(!hasColour(picture, lower(same), ui::Theme::light().picked));
}

void TokenStripTest::tokensAfterTheSelectedStepAreFaded()
{
    Strip s(support::greedyRun(12));
    const QRect chip = s.strip.chipRect(promptCount + 8); // " said"
    s.steps.select(10);
    const int before = darkest(s.picture(), chip);
    s.steps.select(2);
    const int after = darkest(s.picture(), chip);
    QVERIFY2(before < 90, qPrintable(QString::number(before)));
    QVERIFY2(after > before + 50, qPrintable(QString::number(after)));
}

void TokenStripTest::aForcedChipLooksDifferent()
{
    engine::Run run = support::sampleRun(4);
    Strip before(run);
    const QImage plain = before.picture();
    run.steps[1].forced = true;
    Strip after(run);
    QVERIFY(after.picture().copy(after.strip.chipRect(promptCount + 1)) !=
            plain.copy(before.strip.chipRect(promptCount + 1)));
    QVERIFY(after.strip.chipToolTip(promptCount + 1).contains(QStringLiteral("forced")));
}

void TokenStripTest::moreProbableTokensAreTintedMore()
{
    engine::Run run = support::greedyRun(3);
    run.steps[0].candidates[0].probability = 0.02;
    run.steps[1].candidates[0].probability = 0.98;
    Strip s(run);
    const QImage picture = s.picture();
    const auto fill = [&](int step) {
        return picture.pixelColor(s.strip.chipRect(promptCount + step).center() -
                                  QPoint(0, s.strip.chipRect(promptCount).height() / 2 - 3));
    };
    QVERIFY(fill(0).red() > fill(1).red());
}

void TokenStripTest::newlineBreaksTheFlow()
{
    engine::Run run = support::runWithToken("\n");
    Strip s(run, {1200, 300});
    QCOMPARE(s.strip.chipRect(promptCount).top(), s.strip.chipRect(promptCount + 1).top());
    QVERIFY(s.strip.chipRect(promptCount + 2).top() > s.strip.chipRect(promptCount + 1).top());
    QCOMPARE(s.strip.chipRect(promptCount + 2).left(), s.strip.chipRect(0).left());
}

void TokenStripTest::splitCharactersAreJoined()
{
    Strip s(support::greedyRun());
    QCOMPARE(s.strip.joins().size(), std::size_t(2));
    QCOMPARE(s.strip.joins()[0].text, QString(QChar(0x597D)));
    const int first = s.strip.joins()[0].first;
    QVERIFY(s.strip.chipToolTip(first).contains(QChar(0x597D)));
    QVERIFY(s.strip.chipToolTip(first).contains(QStringLiteral("E5 A5")));
    QVERIFY(!s.strip.chipToolTip(0).contains(QStringLiteral("Together")));
}

void TokenStripTest::theEndMarkFollowsTheLastToken()
{
    Strip s(support::sampleRun());
    QCOMPARE(s.strip.endMarkText(), QChar(0x25A0) + QStringLiteral(" stop token <|endoftext|>"));
    const QRect last = s.strip.chipRect(s.strip.chipCount() - 1);
    const QRect mark = s.strip.endMarkRect();
    QVERIFY(mark.top() > last.top() || mark.left() > last.right());
    QVERIFY(!mark.intersects(last));

    s.steps.replaceSteps(23, {}, engine::StopReason::MaxNewTokens);
    QCOMPARE(s.strip.endMarkText(), QChar(0x25A0) + QStringLiteral(" length limit (23)"));
    s.steps.replaceSteps(23, {}, std::nullopt);
    QCOMPARE(s.strip.endMarkText(), QString());
    QVERIFY(s.strip.endMarkRect().isEmpty());
}

void TokenStripTest::theNewestStepIsScrolledIntoView()
{
    Strip s(support::sampleRun(200), {300, 200});
    const auto isVisible = [&](int step) {
        return s.strip.viewport()->rect().contains(s.strip.chipRect(promptCount + step));
    };
    QVERIFY(isVisible(199));
    s.steps.select(0);
    QVERIFY(isVisible(0));
    QVERIFY(!isVisible(199));
    s.steps.select(100);
    QVERIFY(isVisible(100));
}

void TokenStripTest::upAndDownChooseTheChipAboveOrBelow()
{
    Strip s(support::greedyRun(12));
    s.steps.select(8);
    QSignalSpy activated(&s.strip, &TokenStrip::stepActivated);
    QTest::keyClick(&s.strip, Qt::Key_Up);
    QCOMPARE(activated.count(), 1);
    const int above = activated.takeFirst().first().toInt();
    QVERIFY(above < 8);
    QVERIFY(s.strip.chipRect(promptCount + above).top() < s.strip.chipRect(promptCount + 8).top());
    s.steps.select(above);
    QTest::keyClick(&s.strip, Qt::Key_Down);
    QVERIFY(activated.first().first().toInt() > above);
}

void TokenStripTest::hostileTokensAreShownLiterally_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("markup") << QByteArray("<b>bold</b><img src=x>");
    QTest::newRow("entities") << QByteArray("&amp;&lt;");
    QTest::newRow("bidi override") << QByteArray("\xE2\x80\xAE"
                                                 "gnp.exe");
    QTest::newRow("right to left") << QByteArray("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D");
    QTest::newRow("ten thousand characters") << QByteArray(10'000, 'W');
    QTest::newRow("ten thousand newlines") << QByteArray(10'000, '\n');
    QTest::newRow("a null byte") << QByteArray("a\0b", 3);
    QTest::newRow("no character") << QByteArray("\xFF\xFE\xC0");
    QTest::newRow("nothing") << QByteArray();
}

void TokenStripTest::hostileTokensAreShownLiterally()
{
    QFETCH(QByteArray, bytes);
    Strip s(support::runWithToken(bytes.toStdString()));
    const QRect chip = s.strip.chipRect(promptCount + 1);
    QVERIFY(chip.width() > 8);
    QVERIFY(chip.right() <= s.strip.width());
    QVERIFY(chip.height() < 40);
    QVERIFY(!s.picture().isNull());
    // Not a character of it acts on what is around it.
    QVERIFY(!s.strip.chipToolTip(promptCount + 1).contains(QChar(0x202E)));
    QVERIFY(s.strip.chipToolTip(promptCount + 1).size() < 600);
}

void TokenStripTest::toolTipsAreEscaped()
{
    Strip s(support::runWithToken("<b>bold</b>"));
    const QPoint point = s.strip.chipRect(promptCount + 1).center();
    QHelpEvent event(QEvent::ToolTip, point, s.strip.viewport()->mapToGlobal(point));
    QApplication::sendEvent(s.strip.viewport(), &event);
    // What the tool tip shows, once it has taken its text for the HTML that it looks like.
    QTextDocument shown;
    shown.setHtml(QToolTip::text());
    QCOMPARE(shown.toPlainText().replace(QChar::Nbsp, QLatin1Char(' ')),
             s.strip.chipToolTip(promptCount + 1));
    QVERIFY(shown.toPlainText().contains(QStringLiteral("<b>bold</b>")));
    QToolTip::hideText();
}

void TokenStripTest::takesManyTokensAndOneMore()
{
    engine::Run run = support::sampleRun(1);
    const engine::Step step = run.steps.front();
    run.steps.assign(10'000, step);
    Strip s(support::promptOnlyRun(), {300, 400});
    s.steps.setRun(run);
    (void)s.picture();
    QCOMPARE(s.strip.chipCount(), promptCount + 10'000);
    s.steps.replaceSteps(10'000, {step}, std::nullopt); // the list of steps grows for many more
    s.steps.replaceSteps(10'001, {step}, std::nullopt);
    s.steps.select(10'001);
    (void)s.picture();
    // Times depend on the machine and are not judged here; that all chips are there is.
    QCOMPARE(s.strip.chipCount(), promptCount + 10'002);
}

void TokenStripTest::anEmptyStripSaysWhatToDo()
{
    StepModel steps;
    TokenStrip strip;
    strip.setTheme(ui::Theme::light());
    strip.setModel(&steps);
    strip.resize(300, 200);
    const QImage blank = strip.grab().toImage();
    strip.setEmptyText(QStringLiteral("Type a prompt"));
    QVERIFY(strip.grab().toImage() != blank);
}

QTEST_MAIN(TokenStripTest)
#include "TokenStripTest.moc"
