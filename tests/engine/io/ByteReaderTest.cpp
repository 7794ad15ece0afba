#include "engine/io/ByteReader.h"

#include <QtTest/QTest>

#include <array>
#include <limits>

using engine::ByteReader;

class ByteReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsNumbersLowestByteFirst()
    {
        const std::array<std::uint8_t, 7> bytes = {0x34, 0x12, 0x00, 0x00, 0xC0, 0x3F, 0xFF};
        ByteReader reader(std::as_bytes(std::span(bytes)));
        QCOMPARE(reader.read<std::uint16_t>(), std::uint16_t{0x1234});
        QCOMPARE(reader.read<float>(), 1.5F);
        QCOMPARE(reader.read<std::int8_t>(), std::int8_t{-1});
        QVERIFY(reader.ok());
        QCOMPARE(reader.remaining(), std::size_t{0});
    }

    void turnsBadForGoodOnAShortRead()
    {
        const std::array<std::uint8_t, 3> bytes = {1, 2, 3};
        ByteReader reader(std::as_bytes(std::span(bytes)));
        QCOMPARE(reader.read<std::uint32_t>(), std::uint32_t{0});
        QVERIFY(!reader.ok());
        QCOMPARE(reader.read<std::uint8_t>(), std::uint8_t{0});
        QVERIFY(!reader.ok());
        QCOMPARE(reader.remaining(), std::size_t{0});
    }

    void refusesACountThatWouldOverflow()
    {
        const std::array<std::uint8_t, 3> bytes = {'a', 'b', 'c'};
        ByteReader reader(std::as_bytes(std::span(bytes)));
        QCOMPARE(reader.text(2), std::string_view("ab"));
        QVERIFY(reader.take(std::numeric_limits<std::uint64_t>::max()).empty());
        QVERIFY(!reader.ok());
    }
};

QTEST_APPLESS_MAIN(ByteReaderTest)
#include "ByteReaderTest.moc"
