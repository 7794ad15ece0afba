#include "engine/tokenizer/CharacterMap.h"

#include "tests/engine/tokenizer/CharacterMapTesting.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

CharacterMap mapOf(const std::map<std::string, std::string>& rules)
{
    return *CharacterMap::read(characterMap(rules), "t");
}

QString shown(const Result<std::string>& result)
{
    return text(result ? *result : result.error().message);
}

} // namespace

class CharacterMapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replacesTheLongestTextThatItKnows()
    {
        const CharacterMap map =
            mapOf({{"a", "1"}, {"ab", "2"}, {"abc", "3"}, {"ﬁ", "fi"}, {"\t", " "}});
        QCOMPARE(shown(map.applyToLongest("abcabxaﬁ\té")), u"32x1fi é"_qs);
        QCOMPARE(shown(map.applyToLongest("")), u""_qs);
    }

    void dropsWhatBecomesNothing()
    {
        QCOMPARE(shown(mapOf({{"\u200b", ""}}).applyToLongest("a\u200bb")), u"ab"_qs);
    }

    void keepsWhatItIsToldTo()
    {
        const CharacterMap map = mapOf({{"a", "1"}, {"b", "2"}});
        const PieceTrie kept({{"ab", TokenId{0}}});
        QCOMPARE(shown(map.applyToLongest("abba", kept)), u"ab21"_qs);
    }

    // As Hugging Face's library has it: a cluster below six bytes is looked up as a whole, and the
    // shortest beginning that is known stands for all of it.
    void replacesGraphemes()
    {
        const CharacterMap map = mapOf({{"e\u0301", "é"}, {"ﬁ", "fi"}, {"q", "Q"}});
        QCOMPARE(shown(map.applyToGraphemes("e\u0301ﬁx")), u"éfix"_qs);
        QCOMPARE(shown(map.applyToGraphemes("e\u0301\u0302\u0303")), u"e\u0301\u0302\u0303"_qs);
        QCOMPARE(shown(map.applyToGraphemes("q\u0301")), u"Q"_qs);
        QCOMPARE(shown(map.applyToGraphemes("q\u0301\u0302\u0303")), u"Q\u0301\u0302\u0303"_qs);
    }

    void refusesADamagedMap_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const std::string whole = characterMap({{"a", "b"}});
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("cut inside its size") << QByteArray("\x04\x00", 2);
        QTest::newRow("cut inside its table") << QByteArray(whole.data(), 100);
        QTest::newRow("a size that is no multiple of four")
            << QByteArray("\x05\x00\x00\x00 abcdefgh", 12);
        QTest::newRow("no table") << QByteArray("\x00\x00\x00\x00", 4);
        QTest::newRow("replacements that are no text")
            << QByteArray(whole.data(), static_cast<qsizetype>(whole.size())) + QByteArray("\xff");
    }
    void refusesADamagedMap()
    {
        QFETCH(QByteArray, bytes);
        const auto map = CharacterMap::read(bytes.toStdString(), "file");
        QVERIFY(!map);
        QCOMPARE(map.error().code, ErrorCode::BadFormat);
        QVERIFY(text(map.error().message).startsWith(u"file: the character map "_qs));
    }

    void saysWhereAMapPointsOutsideItself()
    {
        std::string bytes = characterMap({{"a", "b"}});
        bytes.resize(bytes.size() - 2); // without its one replacement
        const auto map = CharacterMap::read(bytes, "file");
        QVERIFY(map);
        QVERIFY(shown(map->applyToLongest("xa")).contains(u"points outside"_qs));
        QVERIFY(shown(map->applyToGraphemes("xa")).contains(u"points outside"_qs));
    }

    // Whatever the bytes, the answer is an error or valid text.
    void takesAnyBytes()
    {
        std::mt19937 random(4);
        const std::string whole = characterMap({{"a", "b"}, {"é", "e"}, {"日本", "x"}});
        for (int round = 0; round < 300; ++round) {
            std::string bytes = whole;
            for (int i = 0; i < 40; ++i)
                bytes[4 + random() % (bytes.size() - 4)] = static_cast<char>(random());
            const auto map = CharacterMap::read(bytes, "t");
            if (!map)
                continue;
            const std::string subject = "aé日本" + randomText(random, 60);
            for (const auto& result :
                 {map->applyToLongest(subject), map->applyToGraphemes(subject)})
                QVERIFY(!result || !firstInvalidByte(*result));
        }
    }
};

QTEST_APPLESS_MAIN(CharacterMapTest)
#include "CharacterMapTest.moc"
