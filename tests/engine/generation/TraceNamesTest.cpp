#include "engine/generation/TraceNames.h"

#include <QTest>

using namespace engine;

namespace {

template <typename Values>
bool allFoundByName(const Values& values)
{
    for (const auto value : values)
        if (valueNamed(name(value), values) != value)
            return false;
    return true;
}

} // namespace

class TraceNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsEachValueByItsName()
    {
        QVERIFY(allFoundByName(allTokenKinds));
        QVERIFY(allFoundByName(allTokenOrigins));
        QVERIFY(allFoundByName(allStopReasons));
        QVERIFY(allFoundByName(allDecodingRules));
        QVERIFY(allFoundByName(allSamplingStages));
        QVERIFY(!valueNamed("topk", allSamplingStages));
        QVERIFY(!valueNamed("", allStopReasons));
    }

    void writesAndReadsHexadecimal()
    {
        QCOMPARE(toHex(std::string("\0\x7F\xFF\n", 4)), std::string("007fff0a"));
        QCOMPARE(fromHex("007fFF0a"), std::optional(std::string("\0\x7F\xFF\n", 4)));
        QCOMPARE(fromHex(""), std::optional(std::string()));
    }

    void refusesWhatIsNotHexadecimal()
    {
        for (const char* bad : {"0", "0g", "g0", "abc", " 0", "0x"})
            QVERIFY(!fromHex(bad));
    }

    void writesAnOrderAsTheOptionDoes()
    {
        QCOMPARE(orderText(SamplingConfig().order),
                 std::string("repetition-penalty,temperature,top-k,top-p,min-p"));
        QCOMPARE(orderText({}), std::string());
    }
};

QTEST_APPLESS_MAIN(TraceNamesTest)
#include "TraceNamesTest.moc"
