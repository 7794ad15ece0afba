#include "engine/tokenizer/NamedPreTokenizers.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

QString split(const PreTokenizer& rules, std::string_view subject)
{
    const auto words = rules.split(std::string(subject), true);
    if (!words)
        return text(words.error().message);
    QStringList shown;
    for (const ByteRange& range : words->ranges)
        shown << text(range.of(words->text));
    return shown.join(QLatin1Char('|'));
}

} // namespace

class NamedPreTokenizersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitsByTheRuleThatTheFileNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
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

    // Held against llama.cpp by ids, with its own vocabularies under each name: these are the words
    // behind ids that were equal for thousands of texts.
    void splitsWordsOfManyKinds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("tekken") << u"tekken"_qs
                                << u"Hello|WORLD|'s| |1|2|3|4|5| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("gpt-4o") << u"gpt-4o"_qs
                                << u"Hello|WORLD's| |123|45| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("o200k") << u"o200k"_qs
                               << u"Hello|WORLD's| |123|45| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("deepseek-llm")
            << u"deepseek-llm"_qs << u"HelloWORLD|'|s| |12345| é|t|é|,|\n| | ok|<=>|日本| |नमस्ते"_qs;
        QTest::newRow("deepseek-coder")
            << u"deepseek-coder"_qs
            << u"HelloWORLD|'|s| |1|2|3|4|5| été|,|\n| | ok|<=>|日本| |नमस|्|त|े"_qs;
        QTest::newRow("deepseek-v3")
            << u"deepseek-v3"_qs << u"HelloWORLD|'s| |123|45| été|,\n| | ok|<=>|日本| नमस्ते"_qs;
        QTest::newRow("falcon") << u"falcon"_qs
                                << u"HelloWORLD|'|s| |123|45| été|,|\n | ok|<=>|日本| नमस|्|त|े"_qs;
        QTest::newRow("bloom") << u"bloom"_qs
                               << u"HelloWORLD's| 12345| été|,\n | ok<=>日本| नमस्ते"_qs;
        QTest::newRow("viking") << u"viking"_qs
                                << u"HelloWORLD's| |1|2|3|4|5| été|,\n | ok<=>日本| नमस्ते"_qs;
        QTest::newRow("jais-2") << u"jais-2"_qs
                                << u"HelloWORLD|'s| |123|45| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("qwen35") << u"qwen35"_qs
                                << u"HelloWORLD|'s| |1|2|3|4|5| été|,\n| | ok|<=>|日本| नमस्ते"_qs;
        QTest::newRow("minicpm5") << u"minicpm5"_qs
                                  << u"HelloWORLD|'s| |123|45| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("seed-coder")
            << u"seed-coder"_qs << u"HelloWORLD|'s| |1|2|3|4|5| été|,|\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("bailingmoe")
            << u"bailingmoe"_qs << u"HelloWORLD|'s| |1|2|3|4|5| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("exaone-moe")
            << u"exaone-moe"_qs << u"HelloWORLD|'s| |1|2|3|4|5| été|,\n| | ok|<=>|日本 नमस्ते"_qs;
        QTest::newRow("olmo") << u"olmo"_qs
                              << u"HelloWORLD|'s| 12345| été|,|\n | ok|<=>|日本| नमस|्|त|े"_qs;
        QTest::newRow("command-r")
            << u"command-r"_qs << u"HelloWORLD|'s| |1|2|3|4|5| été|,|\n | ok|<=>|日本| नमस|्|त|े"_qs;
        QTest::newRow("dbrx") << u"dbrx"_qs
                              << u"HelloWORLD|'s| |123|45| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
        QTest::newRow("stablelm2")
            << u"stablelm2"_qs << u"HelloWORLD|'s| |1|2|3|4|5| été|,\n| | ok|<=>|日本| नमस|्त|े"_qs;
    }
    void splitsWordsOfManyKinds()
    {
        QFETCH(QString, name);
        QFETCH(QString, words);
        const NamedPreTokenizer named = preTokenizerByName(name.toStdString());
        QVERIFY(named.known);
        QCOMPARE(split(named.rules, "HelloWORLD's 12345 été,\n  ok<=>日本 नमस्ते"), words);
    }

    void fallsBackToTheDefaultRuleVisibly()
    {
        QVERIFY(preTokenizerByName("default").known);
        const NamedPreTokenizer unknown = preTokenizerByName("no-such-rule");
        QVERIFY(!unknown.known);
        QCOMPARE(split(unknown.rules, "a 1234!?b"), u"a| |123|4|!?|b"_qs);
    }

    void knowsWhatElseTheNameImplies()
    {
        for (const char* name : {"llama-bpe", "tekken"}) {
            QVERIFY(preTokenizerByName(name).addsBos);
            QVERIFY(preTokenizerByName(name).ignoresMerges);
        }
        QVERIFY(preTokenizerByName("minicpm5").ignoresMerges);
        for (const char* name : {"gpt-2", "qwen2", "smollm", "gpt-4o", "default"}) {
            QVERIFY(!preTokenizerByName(name).addsBos);
            QVERIFY(!preTokenizerByName(name).ignoresMerges);
        }
    }

    void coversEveryByteOfATextWithNamedRules()
    {
        std::mt19937 random(11);
        for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "smollm", "tekken", "gpt-4o",
                                 "deepseek-llm", "falcon", "bloom", "default"}) {
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

QTEST_APPLESS_MAIN(NamedPreTokenizersTest)
#include "NamedPreTokenizersTest.moc"
