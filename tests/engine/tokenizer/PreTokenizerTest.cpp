#include "engine/tokenizer/PreTokenizer.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

QString split(const PreTokenizer& rules, std::string_view subject, bool atStart = true)
{
    const auto words = rules.split(std::string(subject), atStart);
    if (!words)
        return text(words.error().message);
    QStringList shown;
    for (const ByteRange& range : words->ranges)
        shown << text(range.of(words->text));
    return shown.join(QLatin1Char('|'));
}

PreTokenizer splitting(const char* pattern, SplitBehavior behavior, bool invert = false)
{
    PreTokenizer rules;
    rules.addSplit(*Regex::compile(pattern, "t"), behavior, invert);
    return rules;
}

} // namespace

class PreTokenizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The example of Hugging Face's documentation of the five behaviours: "the-final--countdown"
    // split at "-".
    void knowsTheFiveBehaviors_data()
    {
        QTest::addColumn<int>("behavior");
        QTest::addColumn<QString>("words");
        QTest::newRow("removed") << int(SplitBehavior::Removed) << u"the|final|countdown"_qs;
        QTest::newRow("isolated") << int(SplitBehavior::Isolated)
                                  << u"the|-|final|-|-|countdown"_qs;
        QTest::newRow("merged with previous")
            << int(SplitBehavior::MergedWithPrevious) << u"the-|final-|-|countdown"_qs;
        QTest::newRow("merged with next")
            << int(SplitBehavior::MergedWithNext) << u"the|-final|-|-countdown"_qs;
        QTest::newRow("contiguous")
            << int(SplitBehavior::Contiguous) << u"the|-|final|--|countdown"_qs;
    }
    void knowsTheFiveBehaviors()
    {
        QFETCH(int, behavior);
        QFETCH(QString, words);
        const auto chosen = static_cast<SplitBehavior>(behavior);
        QCOMPARE(split(splitting("-", chosen), "the-final--countdown"), words);
        PreTokenizer literal;
        literal.addSplit("-", chosen);
        QCOMPARE(split(literal, "the-final--countdown"), words);
    }

    void invertsWhatAMatchIs()
    {
        QCOMPARE(split(splitting(R"(\w+|[^\w\s]+)", SplitBehavior::Removed, true), "Hey, you  2!"),
                 u"Hey|,|you|2|!"_qs);
    }

    void splitsTheWordsThatEarlierStepsLeft()
    {
        PreTokenizer rules = splitting(R"(\p{N})", SplitBehavior::Isolated);
        rules.append(splitting(R"(\s+(?!\S)|\s+)", SplitBehavior::Isolated));
        // A step looks no farther than the word before it: the digit ends what the space sees.
        QCOMPARE(split(rules, "a  12"), u"a|  |1|2"_qs);
    }

    void putsAPrefixSpaceOnce()
    {
        PreTokenizer rules;
        rules.addPrefixSpace();
        QCOMPARE(split(rules, "a b"), u" a b"_qs);
        QCOMPARE(split(rules, " a b"), u" a b"_qs);
        QCOMPARE(split(rules, ""), QString());
    }

    void marksSpacesAsSentencePieceDoes()
    {
        PreTokenizer always;
        always.addMetaspace("▁", PreTokenizer::PrependScheme::Always, true);
        QCOMPARE(split(always, "Hey  you"), u"▁Hey|▁|▁you"_qs);
        QCOMPARE(split(always, " Hey", false), u"▁Hey"_qs);
        PreTokenizer first;
        first.addMetaspace("▁", PreTokenizer::PrependScheme::First, false);
        QCOMPARE(split(first, "a b", true), u"▁a▁b"_qs);
        QCOMPARE(split(first, "a b", false), u"a▁b"_qs);
        PreTokenizer never;
        never.addMetaspace("▁", PreTokenizer::PrependScheme::Never, true);
        QCOMPARE(split(never, "a b"), u"a|▁b"_qs);
    }

    void splitsByTheRuleThatTheFileNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        const char* subject = "I'LL pay 12345 €, \n\nok?  End'll";
        Q_UNUSED(subject);
        QTest::newRow("gpt-2") << u"gpt-2"_qs
                               << u"I|'|LL| pay| 12345| €,| \n|\n|ok|?| | End|'ll"_qs;
        QTest::newRow("llama-bpe")
            << u"llama-bpe"_qs << u"I|'LL| pay| |123|45| €,| \n\n|ok|?| | End|'ll"_qs;
        QTest::newRow("llama3") << u"llama3"_qs
                                << u"I|'LL| pay| |123|45| €,| \n\n|ok|?| | End|'ll"_qs;
        QTest::newRow("qwen2") << u"qwen2"_qs
                               << u"I|'LL| pay| |1|2|3|4|5| €,| \n\n|ok|?| | End|'ll"_qs;
        QTest::newRow("smollm") << u"smollm"_qs
                                << u"I|'|LL| pay| |1|2|3|4|5| €,| \n|\n|ok|?| | End|'ll"_qs;
    }
    void splitsByTheRuleThatTheFileNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, words);
        const NamedPreTokenizer named = preTokenizerByName(name.toStdString());
        QVERIFY(named.known);
        QCOMPARE(split(named.rules, "I'LL pay 12345 €, \n\nok?  End'll"), words);
    }

    void fallsBackToTheDefaultRuleVisibly()
    {
        QVERIFY(preTokenizerByName("default").known);
        const NamedPreTokenizer unknown = preTokenizerByName("no-such-rule");
        QVERIFY(!unknown.known);
        QCOMPARE(split(unknown.rules, "a 1234!?b"), u"a| |123|4|!?|b"_qs);
    }

    void onlyLlama3AddsBosAndIgnoresMerges()
    {
        QVERIFY(preTokenizerByName("llama-bpe").addsBos);
        QVERIFY(preTokenizerByName("llama-bpe").ignoresMerges);
        for (const char* name : {"gpt-2", "qwen2", "smollm", "default"}) {
            QVERIFY(!preTokenizerByName(name).addsBos);
            QVERIFY(!preTokenizerByName(name).ignoresMerges);
        }
    }

    void coversEveryByteOfATextWithNamedRules()
    {
        std::mt19937 random(11);
        for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "smollm", "default"}) {
            const PreTokenizer rules = preTokenizerByName(name).rules;
            for (int round = 0; round < 200; ++round) {
                const std::string subject = tokenizerTesting::randomText(random, 40);
                const auto words = rules.split(subject, true);
                QVERIFY(words);
                std::string joined;
                for (const ByteRange& range : words->ranges)
                    joined += range.of(words->text);
                QVERIFY(joined == subject);
            }
        }
    }
};

QTEST_APPLESS_MAIN(PreTokenizerTest)
#include "PreTokenizerTest.moc"
