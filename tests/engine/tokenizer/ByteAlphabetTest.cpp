#include "engine/tokenizer/ByteAlphabet.h"

#include <QtTest/QTest>

#include <set>
#include <string>

using namespace engine;

class ByteAlphabetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesEachByteAsACharacterOfItsOwn()
    {
        std::set<std::string_view> seen;
        for (unsigned byte = 0; byte < 256; ++byte)
            seen.insert(byteCharacter(static_cast<unsigned char>(byte)));
        QCOMPARE(int(seen.size()), 256);
    }

    void writesTheCharactersThatGpt2Writes()
    {
        std::string written;
        writeInByteAlphabet(" a\n\x00\xAD\xFF", written);
        // The string literal ends at its zero byte.
        QCOMPARE(written, std::string("ĠaĊ"));
        writeInByteAlphabet(std::string("\0\x7F\x80\xA0\xAD\xFF", 6), written);
        QCOMPARE(written, std::string("ĀġĢłŃÿ"));
    }

    void readsBackWhatItWrote()
    {
        std::string bytes;
        for (unsigned byte = 0; byte < 256; ++byte)
            bytes.push_back(static_cast<char>(byte));
        std::string written;
        writeInByteAlphabet(bytes, written);
        QCOMPARE(readByteAlphabet(written).value_or(""), bytes);
    }

    void refusesCharactersThatAreNotOfTheAlphabet()
    {
        QVERIFY(!readByteAlphabet("a b"));
        QVERIFY(!readByteAlphabet("\xE2\x96\x81")); // U+2581
        QVERIFY(!readByteAlphabet("\xC5\x84"));     // U+0144, one after the last
        QVERIFY(!readByteAlphabet("\xFF"));
    }
};

QTEST_APPLESS_MAIN(ByteAlphabetTest)
#include "ByteAlphabetTest.moc"
