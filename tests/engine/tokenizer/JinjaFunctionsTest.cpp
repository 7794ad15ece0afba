#include "engine/tokenizer/JinjaFunctions.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

JinjaValue word(std::string_view content)
{
    return JinjaValue::string(content);
}

QString json(const std::optional<JinjaValue>& value)
{
    return value ? text(value->json().bytes) : u"(not known)"_qs;
}

} // namespace

/// What templates call; jinja.json, in JinjaRendererTest, holds the same against Jinja itself.
class JinjaFunctionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void appliesFilters()
    {
        QCOMPARE(json(applyJinjaFilter("trim", word("\u3000 a\n"), {})), u"\"a\""_qs);
        QCOMPARE(json(applyJinjaFilter("trim", word("xax"), {{word("x")}, {}})), u"\"a\""_qs);
        QCOMPARE(json(applyJinjaFilter("length", word("é日"), {})), u"2"_qs);
        QCOMPARE(json(applyJinjaFilter("d", {}, {{word("x")}, {}})), u"\"x\""_qs);
        QCOMPARE(json(applyJinjaFilter("default", word(""),
                                       {{word("x")}, {{"boolean", JinjaValue::boolean(true)}}})),
                 u"\"x\""_qs);
        QCOMPARE(json(applyJinjaFilter("list", word("é日"), {})), u"[\"é\", \"日\"]"_qs);
        QCOMPARE(json(applyJinjaFilter("nothing", word("a"), {})), u"(not known)"_qs);
        QCOMPARE(json(applyJinjaFilter("tojson", word("a"), {{}, {{"indent", {}}}})),
                 u"(not known)"_qs);
    }

    void answersTests()
    {
        QCOMPARE(applyJinjaTest("defined", {}, {}), std::optional(false));
        QCOMPARE(applyJinjaTest("string", word("a"), {}), std::optional(true));
        QCOMPARE(applyJinjaTest("mapping", JinjaValue::listOf({}), {}), std::optional(false));
        QCOMPARE(applyJinjaTest("eq", word("a"), {{word("a")}, {}}), std::optional(true));
        QVERIFY(!applyJinjaTest("nothing", {}, {}));
    }

    void callsMethods()
    {
        QCOMPARE(json(callJinjaMethod("split", word("a  b c"), {{{}, JinjaValue::number(1)}, {}})),
                 u"[\"a\", \"b c\"]"_qs);
        QCOMPARE(json(callJinjaMethod("split", word("aXXb"), {{word("X")}, {}})),
                 u"[\"a\", \"\", \"b\"]"_qs);
        QCOMPARE(json(callJinjaMethod("rstrip", word(" a "), {})), u"\" a\""_qs);
        const JinjaValue map = JinjaValue::mapOf({{"a", JinjaValue::number(1)}});
        QCOMPARE(json(callJinjaMethod("items", map, {})), u"[[\"a\", 1]]"_qs);
        QCOMPARE(json(callJinjaMethod("get", map, {{word("b")}, {}})), u"null"_qs);
        QCOMPARE(json(callJinjaMethod("pop", map, {{word("a")}, {}})), u"(not known)"_qs);
    }

    void looksInsideValues()
    {
        QCOMPARE(jinjaContains(word("abc"), word("bc")), std::optional(true));
        QCOMPARE(jinjaContains(JinjaValue::listOf({word("a")}), word("b")), std::optional(false));
        QVERIFY(!jinjaContains(JinjaValue::number(1), word("b")));
        QVERIFY(!jinjaElements(JinjaValue::none()));
        QCOMPARE(jinjaElements(JinjaValue())->size(), std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(JinjaFunctionsTest)
#include "JinjaFunctionsTest.moc"
