#include "engine/tokenizer/Normalizer.h"

#include "tests/engine/tokenizer/CharacterMapTesting.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

QString normalized(const Normalizer& normalizer, std::string_view bytes)
{
    const auto result = normalizer.apply(bytes);
    return text(result ? *result : result.error().message);
}

} // namespace

class NormalizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Unicode Standard Annex #15, figures 3 to 6.
    void knowsTheFourForms_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("nfd");
        QTest::addColumn<QString>("nfc");
        QTest::addColumn<QString>("nfkd");
        QTest::addColumn<QString>("nfkc");
        QTest::newRow("U+212B") << u"\u212B"_qs << u"A\u030A"_qs << u"\u00C5"_qs << u"A\u030A"_qs
                                << u"\u00C5"_qs;
        QTest::newRow("U+FB01") << u"\uFB01"_qs << u"\uFB01"_qs << u"\uFB01"_qs << u"fi"_qs
                                << u"fi"_qs;
        QTest::newRow("2 to the 5th")
            << u"2\u2075"_qs << u"2\u2075"_qs << u"2\u2075"_qs << u"25"_qs << u"25"_qs;
        QTest::newRow("U+1E9B U+0323") << u"\u1E9B\u0323"_qs << u"\u017F\u0323\u0307"_qs
                                       << u"\u1E9B\u0323"_qs << u"s\u0323\u0307"_qs << u"\u1E69"_qs;
        QTest::newRow("plain") << u"abc"_qs << u"abc"_qs << u"abc"_qs << u"abc"_qs << u"abc"_qs;
    }
    void knowsTheFourForms()
    {
        const std::pair<const char*, Normalizer::Form> forms[] = {{"nfd", Normalizer::Form::Nfd},
                                                                  {"nfc", Normalizer::Form::Nfc},
                                                                  {"nfkd", Normalizer::Form::Nfkd},
                                                                  {"nfkc", Normalizer::Form::Nfkc}};
        QFETCH(QString, source);
        for (const auto& [column, form] : forms) {
            Normalizer normalizer;
            normalizer.addForm(form);
            const QString expected =
                *static_cast<QString*>(QTest::qData(column, qMetaTypeId<QString>()));
            QCOMPARE(normalized(normalizer, source.toStdString()), expected);
        }
    }

    void lowersEachCharacter()
    {
        Normalizer normalizer;
        normalizer.addLowercase();
        QCOMPARE(normalized(normalizer, "ÀBΣДß İ"), u"àbσдß i\u0307"_qs);
    }

    void prependsToATextThatIsNotEmpty()
    {
        Normalizer normalizer;
        normalizer.addPrepend("▁");
        QCOMPARE(normalized(normalizer, "a"), u"▁a"_qs);
        QCOMPARE(normalized(normalizer, ""), QString());
    }

    void replacesLiteralsAndPatterns()
    {
        Normalizer normalizer;
        normalizer.addReplace(" ", "▁");
        auto pattern = Regex::compile("a{2,}", "t");
        QVERIFY(pattern);
        normalizer.addReplace(*std::move(pattern), "A");
        QCOMPARE(normalized(normalizer, " a aa  aaab"), u"▁a▁A▁▁Ab"_qs);
    }

    void stripsWhiteSpaceAtTheEnds()
    {
        Normalizer both;
        both.addStrip(true, true);
        QCOMPARE(normalized(both, "\xC2\xA0 a b\xE3\x80\x80\n"), u"a b"_qs);
        QCOMPARE(normalized(both, " \n"), QString());
        Normalizer right;
        right.addStrip(false, true);
        QCOMPARE(normalized(right, " é "), u" é"_qs);
    }

    void dropsCombiningMarks()
    {
        Normalizer normalizer;
        normalizer.addForm(Normalizer::Form::Nfd);
        normalizer.addStripAccents();
        QCOMPARE(normalized(normalizer, "é \u0301a\u20DD क\u093Fb"), u"e a कb"_qs);
    }

    void writesSpacesAsSentencePieceDoes()
    {
        Normalizer plain;
        plain.addSentencePieceSpaces(false, false);
        QCOMPARE(normalized(plain, " a  b "), u"▁a▁▁b▁"_qs);
        Normalizer prefixed;
        prefixed.addSentencePieceSpaces(false, true);
        QCOMPARE(normalized(prefixed, " a"), u"▁▁a"_qs);
        QCOMPARE(normalized(prefixed, ""), u""_qs);
        QCOMPARE(text(*prefixed.apply("a", false)), u"a"_qs); // not at the start of the text
        Normalizer tidy;
        tidy.addSentencePieceSpaces(true, true);
        QCOMPARE(normalized(tidy, "  a   b\n "), u"▁a▁b\n"_qs);
        QCOMPARE(normalized(tidy, "   "), u""_qs);
        QCOMPARE(normalized(tidy, "a▁"), u"▁a"_qs); // a space already written at the end goes too
    }

    void mapsCharacters()
    {
        const auto map =
            CharacterMap::read(tokenizerTesting::characterMap({{"A", "a"}, {"ab", "x"}}), "t");
        Normalizer longest;
        longest.addCharacterMap(*map, PieceTrie());
        QCOMPARE(normalized(longest, "Aabb"), u"axb"_qs);
        Normalizer graphemes;
        graphemes.addCharacterMap(*map);
        QCOMPARE(normalized(graphemes, "Aabb"), u"aabb"_qs);
        QVERIFY(longest.canonical() != graphemes.canonical());
    }

    void runsItsStepsInOrder()
    {
        Normalizer first;
        first.addPrepend(" ");
        first.addReplace(" ", "_");
        Normalizer second;
        second.addReplace(" ", "_");
        second.addPrepend(" ");
        QCOMPARE(normalized(first, "a b"), u"_a_b"_qs);
        QCOMPARE(normalized(second, "a b"), u" a_b"_qs);
        QVERIFY(first.canonical() != second.canonical());
    }
};

QTEST_APPLESS_MAIN(NormalizerTest)
#include "NormalizerTest.moc"
