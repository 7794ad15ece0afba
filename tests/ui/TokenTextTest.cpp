#include "ui/TokenText.h"

#include <QTest>

#include <string>
#include <vector>

using engine::TokenKind;
using engine::TokenPiece;
using ui::TextRun;
using Style = ui::TextRun::Style;

Q_DECLARE_METATYPE(std::vector<ui::TextRun>)

namespace {

TokenPiece piece(const std::string& bytes, TokenKind kind = TokenKind::Normal)
{
    return {engine::TokenId{7}, bytes, kind};
}

} // namespace

class TokenTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhatAFontWouldHide_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<std::vector<TextRun>>("runs");
        const auto row = [](const char* name, const QByteArray& bytes,
                            const std::vector<TextRun>& runs) {
            QTest::newRow(name) << bytes << runs;
        };
        const auto letters = [](const QString& text) { return TextRun{text, Style::Letters}; };
        const auto white = [](const QString& text) { return TextRun{text, Style::Whitespace}; };
        const auto stray = [](const QString& text) { return TextRun{text, Style::Bytes}; };

        row("word", "mat", {letters(u"mat"_qs)});
        row("leading space", " mat", {white(u"␣"_qs), letters(u"mat"_qs)});
        row("run of spaces", "    x", {white(u"␣␣␣␣"_qs), letters(u"x"_qs)});
        row("newline", "a\n", {letters(u"a"_qs), white(u"↵"_qs)});
        row("tab", "\tif", {white(u"⇥"_qs), letters(u"if"_qs)});
        row("carriage return", "\r\n", {white(u"⟨CR⟩↵"_qs)});
        row("NUL", QByteArray("a\0b", 3), {letters(u"a"_qs), white(u"⟨NUL⟩"_qs), letters(u"b"_qs)});
        row("escape and delete", "\x1B\x7F", {white(u"⟨ESC⟩⟨DEL⟩"_qs)});
        row("second-page control", "\xC2\x85", {white(u"⟨U+0085⟩"_qs)});
        row("no-break space", "\xC2\xA0", {white(u"⟨U+00A0⟩"_qs)});
        row("ideographic space", "\xE3\x80\x80", {white(u"⟨U+3000⟩"_qs)});
        row("line separator", "\xE2\x80\xA8", {white(u"⟨U+2028⟩"_qs)});
        row("zero-width space", "\xE2\x80\x8B", {white(u"⟨U+200B⟩"_qs)});
        row("byte-order mark", "\xEF\xBB\xBF", {white(u"⟨U+FEFF⟩"_qs)});
        row("soft hyphen", "co\xC2\xADop",
            {letters(u"co"_qs), white(u"⟨U+00AD⟩"_qs), letters(u"op"_qs)});
        row("Hangul filler", "\xE3\x85\xA4", {white(u"⟨U+3164⟩"_qs)});
        row("private use", "\xEE\x80\x80", {white(u"⟨U+E000⟩"_qs)});
        row("right-to-left override",
            "a\xE2\x80\xAE"
            "b",
            {letters(u"a"_qs), white(u"⟨U+202E⟩"_qs), letters(u"b"_qs)});
        row("isolates and marks", "\xE2\x81\xA7\xE2\x80\x8F", {white(u"⟨U+2067⟩⟨U+200F⟩"_qs)});
        row("Hebrew", " שלום", {white(u"␣"_qs), letters(u"שלום"_qs)});
        row("CJK", "垫子", {letters(u"垫子"_qs)});
        row("joined emoji", "👩‍💻", {letters(u"👩‍💻"_qs)});
        row("emoji with selector", "❤️", {letters(u"❤️"_qs)});
        row("joiner alone", "\xE2\x80\x8D", {white(u"⟨U+200D⟩"_qs)});
        row("joiner in ASCII",
            "a\xE2\x80\x8D"
            "b",
            {letters(u"a"_qs), white(u"⟨U+200D⟩"_qs), letters(u"b"_qs)});
        row("joiner at the edge", "👩\xE2\x80\x8D", {letters(u"👩"_qs), white(u"⟨U+200D⟩"_qs)});
        row("selector alone", "\xEF\xB8\x8F", {white(u"⟨U+FE0F⟩"_qs)});
        row("selector after a space", " \xEF\xB8\x8F", {white(u"␣⟨U+FE0F⟩"_qs)});
        row("accent alone", "\xCC\x81", {letters(u"◌́"_qs)});
        row("accent on a letter", "e\xCC\x81", {letters(u"e\u0301"_qs)});
        row("accent after a space", " \xCC\x81", {white(u"␣"_qs), letters(u"◌́"_qs)});
        row("tag letter alone", "\xF3\xA0\x81\xA7", {white(u"⟨U+E0067⟩"_qs)});
        row("replacement character", "\xEF\xBF\xBD", {letters(u"�"_qs)});
        row("HTML", "<b>&amp;</b>", {letters(u"<b>&amp;</b>"_qs)});
        row("start of a character", "\xE2\x82", {stray(u"⟨E2 82⟩"_qs)});
        row("end of a character", "\xAC!", {stray(u"⟨AC⟩"_qs), letters(u"!"_qs)});
        row("letter, then a part", "x\xF0\x9F", {letters(u"x"_qs), stray(u"⟨F0 9F⟩"_qs)});
        row("overlong slash", "\xC0\xAF", {stray(u"⟨C0 AF⟩"_qs)});
        row("overlong three", "\xE0\x80\xAF", {stray(u"⟨E0 80 AF⟩"_qs)});
        row("surrogate", "\xED\xA0\x80", {stray(u"⟨ED A0 80⟩"_qs)});
        row("beyond Unicode", "\xF4\x90\x80\x80", {stray(u"⟨F4 90 80 80⟩"_qs)});
        row("never a byte of UTF-8", "\xFF", {stray(u"⟨FF⟩"_qs)});
    }

    void showsWhatAFontWouldHide()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(std::vector<TextRun>, runs);
        const std::vector<TextRun> shown = ui::visibleRuns(piece(bytes.toStdString()));
        QString text;
        for (const TextRun& run : shown)
            text += QString::number(static_cast<int>(run.style)) + QLatin1Char(':') + run.text +
                    QLatin1Char('|');
        QVERIFY2(shown == runs, qPrintable(text));
    }

    void specialTokensStandInTheirWrittenForm()
    {
        const auto runs = ui::visibleRuns(piece("<|end|>", TokenKind::Control));
        QCOMPARE(runs, (std::vector<TextRun>{{u"<|end|>"_qs, Style::Special}}));
    }

    void theSameTextInAUsersWordsIsNotSpecial()
    {
        const auto runs = ui::visibleRuns(piece("<|end|>"));
        QCOMPARE(runs, (std::vector<TextRun>{{u"<|end|>"_qs, Style::Letters}}));
    }

    void byteTokensShowTheirByteOrTheCharacterThatItIs()
    {
        QCOMPARE(ui::visibleText(piece("\xE4", TokenKind::Byte)), u"⟨E4⟩"_qs);
        QCOMPARE(ui::visibleText(piece("\n", TokenKind::Byte)), u"↵"_qs);
    }

    void anEmptyTokenIsStillSeen() { QCOMPARE(ui::visibleText(piece("")), u"∅"_qs); }

    void longTokensAreCutInTheMiddle()
    {
        const TokenPiece alphabet = piece("abcdefghijklmnopqrstuvwxyz");
        QCOMPARE(ui::visibleText(alphabet), u"abcdefghijkl…pqrstuvwxyz"_qs);
        QCOMPARE(ui::visibleText(alphabet, 26), u"abcdefghijklmnopqrstuvwxyz"_qs);
        QCOMPARE(ui::visibleText(alphabet, 5), u"ab…yz"_qs);
        QCOMPARE(ui::visibleText(alphabet, 1), u"…"_qs);
    }

    void theCutNeverSplitsWhatAReaderCallsOneCharacter()
    {
        const TokenPiece faces = piece("👩‍💻👩‍💻👩‍💻👩‍💻");
        QCOMPARE(ui::visibleText(faces, 3), u"👩‍💻…👩‍💻"_qs);
    }

    void theCutKeepsTheStylesOnBothSides()
    {
        const auto runs = ui::elidedRuns(ui::visibleRuns(piece("    word\n")), 5);
        QCOMPARE(runs, (std::vector<TextRun>{{u"␣␣"_qs, Style::Whitespace},
                                             {u"…"_qs, Style::Whitespace},
                                             {u"d"_qs, Style::Letters},
                                             {u"↵"_qs, Style::Whitespace}}));
    }

    void rightToLeftTextIsIsolatedFromTheNumbersBesideIt()
    {
        QCOMPARE(ui::visibleText(piece("שלום")), QChar(0x2068) + u"שלום"_qs + QChar(0x2069));
    }

    void hexIsUpperCaseWithSpaces()
    {
        QCOMPARE(ui::hexBytes(" mat"), u"20 6D 61 74"_qs);
        QCOMPARE(ui::hexBytes(""), QString());
    }

    void brokenUtf8DecodesToReplacementCharacters()
    {
        QCOMPARE(ui::decodedText("a\xE2\x82"), u"a��"_qs); // one for each byte
        QCOMPARE(ui::decodedText("垫子"), u"垫子"_qs);
    }
};

QTEST_APPLESS_MAIN(TokenTextTest)
#include "TokenTextTest.moc"
