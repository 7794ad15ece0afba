#include "engine/tokenizer/JinjaValue.h"

#include <QtTest/QTest>

using namespace engine;

class JinjaValueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTrueAsInPython()
    {
        for (const JinjaValue& value :
             {JinjaValue(), JinjaValue::none(), JinjaValue::boolean(false), JinjaValue::number(0),
              JinjaValue::string(""), JinjaValue::listOf({}), JinjaValue::mapOf({})})
            QVERIFY(!value.isTrue());
        for (const JinjaValue& value :
             {JinjaValue::boolean(true), JinjaValue::number(-1), JinjaValue::string("0"),
              JinjaValue::listOf({{}}), JinjaValue::mapOf({{"a", {}}}), JinjaValue::function("f")})
            QVERIFY(value.isTrue());
    }

    void comparesAsPythonDoes()
    {
        QVERIFY(JinjaValue::number(1) == JinjaValue::boolean(true));
        QVERIFY(!(JinjaValue::number(1) == JinjaValue::string("1")));
        QVERIFY(JinjaValue::none() == JinjaValue::none());
        QVERIFY(!(JinjaValue::none() == JinjaValue::boolean(false)));
        QVERIFY(JinjaValue::listOf({JinjaValue::number(1)}) ==
                JinjaValue::listOf({JinjaValue::number(1)}));
        const JinjaValue one =
            JinjaValue::mapOf({{"a", JinjaValue::number(1)}, {"b", JinjaValue::number(2)}});
        const JinjaValue other =
            JinjaValue::mapOf({{"b", JinjaValue::number(2)}, {"a", JinjaValue::number(1)}});
        QVERIFY(one == other);
    }

    void writesJsonAsPythonDoes()
    {
        const JinjaValue value = JinjaValue::mapOf(
            {{"a\"", JinjaValue::listOf(
                         {JinjaValue::number(1), JinjaValue::none(), JinjaValue::boolean(true)})},
             {"é", JinjaValue::string("\n\\\x01")}});
        const std::string expected = "{\"a\\\"\": [1, null, true], \"é\": \"\\n\\\\\\u0001\"}";
        QCOMPARE(value.json().bytes, expected);
    }

    void marksWhatIsTheUsers()
    {
        MarkedText text = MarkedText::plain("ab");
        text.append(MarkedText::users("cd"));
        QCOMPARE(text.bytes, std::string("abcd"));
        QCOMPARE(text.marks, std::string("\0\0\1\1", 4));
        QCOMPARE(text.part(1, 3).marks, std::string("\0\1", 2));
        // An escape is the user's where what it stands for is.
        QCOMPARE(JinjaValue::string(MarkedText::users("\n")).json().marks,
                 std::string("\0\1\1\0", 4));
    }

    void sharesMaps()
    {
        JinjaValue map = JinjaValue::mapOf({});
        const JinjaValue copy = map;
        map.setMember("a", JinjaValue::number(1));
        map.setMember("a", JinjaValue::number(2));
        QVERIFY(copy.member("a") && copy.member("a")->integer == 2);
        QVERIFY(!copy.member("b"));
    }
};

QTEST_APPLESS_MAIN(JinjaValueTest)
#include "JinjaValueTest.moc"
