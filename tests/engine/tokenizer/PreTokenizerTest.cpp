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
};

QTEST_APPLESS_MAIN(PreTokenizerTest)
#include "PreTokenizerTest.moc"
