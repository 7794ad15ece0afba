#include "engine/tokenizer/JinjaExpressionParser.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

/// The tree in round brackets: "(+ 1 (* 2 3))".
QString tree(const JinjaExpression* node)
{
    using Kind = JinjaExpression::Kind;
    if (!node)
        return u"_"_qs;
    if (node->kind == Kind::Literal)
        return node->literal.is(JinjaValue::Kind::Undefined) ? u"?"_qs
                                                             : text(node->literal.json().bytes);
    if (node->kind == Kind::Name)
        return text(node->name);
    const char* kinds[] = {"",     "",  "list", "map", ".",   "[]", "[:]",
                           "call", "|", "is",   "not", "neg", "",   "if"};
    QStringList parts = {QString::fromLatin1(kinds[static_cast<int>(node->kind)]) +
                         text(node->name)};
    for (const auto& child : node->children)
        parts << tree(child.get());
    for (const std::string& keyword : node->keywords)
        parts << text(keyword) + u"="_qs;
    return u"("_qs + parts.join(QLatin1Char(' ')) + u")"_qs;
}

QString parsed(const std::string& source)
{
    const auto tokens = jinjaTokens("{{ " + source + " }}");
    if (!tokens)
        return text(tokens.error().message);
    JinjaExpressionParser parser(*tokens);
    parser.advance();
    const JinjaExpressionPtr expression = parser.tuple();
    return parser.failed() ? text(parser.error()) : tree(expression.get());
}

} // namespace

class JinjaExpressionParserTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bindsAsJinjaDoes_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* source, const char* expected) {
            QTest::newRow(source) << QString::fromUtf8(source) << QString::fromUtf8(expected);
        };
        row("1 + 2 * 3 - 4", "(- (+ 1 (* 2 3)) 4)");
        row("a + b ~ c", "(+ a (~ b c))");
        row("a + b | trim", "(+ a (|trim b))");
        row("not a is defined", "(not (isdefined a))");
        row("a is not none and b", "(and (not (isnone a)) b)");
        row("not a == b or c and d", "(or (not (== a b)) (and c d))");
        row("a not in b", "(not (in a b))");
        row("x if a else y if b else z", "(if x a (if y b z))");
        row("x if a", "(if x a ?)");
        row("a.b['c'][0].d", "(.d ([] ([] (.b a) \"c\") 0))");
        row("a[1:]", "([:] a 1 _ _)");
        row("a[::-1]", "([:] a _ _ (neg 1))");
        row("f(a, b, c=1)", "(call f a b 1 c=)");
        row("a | f(1) | g", "(|g (|f a 1))");
        row("(a, b)", "(list a b)");
        row("(a)", "a");
        row("a, b", "(list a b)");
        row("{'a': [1]}", "(map \"a\" (list 1))");
        row("-a.b | f", "(|f (neg (.b a)))");
        row("a is equalto 'b' or c", "(or (isequalto a \"b\") c)");
        row("'a' 'b'", "\"ab\"");
    }
    void bindsAsJinjaDoes()
    {
        QFETCH(QString, source);
        QFETCH(QString, expected);
        QCOMPARE(parsed(source.toStdString()), expected);
    }

    void saysWhatIsWrong()
    {
        QVERIFY(parsed("a +").contains(u"expected a value"_qs));
        QVERIFY(parsed("[a").contains(u"a tag has no end"_qs));
        QVERIFY(parsed("f(a=1, b)").contains(u"without a name"_qs));
        QVERIFY(parsed("a.").contains(u"expected a name behind a dot"_qs));
        QVERIFY(parsed("{'a' 1}").contains(u"expected \":\""_qs));
    }
};

QTEST_APPLESS_MAIN(JinjaExpressionParserTest)
#include "JinjaExpressionParserTest.moc"
