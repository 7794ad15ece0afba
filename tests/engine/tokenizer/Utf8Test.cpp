#include "engine/tokenizer/Utf8.h"

#include <QtTest/QTest>

using namespace engine;

class Utf8Test : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyScalarValueSurvivesWritingAndReading()
    {
        for (char32_t codepoint = 0; codepoint <= 0x10FFFF; ++codepoint) {
            if (codepoint >= 0xD800 && codepoint <= 0xDFFF)
                continue;
            std::string bytes;
            appendUtf8(bytes, codepoint);
            const Utf8Character read = characterAt(bytes, 0);
            if (read.codepoint != codepoint || read.size != bytes.size() ||
                characterSize(bytes, 0) != bytes.size() || firstInvalidByte(bytes))
                QFAIL(qPrintable(QStringLiteral("U+%1").arg(uint(codepoint), 0, 16)));
        }
    }

    void findsTheFirstByteThatMakesNoCharacter_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("offset");
        QTest::newRow("lone continuation") << QByteArray("ab\x80") << 2;
        QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << 0;
        QTest::newRow("overlong of three") << QByteArray("x\xE0\x80\xAF") << 1;
        QTest::newRow("surrogate") << QByteArray("abc\xED\xA0\x80") << 3;
        QTest::newRow("above the last plane") << QByteArray("\xF4\x90\x80\x80") << 0;
        QTest::newRow("never a byte of UTF-8") << QByteArray("\xFF") << 0;
        QTest::newRow("cut off") << QByteArray("\xE2\x82\xAC\xE2\x82") << 3;
    }
    void findsTheFirstByteThatMakesNoCharacter()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, offset);
        const auto found = firstInvalidByte(bytes.toStdString());
        QVERIFY(found.has_value());
        QCOMPARE(int(*found), offset);
    }

    // Table 3-8 of the Unicode Standard, and the examples around it.
    void replacesEachMaximalSubpartByOneCharacter_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        const QChar r(0xFFFD);
        QTest::newRow("table 3-8")
            << QByteArray("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64")
            << QStringLiteral("a") + r + r + r + QStringLiteral("b") + r + QStringLiteral("c") + r +
                   r + QStringLiteral("d");
        QTest::newRow("non-shortest forms") << QByteArray("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41")
                                            << QString(8, r) + QStringLiteral("A");
        QTest::newRow("surrogates") << QByteArray("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41")
                                    << QString(8, r) + QStringLiteral("A");
        QTest::newRow("truncated") << QByteArray("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41")
                                   << QString(4, r) + QStringLiteral("A");
        QTest::newRow("cut off") << QByteArray("a\xF0\x9F\x98") << QStringLiteral("a") + r;
    }
    void replacesEachMaximalSubpartByOneCharacter()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(toValidUtf8(bytes.toStdString())), text);
        // The same whatever the pieces it comes in.
        Utf8Stream stream;
        std::string whole;
        for (const char byte : bytes)
            whole += stream.append(std::string_view(&byte, 1));
        whole += stream.flush();
        QCOMPARE(QString::fromStdString(whole), text);
    }

    void holdsBackAnUnfinishedCharacter()
    {
        Utf8Stream stream;
        QCOMPARE(stream.append("x\xE2\x82"), std::string("x"));
        QCOMPARE(stream.pending(), std::string("\xE2\x82"));
        QCOMPARE(stream.append("\xAC!"), std::string("\xE2\x82\xAC!"));
        QVERIFY(stream.pending().empty());
        QVERIFY(stream.flush().empty());
    }

    void knowsWhiteSpaceAsUnicodeDoes()
    {
        int count = 0;
        for (char32_t codepoint = 0; codepoint <= 0x10FFFF; ++codepoint)
            count += isWhiteSpace(codepoint);
        QCOMPARE(count, 25); // White_Space in PropList.txt
        QVERIFY(!isWhiteSpace(0x180E));
        QVERIFY(!isWhiteSpace(0x200B));
        QVERIFY(isWhiteSpace(0x3000));
    }
};

QTEST_APPLESS_MAIN(Utf8Test)
#include "Utf8Test.moc"
