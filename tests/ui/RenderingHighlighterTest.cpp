#include "ui/RenderingHighlighter.h"

#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

using engine::PromptRendering;
using engine::PromptSpan;
using ui::RenderingHighlighter;

namespace {

/// "<s>" and "</s>" by the template's author, the middle by the user.
PromptRendering rendering(const std::string& user)
{
    PromptRendering result;
    const auto add = [&result](PromptSpan::Kind kind, const std::string& text) {
        const std::size_t begin = result.text.size();
        result.text += text;
        result.spans.push_back({kind, begin, result.text.size()});
    };
    add(PromptSpan::Kind::Special, "<s>");
    add(PromptSpan::Kind::Template, "user\n");
    add(PromptSpan::Kind::User, user);
    add(PromptSpan::Kind::Special, "</s>");
    return result;
}

} // namespace

class RenderingHighlighterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spansAreCountedAsDocumentsCount()
    {
        const PromptRendering shown = rendering("Zo\xC3\xAB \xF0\x9F\x98\x80"); // ë: 1, 😀: 2 units
        QTextDocument document;
        RenderingHighlighter highlighter(&document);
        document.setPlainText(QString::fromStdString(shown.text));
        highlighter.setRendering(shown);
        const auto& spans = highlighter.spans();
        QCOMPARE(spans.size(), std::size_t(4));
        QCOMPARE(spans[2].begin, 8);
        QCOMPARE(spans[2].end, 14);
        QCOMPARE(spans[3].begin, 14);
        QCOMPARE(spans[3].end, 18);
    }

    void eachKindLooksDifferent()
    {
        const PromptRendering shown = rendering("Hi");
        QTextDocument document;
        RenderingHighlighter highlighter(&document);
        document.setPlainText(QString::fromStdString(shown.text));
        highlighter.setRendering(shown);
        const auto formats = [&document](int block) {
            return document.findBlockByNumber(block).layout()->formats();
        };
        QCOMPARE(formats(0).size(), 2);
        QCOMPARE(formats(0)[0].length, 3);
        QCOMPARE(formats(0)[0].format.fontWeight(), int(QFont::Bold));
        QVERIFY(formats(0)[1].format.fontItalic());
        // Hi</s>
        QCOMPARE(formats(1).size(), 2);
        QCOMPARE(formats(1)[0].start, 0);
        QCOMPARE(formats(1)[0].length, 2);
        QVERIFY(!formats(1)[0].format.fontItalic());
        QCOMPARE(formats(1)[1].format.underlineStyle(), QTextCharFormat::DashUnderline);
    }

    void aThemeChangesTheColours()
    {
        const PromptRendering shown = rendering("Hi");
        QTextDocument document;
        RenderingHighlighter highlighter(&document);
        document.setPlainText(QString::fromStdString(shown.text));
        highlighter.setRendering(shown);
        highlighter.setTheme(ui::Theme::dark());
        const auto formats = document.firstBlock().layout()->formats();
        QCOMPARE(formats[0].format.foreground().color(), ui::Theme::dark().specialText);
    }
};

QTEST_MAIN(RenderingHighlighterTest)
#include "RenderingHighlighterTest.moc"
