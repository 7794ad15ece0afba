#include "engine/tensor/Tensor.h"

#include <QtTest/QTest>

#include <limits>

using namespace engine;

class TensorTest : public QObject
{
    Q_OBJECT

    static constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

private Q_SLOTS:
    void writesShapesOutermostFirst()
    {
        QCOMPARE(toString({2048, 1024}), std::string("[2048, 1024]"));
        QCOMPARE(toString({}), std::string("[]"));
    }

    void countsElements()
    {
        QCOMPARE(elementCount({2, 3, 4}), std::optional<std::int64_t>(24));
        QCOMPARE(elementCount({}), std::optional<std::int64_t>(1));
        QCOMPARE(elementCount({0, 5}), std::optional<std::int64_t>(0));
    }

    void hasNoCountForWhatOverflowsOrIsNegative()
    {
        QVERIFY(!elementCount({largest, 2}));
        QVERIFY(!elementCount({1LL << 32, 1LL << 32}));
        QVERIFY(!elementCount({2, -1}));
        QVERIFY(!byteCount(DType::F32, {largest / 2}));
    }

    void countsBytesByWholeBlocks()
    {
        QCOMPARE(byteCount(DType::F32, {3, 5}), std::optional<std::int64_t>(60));
        QCOMPARE(byteCount(DType::BF16, {7}), std::optional<std::int64_t>(14));
        QCOMPARE(byteCount(DType::Q8_0, {2, 64}), std::optional<std::int64_t>(2 * 2 * 34));
        QCOMPARE(byteCount(DType::Q4_0, {2, 64}), std::optional<std::int64_t>(2 * 2 * 18));
        QVERIFY(!byteCount(DType::Q4_0, {64, 2}));
    }

    void namesEveryType()
    {
        QCOMPARE(traits(DType::F32).name, std::string_view("F32"));
        QCOMPARE(traits(DType::F16).name, std::string_view("F16"));
        QCOMPARE(traits(DType::BF16).name, std::string_view("BF16"));
        QCOMPARE(traits(DType::Q8_0).name, std::string_view("Q8_0"));
        QCOMPARE(traits(DType::Q4_0).name, std::string_view("Q4_0"));
    }
};

QTEST_APPLESS_MAIN(TensorTest)
#include "TensorTest.moc"
