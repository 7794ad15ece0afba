#include "engine/tokenizer/JinjaSyntax.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

QString messageFor(std::string_view source)
{
    const auto body = parseJinja(source);
    return body ? u"(read)"_qs : text(body.error().message);
}

} // namespace

class JinjaSyntaxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTags()
    {
        using Kind = JinjaStatement::Kind;
        const auto body =
            parseJinja("a{% if x %}b{% elif y %}c{% else %}d{% endif %}"
                       "{% for k, v in m if k %}{{ k }}{% break %}{% else %}e{% endfor %}"
                       "{% set x = 1, 2 %}{% set n.a = 1 %}{% set b %}f{% endset %}"
                       "{% macro g(a, b='c') %}h{% endmacro g %}"
                       "{% generation %}i{% endgeneration %}");
        QVERIFY2(body, body ? "" : body.error().message.c_str());
        QCOMPARE(body->size(), std::size_t(8));
        QVERIFY((*body)[0].kind == Kind::Text);
        const JinjaStatement& branches = (*body)[1];
        QVERIFY(branches.kind == Kind::If);
        QCOMPARE(branches.expressions.size(), std::size_t(2));
        QCOMPARE(branches.bodies.size(), std::size_t(3));
        const JinjaStatement& loop = (*body)[2];
        QVERIFY(loop.kind == Kind::For && loop.expressions[1]);
        QVERIFY(loop.targets == (std::vector<std::string>{"k", "v"}));
        QVERIFY(loop.bodies[0][1].kind == Kind::Break);
        QCOMPARE(loop.bodies[1].size(), std::size_t(1));
        QVERIFY((*body)[3].kind == Kind::Set && (*body)[3].name.empty());
        QCOMPARE((*body)[4].name, std::string("a"));
        QVERIFY((*body)[5].kind == Kind::SetBlock);
        QVERIFY((*body)[6].kind == Kind::Macro && !(*body)[6].expressions[0]);
        QVERIFY((*body)[7].kind == Kind::Group);
    }

    void saysWhatIsWrong()
    {
        QCOMPARE(messageFor("{% if x %}a"), u"chat template: a block has no end"_qs);
        QCOMPARE(messageFor("{% endif %}"),
                 u"chat template: the tag \"endif\" is not supported"_qs);
        QCOMPARE(messageFor("{% extends 'x' %}"),
                 u"chat template: the tag \"extends\" is not supported"_qs);
        QVERIFY(messageFor("{% for x of y %}{% endfor %}").contains(u"expected \"in\""_qs));
        QVERIFY(messageFor("{{ x y }}").contains(u"expected the end of a tag"_qs));
        QVERIFY(messageFor("{% if x %}{% endfor %}").contains(u"endfor"_qs));
        QVERIFY(messageFor("{% for x in y recursive %}{% endfor %}").contains(u"recursive"_qs));
        QCOMPARE(parseJinja("{% call x() %}").error().code, ErrorCode::UnsupportedFeature);
        QCOMPARE(parseJinja("{{ }}").error().code, ErrorCode::BadFormat);
    }
};

QTEST_APPLESS_MAIN(JinjaSyntaxTest)
#include "JinjaSyntaxTest.moc"
