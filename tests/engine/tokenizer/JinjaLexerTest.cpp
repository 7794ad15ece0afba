#include "engine/tokenizer/JinjaLexer.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

/// "text(a) {{ name(x) }}", or the message.
QString tokens(std::string_view source)
{
    const auto found = jinjaTokens(source);
    if (!found)
        return text(found.error().message);
    const char* kinds[] = {"text", "{{", "}}", "{%", "%}", "name", "number", "string", "op", "end"};
    QStringList shown;
    for (const JinjaToken& token : *found) {
        QString one = QString::fromLatin1(kinds[static_cast<int>(token.kind)]);
        if (!token.text.empty())
            one += u"("_qs + text(token.text) + u")"_qs;
        shown << one;
    }
    shown.removeLast(); // the end
    return shown.join(QLatin1Char(' '));
}

} // namespace

class JinjaLexerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTextFromTags()
    {
        QCOMPARE(tokens("a{{ x }}b"), u"text(a) {{ name(x) }} text(b)"_qs);
        QCOMPARE(tokens("a { } {b"), u"text(a { } {b)"_qs);
        QCOMPARE(tokens("{{ {'a': {}} }}"), u"{{ op({) string(a) op(:) op({) op(}) op(}) }}"_qs);
        QCOMPARE(tokens("{{ '}}' }}"), u"{{ string(}}) }}"_qs);
        QCOMPARE(tokens("a{# {{ x }} #}b"), u"text(a) text(b)"_qs);
        QCOMPARE(tokens("{{ a1 != 12 // 3 }}"),
                 u"{{ name(a1) op(!=) number(12) op(//) number(3) }}"_qs);
    }

    // trim_blocks and lstrip_blocks, as Hugging Face's transformers set them.
    void dropsWhiteSpaceAroundTags()
    {
        QCOMPARE(tokens("a\n  {% x %}\nb"), u"text(a\n) {% name(x) %} text(b)"_qs);
        QCOMPARE(tokens("a\n  {{ x }}\nb"), u"text(a\n  ) {{ name(x) }} text(\nb)"_qs);
        QCOMPARE(tokens("a {% x %} b"), u"text(a ) {% name(x) %} text( b)"_qs);
        QCOMPARE(tokens("a \n {%- x -%} \n b"), u"text(a) {% name(x) %} text(b)"_qs);
        QCOMPARE(tokens("a \n {{- x -}} \n b"), u"text(a) {{ name(x) }} text(b)"_qs);
        QCOMPARE(tokens("  {%+ x +%}\nb"), u"text(  ) {% name(x) %} text(\nb)"_qs);
        QCOMPARE(tokens("  {# n #}\nb"), u"text(b)"_qs);
        QCOMPARE(tokens("a\r\nb\n"), u"text(a\nb)"_qs);
    }

    void readsEscapes()
    {
        QCOMPARE(tokens(R"({{ 'a\n\t\'\\é\x41\q' }})"), u"{{ string(a\n\t'\\éA\\q) }}"_qs);
        QCOMPARE(tokens(R"({{ "\u00e9\U0001F600" }})"), u"{{ string(é😀) }}"_qs);
    }

    void saysWhatHasNoEnd()
    {
        QCOMPARE(tokens("{{ x"), u"chat template: a tag has no end"_qs);
        QCOMPARE(tokens("{{ 'x }}"), u"chat template: a string has no end"_qs);
        QCOMPARE(tokens("{# x"), u"chat template: a comment has no end"_qs);
        QCOMPARE(tokens("{{ ? }}"), u"chat template: a tag has the character '?'"_qs);
    }
};

QTEST_APPLESS_MAIN(JinjaLexerTest)
#include "JinjaLexerTest.moc"
