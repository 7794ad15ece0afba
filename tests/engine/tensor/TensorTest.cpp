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
        QCOMPARE(byteCount(DType::Q4_K, {2, 512}), std::optional<std::int64_t>(2 * 2 * 144));
        QVERIFY(!byteCount(DType::Q4_0, {64, 2}));
        QVERIFY(!byteCount(DType::Q6_K, {256, 128}));
    }

    // Sizes as the GGUF specification's reference implementation declares them.
    void knowsEveryType_data()
    {
        QTest::addColumn<DType>("type");
        QTest::addColumn<int>("elements");
        QTest::addColumn<int>("bytes");
        QTest::newRow("F32") << DType::F32 << 1 << 4;
        QTest::newRow("F16") << DType::F16 << 1 << 2;
        QTest::newRow("BF16") << DType::BF16 << 1 << 2;
        QTest::newRow("Q8_0") << DType::Q8_0 << 32 << 2 + 32;
        QTest::newRow("Q4_0") << DType::Q4_0 << 32 << 2 + 16;
        QTest::newRow("Q4_1") << DType::Q4_1 << 32 << 2 + 2 + 16;
        QTest::newRow("Q5_0") << DType::Q5_0 << 32 << 2 + 4 + 16;
        QTest::newRow("Q5_1") << DType::Q5_1 << 32 << 2 + 2 + 4 + 16;
        QTest::newRow("IQ4_NL") << DType::IQ4_NL << 32 << 2 + 16;
        QTest::newRow("Q2_K") << DType::Q2_K << 256 << 16 + 64 + 2 + 2;
        QTest::newRow("Q3_K") << DType::Q3_K << 256 << 32 + 64 + 12 + 2;
        QTest::newRow("Q4_K") << DType::Q4_K << 256 << 2 + 2 + 12 + 128;
        QTest::newRow("Q5_K") << DType::Q5_K << 256 << 2 + 2 + 12 + 32 + 128;
        QTest::newRow("Q6_K") << DType::Q6_K << 256 << 128 + 64 + 16 + 2;
        QTest::newRow("IQ4_XS") << DType::IQ4_XS << 256 << 2 + 2 + 4 + 128;
    }

    void knowsEveryType()
    {
        QFETCH(const DType, type);
        QFETCH(const int, elements);
        QFETCH(const int, bytes);
        QCOMPARE(traits(type).name, std::string_view(QTest::currentDataTag()));
        QCOMPARE(traits(type).elementsPerBlock, static_cast<std::int64_t>(elements));
        QCOMPARE(traits(type).bytesPerBlock, static_cast<std::int64_t>(bytes));
    }
};

QTEST_APPLESS_MAIN(TensorTest)
#include "TensorTest.moc"
