#include "engine/tokenizer/JinjaRenderer.h"

#include "engine/io/Json.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

Result<MarkedText> rendered(std::string_view source, std::string_view userText = "user")
{
    const auto body = parseJinja(source);
    if (!body)
        return body.error();
    const JinjaValue message =
        JinjaValue::mapOf({{"role", JinjaValue::string("user")},
                           {"content", JinjaValue::string(MarkedText::users(userText))}});
    return renderJinja(*body,
                       {{"messages", JinjaValue::listOf({message})},
                        {"tools", JinjaValue::none()},
                        {"documents", JinjaValue::none()},
                        {"add_generation_prompt", JinjaValue::boolean(true)},
                        {"bos_token", JinjaValue::string("<s>")},
                        {"eos_token", JinjaValue::string("</s>")}},
                       {2024, 7, 26});
}

QString shown(std::string_view source)
{
    const auto result = rendered(source);
    return text(result ? result->bytes : result.error().message);
}

} // namespace

class JinjaRendererTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // What Jinja itself writes, or refuses: tests/peers/tokenizer/make_jinja_cases.py.
    void writesWhatJinjaWrites_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("subject");
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<bool>("refused");
        const auto document = JsonDocument::read(TOKENSCOPE_TEST_DATA "/tokenizer/jinja.json");
        QVERIFY(document);
        const auto list = [](JsonValue value) {
            std::vector<JsonValue> elements;
            value.forEachElement([&](JsonValue element) { elements.push_back(element); });
            return elements;
        };
        const auto bytes = [](JsonValue value) {
            const std::string_view content = value.string().value_or("");
            return QByteArray(content.data(), static_cast<qsizetype>(content.size()));
        };
        const auto texts = list(document->root()["texts"]);
        const auto cases = list(document->root()["cases"]);
        QVERIFY(cases.size() > 40);
        for (const JsonValue item : cases) {
            const auto fields = list(item);
            const auto results = list(fields[2]);
            for (std::size_t i = 0; i < texts.size(); ++i)
                QTest::newRow((bytes(fields[0]) + ", text " + QByteArray::number(i)).constData())
                    << bytes(fields[1]) << bytes(texts[i]) << bytes(results[i])
                    << results[i].isNull();
        }
    }
    void writesWhatJinjaWrites()
    {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, subject);
        QFETCH(QByteArray, expected);
        QFETCH(bool, refused);
        const auto result = rendered(source.toStdString(), subject.toStdString());
        QVERIFY2(result.has_value() != refused, result ? "" : result.error().message.c_str());
        if (result)
            QCOMPARE(text(result->bytes), QString::fromUtf8(expected));
        if (result)
            QCOMPARE(result->marks.size(), result->bytes.size());
    }

    void keepsTrackOfTheUsersWords()
    {
        const auto marked = [](std::string_view source) {
            const auto result = rendered(source, " Hi\n");
            if (!result)
                return text(result.error().message);
            QString shape;
            for (std::size_t i = 0; i < result->size(); ++i)
                shape += QLatin1Char(result->marks[i] != 0 ? 'U' : '.');
            return shape;
        };
        QCOMPARE(marked("<{{ messages[0].content }}>"), u".UUUU."_qs);
        QCOMPARE(marked("<{{ messages[0].content | trim | upper }}>"), u".UU."_qs);
        QCOMPARE(marked("{{ 'x' + messages[0]['content'].split('i')[0] ~ 'y' }}"), u".UU."_qs);
        QCOMPARE(marked("{{ messages[0].content.replace('H', 'h') }}"), u"U.UU"_qs);
        QCOMPARE(marked("{{ messages[0].content | tojson }}"), u".UUUUU."_qs);
        QCOMPARE(marked("{% macro f(x) %}[{{ x[1:] }}]{% endmacro %}{{ f(messages[0].content) }}"),
                 u".UUU."_qs);
    }

    void namesWhatItRefuses_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* source, const QString& why) {
            QTest::newRow(source) << QByteArray(source) << why;
        };
        row("{{ 'a' | indent }}", u"the filter \"indent\" is not supported"_qs);
        row("{{ 'a' is divisibleby(2) }}", u"the test \"divisibleby\" is not supported"_qs);
        row("{{ 'a'.zfill(3) }}", u"the method \"zfill\" is not supported"_qs);
        row("{{ no_function() }}", u"\"no_function\" is no function"_qs);
        row("{% include 'x' %}", u"the tag \"include\" is not supported"_qs);
        row("{{ x.y }}", u"it asks for \"y\" of what is not defined"_qs);
        row("{{ raise_exception('Alternate!') }}", u"refuses this conversation: Alternate!"_qs);
        row("{{ strftime_now('%H') }}", u"the date format \"%H\" is not supported"_qs);
        row("{{ 1.5 }}", u"whole numbers are"_qs);
        row("{{ 1 / 2 }}", u"the operator \"/\" is not supported"_qs);
        row("{% set x.y = 1 %}", u"\"x\" is no namespace"_qs);
        row("{{ 'a' * 3 }}", u"the operator \"*\" is not supported"_qs);
    }
    void namesWhatItRefuses()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, why);
        const QString message = shown(source.toStdString());
        QVERIFY2(message.contains(why), qPrintable(message));
        QVERIFY2(message.startsWith(u"chat template: "_qs), qPrintable(message));
    }

    void boundsWorkAndSize_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::newRow("loops") << QByteArray("{% for a in range(9999999) %}{% endfor %}");
        QTest::newRow("loops in loops")
            << QByteArray("{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}"
                          "{% endfor %}{% endfor %}");
        QTest::newRow("recursion") << QByteArray("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}");
        QTest::newRow("doubling") << QByteArray(
            "{% set ns = namespace(x='0123456789') %}{% for a in range(99) %}"
            "{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}");
        QTest::newRow("doubling lists")
            << QByteArray("{% set ns = namespace(x=[1]) %}{% for a in range(99) %}"
                          "{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}");
        QTest::newRow("brackets") << QByteArray("{{ ") + QByteArray(100000, '(');
        QTest::newRow("negations") << "{{ " + QByteArray("not ").repeated(100000) + "1 }}";
        QTest::newRow("blocks") << QByteArray("{% if 1 %}").repeated(100000);
        QTest::newRow("operators") << "{{ 1 " + QByteArray("+ 1 ").repeated(100000) + "}}";
    }
    void boundsWorkAndSize()
    {
        QFETCH(QByteArray, source);
        const auto result = rendered(source.toStdString());
        QVERIFY(!result);
    }

    // Any damage gives an error or a text.
    void takesAnySource()
    {
        const auto document = JsonDocument::read(TOKENSCOPE_TEST_DATA "/tokenizer/jinja.json");
        QVERIFY(document);
        std::string all;
        document->root()["cases"].forEachElement([&](JsonValue item) {
            item.forEachElement([&](JsonValue field) { all += field.string().value_or(""); });
        });
        std::mt19937 random(2);
        int rendering = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string source = all.substr(random() % all.size(), random() % 400);
            for (int i = 0; i < 3 && !source.empty(); ++i)
                source[random() % source.size()] = "{}%#'\"()[]|.-+~ \\n"[random() % 18];
            rendering += rendered(source).has_value() ? 1 : 0;
        }
        QVERIFY(rendering > 20);
    }
};

QTEST_APPLESS_MAIN(JinjaRendererTest)
#include "JinjaRendererTest.moc"
