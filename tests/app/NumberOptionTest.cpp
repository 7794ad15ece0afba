#include "app/commands/NumberOption.h"

#include <QTest>

#include <cstdint>
#include <limits>

using app::parseNumber;

class NumberOptionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheWholeRange()
    {
        constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
        QCOMPARE(*parseNumber<std::int64_t>("-9223372036854775808", "n", least, 0), least);
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(*parseNumber<std::uint64_t>("18446744073709551615", "n", 0, most), most);
        QCOMPARE(*parseNumber("0.1", "x", 0.0, 1.0), 0.1);
        QCOMPARE(*parseNumber("1", "x", 0.0, 1.0), 1.0);
    }

    void namesOptionRangeAndWord()
    {
        const auto result = parseNumber("12", "--runs", 1, 9);
        QVERIFY(!result);
        QCOMPARE(result.error().message,
                 std::string("--runs: expected a whole number from 1 to 9, found \"12\""));
        QCOMPARE(parseNumber("2", "--top-p", 0.0, 1.0).error().message,
                 std::string("--top-p: expected a number from 0 to 1, found \"2\""));
    }

    void refusesWhatIsNoDecimalNumber()
    {
        for (const char* word : {"", " ", "1 ", " 1", "+1", "0x1", "1.0", "1e0", "one", "1,000"})
            QVERIFY2(!parseNumber(word, "n", 0, 10000), word);
        for (const char* word : {"", "nan", "inf", "0x1p0", "1e400", "0,5", "1.", "1.5.2"})
            QCOMPARE(bool(parseNumber(word, "x", 0.0, 1e308)), std::string(word) == "1.");
    }
};

QTEST_APPLESS_MAIN(NumberOptionTest)
#include "NumberOptionTest.moc"
