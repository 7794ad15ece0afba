#include "engine/tensor/Dequantize.h"

#include "tests/support/ModelWriters.h"

#include <QtTest/QTest>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>

using namespace engine;

namespace {

std::vector<float> decoded(DType type, const std::vector<std::uint8_t>& bytes, std::size_t count)
{
    std::vector<float> out(count);
    dequantize(type, std::as_bytes(std::span(bytes)), out);
    return out;
}

} // namespace

class DequantizeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsSinglesAsTheyAre()
    {
        QCOMPARE(decoded(DType::F32, {0x00, 0x00, 0xC0, 0x3F, 0x00, 0x00, 0x00, 0xC0}, 2),
                 (std::vector<float>{1.5F, -2.0F}));
    }

    // IEEE 754: 0x3C00 = 1, 0x7BFF = 65504 (the largest), 0x0001 = 2^-24 (the smallest), 0x03FF the
    // largest subnormal, 0x0400 = 2^-14 the smallest normal.
    void readsHalves()
    {
        QCOMPARE(halfToFloat(0x3C00), 1.0F);
        QCOMPARE(halfToFloat(0xC000), -2.0F);
        QCOMPARE(halfToFloat(0x3555), 0.333251953125F);
        QCOMPARE(halfToFloat(0x7BFF), 65504.0F);
        QCOMPARE(halfToFloat(0x0001), std::ldexp(1.0F, -24));
        QCOMPARE(halfToFloat(0x03FF), std::ldexp(1023.0F, -24));
        QCOMPARE(halfToFloat(0x0400), std::ldexp(1.0F, -14));
        QCOMPARE(halfToFloat(0x0000), 0.0F);
        QVERIFY(std::signbit(halfToFloat(0x8000)));
        QVERIFY(std::isinf(halfToFloat(0x7C00)) && halfToFloat(0xFC00) < 0);
        QVERIFY(std::isnan(halfToFloat(0x7E00)));
        QCOMPARE(decoded(DType::F16, {0x00, 0x3C, 0x00, 0xC0}, 2),
                 (std::vector<float>{1.0F, -2.0F}));
    }

    void readsBrainFloats()
    {
        QCOMPARE(decoded(DType::BF16, {0x80, 0x3F, 0x49, 0xC0}, 2),
                 (std::vector<float>{1.0F, -3.140625F}));
    }

    void readsBlocksOfEightBits()
    {
        std::vector<std::uint8_t> bytes = {0x00, 0x38}; // scale 0.5
        for (int i = 0; i < 32; ++i)
            bytes.push_back(static_cast<std::uint8_t>(i * 8 - 128));
        bytes.insert(bytes.end(), {0x00, 0xBC}); // the next block: scale -1
        bytes.resize(68, 3);
        const std::vector<float> values = decoded(DType::Q8_0, bytes, 64);
        for (int i = 0; i < 32; ++i) {
            QCOMPARE(values[static_cast<std::size_t>(i)], 0.5F * static_cast<float>(i * 8 - 128));
            QCOMPARE(values[static_cast<std::size_t>(32 + i)], -3.0F);
        }
    }

    void readsBlocksOfFourBits()
    {
        std::vector<std::uint8_t> bytes = {0x00, 0x40}; // scale 2
        for (int i = 0; i < 16; ++i) // the first half counts up, the second counts down
            bytes.push_back(static_cast<std::uint8_t>(i | (15 - i) << 4));
        const std::vector<float> values = decoded(DType::Q4_0, bytes, 32);
        for (int i = 0; i < 16; ++i) {
            QCOMPARE(values[static_cast<std::size_t>(i)], 2.0F * static_cast<float>(i - 8));
            QCOMPARE(values[static_cast<std::size_t>(16 + i)],
                     2.0F * static_cast<float>(15 - i - 8));
        }
    }

    void readsBlocksWithAnOffset()
    {
        std::vector<std::uint8_t> bytes = {0x00, 0x38, 0x00, 0xC0}; // scale 0.5, offset -2
        for (int i = 0; i < 16; ++i)
            bytes.push_back(static_cast<std::uint8_t>(i | (15 - i) << 4));
        const std::vector<float> values = decoded(DType::Q4_1, bytes, 32);
        for (int i = 0; i < 16; ++i) {
            QCOMPARE(values[static_cast<std::size_t>(i)], 0.5F * static_cast<float>(i) - 2);
            QCOMPARE(values[static_cast<std::size_t>(16 + i)],
                     0.5F * static_cast<float>(15 - i) - 2);
        }
    }

    // Two of eight groups of a Q4_K block: the first has its scale and offset in the low 6 bits of
    // bytes 0 and 4, the last in the nibbles of byte 11 and the high bits of bytes 3 and 7.
    void readsGroupsOfABlockOf256()
    {
        std::vector<std::uint8_t> bytes(144, 0);
        bytes[1] = 0x3C; // scale 1
        bytes[3] = 0x40; // scale of offsets 2
        bytes[4] = 37;
        bytes[8] = 5;
        bytes[15] = 0x3A;                           // low bits of the last group: 10 and 3
        bytes[7] = 0x80;                            // and 2 << 4 for its scale: 42
        bytes[11] = 0x40;                           // and 1 << 4 for its offset: 19
        std::fill_n(bytes.begin() + 16, 32, 0x09);  // group 0: 9; group 1: 0
        std::fill_n(bytes.begin() + 112, 32, 0x70); // group 7: 7
        const std::vector<float> values = decoded(DType::Q4_K, bytes, 256);
        for (std::size_t i = 0; i < 32; ++i) {
            QCOMPARE(values[i], 37.0F * 9 - 2 * 5);
            QCOMPARE(values[224 + i], 42.0F * 7 - 2 * 19);
        }
    }

    /// Every block format: rows that llama.cpp stored, and any bytes, as it expands them; see
    /// tests/data/quantization.
    void readsRowsAsTheReferenceDoes_data()
    {
        QTest::addColumn<DType>("type");
        for (int number = 0; number < dtypeCount; ++number) {
            const auto type = static_cast<DType>(number);
            if (traits(type).elementsPerBlock > 1)
                QTest::newRow(traits(type).name.data()) << type;
        }
    }

    void readsRowsAsTheReferenceDoes()
    {
        QFETCH(const DType, type);
        const std::filesystem::path folder =
            std::filesystem::path(TOKENSCOPE_TEST_DATA) / "quantization";
        const std::string name(traits(type).name);
        const std::string stored = tests::readFile(folder / (name + ".rows"));
        const std::string expected = tests::readFile(folder / (name + ".f32"));
        const std::int64_t count = std::ssize(expected) / 4;
        QCOMPARE(count, 4 * 512);
        QCOMPARE(byteCount(type, {4, 512}), std::optional<std::int64_t>(std::ssize(stored)));
        const std::vector<float> found =
            toFloats({type, {4, 512}, std::as_bytes(std::span(stored))});
        QCOMPARE(std::memcmp(found.data(), expected.data(), expected.size()), 0);
    }

    void takesTheFirstElementsOfABlock()
    {
        std::vector<std::uint8_t> bytes(34, 5);
        bytes[0] = 0x00;
        bytes[1] = 0x3C;
        QCOMPARE(decoded(DType::Q8_0, bytes, 3), (std::vector<float>{5, 5, 5}));
    }

    void copiesASmallTensorWhole()
    {
        const std::array<std::uint16_t, 4> halves = {0x3C00, 0x4000, 0x4200, 0x4400};
        const TensorView view{DType::F16, {2, 2}, std::as_bytes(std::span(halves))};
        QCOMPARE(toFloats(view), (std::vector<float>{1, 2, 3, 4}));
    }
};

QTEST_APPLESS_MAIN(DequantizeTest)
#include "DequantizeTest.moc"
