#include "engine/tokenizer/AddedTokenMatcher.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

QString split(const AddedTokenMatcher& matcher, std::string_view subject,
              AddedTokenMatcher::SpecialPolicy policy = {.parse = true, .plain = {}})
{
    QStringList parts;
    for (const auto& part : matcher.split(subject, policy))
        parts << (part.token ? QStringLiteral("[%1]") : QStringLiteral("%1"))
                     .arg(text(part.range.of(subject)));
    return parts.join(QLatin1Char('|'));
}

AddedToken token(const char* content, bool special = false)
{
    return {.id = {0}, .content = content, .special = special};
}

} // namespace

class AddedTokenMatcherTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesTheLeftmostAndOfThoseTheLongest()
    {
        const AddedTokenMatcher matcher({token("ab"), token("abc"), token("bcde")});
        QCOMPARE(split(matcher, "xabcdeab"), u"x|[abc]|de|[ab]"_qs);
        QCOMPARE(split(matcher, "bcde"), u"[bcde]"_qs);
        QCOMPARE(split(matcher, ""), QString());
    }

    void leavesSpecialTokensAloneUnlessTheyAreParsed()
    {
        const AddedTokenMatcher matcher({token("<s>", true), token("<think>")});
        QCOMPARE(split(matcher, "a<s><think>", {}), u"a<s>|[<think>]"_qs);
        QCOMPARE(split(matcher, "a<s><think>"), u"a|[<s>]|[<think>]"_qs);
    }

    void findsAShorterTokenWhereALongerOneIsLeftAlone()
    {
        const AddedTokenMatcher matcher({token("<s>long", true), token("<s>")});
        QCOMPARE(split(matcher, "<s>long", {}), u"[<s>]|long"_qs);
    }

    void leavesTheUsersWordsPlain()
    {
        const AddedTokenMatcher matcher({token("<s>", true)});
        // Bytes 3 to 9 are the user's: "<s>a<s".
        QCOMPARE(split(matcher, "<s><s>a<s><s>", {.parse = true, .plain = {3, 9}}),
                 u"[<s>]|<s>a<s>|[<s>]"_qs);
    }

    void stripsWhiteSpaceAroundATokenThatSaysSo()
    {
        AddedToken left = token("<l>");
        left.leftStrip = true;
        AddedToken right = token("<r>");
        right.rightStrip = true;
        const AddedTokenMatcher matcher({left, right});
        QCOMPARE(split(matcher, "a \xC2\xA0<l> b<r> \n c"),
                 text("a|[ \xC2\xA0<l>]| b|[<r> \n ]|c"));
        QCOMPARE(split(matcher, "<r>  <l>"), u"[<r>  ]|[<l>]"_qs);
    }

    void findsASingleWordOnlyByItself()
    {
        AddedToken word = token("cat");
        word.singleWord = true;
        const AddedTokenMatcher matcher({word});
        QCOMPARE(split(matcher, "cat cats _cat écat (cat)"), u"[cat]| cats _cat écat (|[cat]|)"_qs);
        // A Roman numeral, a circled letter and a joiner are of words; a fraction is not.
        QCOMPARE(split(matcher, "Ⅳcat catⒶ cat\u200D cat½"), u"Ⅳcat catⒶ cat\u200D |[cat]|½"_qs);
    }
};

QTEST_APPLESS_MAIN(AddedTokenMatcherTest)
#include "AddedTokenMatcherTest.moc"
