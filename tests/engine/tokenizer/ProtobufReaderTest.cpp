#include "engine/tokenizer/ProtobufReader.h"

#include <QtTest/QTest>

#include <random>
#include <string>

using namespace engine;
using namespace std::string_view_literals;

class ProtobufReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The examples of protobuf.dev, "Encoding".
    void readsNumbersAndTexts()
    {
        ProtobufReader reader("\x08\x96\x01\x12\x07testing\x1d\x00\x00\x80\x3f"sv);
        const auto number = reader.next();
        QVERIFY(number);
        QCOMPARE(number->number, 1u);
        QCOMPARE(number->value, std::uint64_t(150));
        QVERIFY(!number->isBytes);
        const auto text = reader.next();
        QVERIFY(text && text->isBytes);
        QCOMPARE(text->number, 2u);
        QVERIFY(text->bytes == "testing");
        const auto fraction = reader.next();
        QVERIFY(fraction);
        QCOMPARE(fraction->asFloat(), 1.0f);
        QVERIFY(!reader.next());
        QVERIFY(reader.ok());
    }

    void readsNegativeNumbersInTenBytes()
    {
        ProtobufReader reader("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv);
        const auto field = reader.next();
        QVERIFY(field);
        QCOMPARE(static_cast<std::int32_t>(field->value), -1);
        QVERIFY(reader.ok());
    }

    void saysWhenAMessageIsDamaged_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("number cut short") << QByteArray("\x08\x96", 2);
        QTest::newRow("number without end")
            << QByteArray("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
        QTest::newRow("text cut short") << QByteArray("\x12\x07test", 6);
        QTest::newRow("text of enormous length")
            << QByteArray("\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
                          "a",
                          11);
        QTest::newRow("four bytes cut short") << QByteArray("\x1d\x00\x00", 3);
        QTest::newRow("eight bytes cut short") << QByteArray("\x19\x00\x00\x00\x00", 5);
        QTest::newRow("group") << QByteArray("\x0b", 1);
        QTest::newRow("field 0") << QByteArray("\x00\x01", 2);
    }
    void saysWhenAMessageIsDamaged()
    {
        QFETCH(QByteArray, message);
        ProtobufReader reader({message.constData(), static_cast<std::size_t>(message.size())});
        while (reader.next()) {
        }
        QVERIFY(!reader.ok());
    }

    void endsOnAnyBytes()
    {
        std::mt19937 random(8);
        for (int round = 0; round < 20000; ++round) {
            std::string message;
            for (auto i = random() % 40; i > 0; --i)
                message += static_cast<char>(random());
            ProtobufReader reader(message);
            int fields = 0;
            while (reader.next())
                ++fields;
            QVERIFY(fields <= 40);
        }
    }
};

QTEST_APPLESS_MAIN(ProtobufReaderTest)
#include "ProtobufReaderTest.moc"
