#include "engine/tensor/MatVec.h"

#include "engine/tensor/Dequantize.h"
#include "tests/support/ModelWriters.h"

#include <QtTest/QTest>

#include <hwy/targets.h>

#include <array>
#include <cmath>
#include <cstring>

using namespace engine;

namespace {

/// Where a block has its half-precision scales.
std::vector<std::size_t> scalesOf(DType type)
{
    switch (type) {
    case DType::F32:
    case DType::BF16:
        return {};
    case DType::Q4_1:
    case DType::Q5_1:
    case DType::Q4_K:
    case DType::Q5_K:
        return {0, 2};
    case DType::Q2_K:
        return {80, 82};
    case DType::Q3_K:
        return {108};
    case DType::Q6_K:
        return {208};
    default:
        return {0};
    }
}

/// A matrix of this type whose numbers are all finite and of the size of weights. Its bytes begin
/// at an odd address, as they may in a file.
struct Stored
{
    Stored(DType type, Shape shape, MatrixLayout layout = MatrixLayout::OutputRows)
        : bytes(static_cast<std::size_t>(*byteCount(type, shape)) + 1)
    {
        const std::size_t blockBytes = static_cast<std::size_t>(traits(type).bytesPerBlock);
        const std::size_t blocks = (bytes.size() - 1) / blockBytes;
        const std::vector<float> values = tests::randomFloats(blocks * blockBytes, 11, 128.0F);
        for (std::size_t block = 0; block < blocks; ++block) {
            std::byte* at = bytes.data() + 1 + block * blockBytes;
            for (std::size_t i = 0; i < blockBytes; ++i)
                at[i] = static_cast<std::byte>(static_cast<int>(values[block * blockBytes + i]));
            limitExponent(type, at);
        }
        matrix = {{type, std::move(shape), std::span(bytes).subspan(1)}, layout};
    }

    /// Gives the number, or the block's scales, a small exponent, so that none is infinite or NaN.
    static void limitExponent(DType type, std::byte* at)
    {
        if (type == DType::F32 || type == DType::BF16) {
            std::byte& top = at[type == DType::F32 ? 3 : 1];
            top = (top & std::byte{0x80}) | std::byte{0x3D};
        }
        for (const std::size_t scale : scalesOf(type))
            at[scale + 1] = (at[scale + 1] & std::byte{0x83}) | std::byte{0x2C};
    }

    std::vector<std::byte> bytes;
    WeightMatrix matrix;
};

Activations randomActivations(std::int64_t tokens, std::int64_t width)
{
    Activations x(tokens, width);
    for (std::int64_t token = 0; token < tokens; ++token) {
        const std::vector<float> values = tests::randomFloats(
            static_cast<std::size_t>(width), static_cast<std::uint32_t>(token) + 100);
        std::copy(values.begin(), values.end(), x.row(token).begin());
    }
    return x;
}

Activations product(const WeightMatrix& matrix, const Activations& x, std::int64_t tokens,
                    int threads)
{
    ThreadPool pool(threads);
    Activations y(x.tokens(), matrix.outputs());
    const Product one = {&matrix, &x, &y};
    multiply({&one, 1}, tokens, pool);
    return y;
}

void compareWithDoubles(const Stored& stored, const Activations& x, const Activations& y)
{
    const WeightMatrix& matrix = stored.matrix;
    const std::vector<float> weights = toFloats(matrix.view);
    const bool rows = matrix.layout == MatrixLayout::OutputRows;
    for (std::int64_t token = 0; token < x.tokens(); ++token)
        for (std::int64_t r = 0; r < matrix.outputs(); ++r) {
            double sum = 0;
            double size = 0;
            for (std::int64_t c = 0; c < matrix.inputs(); ++c) {
                const std::int64_t index =
                    rows ? r * matrix.inputs() + c : c * matrix.outputs() + r;
                const double term = static_cast<double>(weights[static_cast<std::size_t>(index)]) *
                                    static_cast<double>(x.row(token)[static_cast<std::size_t>(c)]);
                sum += term;
                size += std::abs(term);
            }
            const double found = static_cast<double>(y.row(token)[static_cast<std::size_t>(r)]);
            QVERIFY2(std::abs(found - sum) <= 1e-6 * size,
                     qPrintable(QStringLiteral("output %1 of token %2: %3, expected %4")
                                    .arg(r)
                                    .arg(token)
                                    .arg(found)
                                    .arg(sum)));
        }
}

bool equalToTheBit(const Activations& a, const Activations& b, std::int64_t token)
{
    return std::memcmp(a.row(token).data(), b.row(token).data(), a.row(token).size_bytes()) == 0;
}

} // namespace

/// Each test runs for each type of weights, layout and instruction set that this machine has.
class MatVecTest : public QObject
{
    Q_OBJECT

    static void everyCase()
    {
        QTest::addColumn<DType>("type");
        QTest::addColumn<bool>("inputRows");
        QTest::addColumn<qint64>("target");
        for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1)
            for (int number = 0; number < dtypeCount; ++number)
                for (const bool inputRows : {false, true}) {
                    const std::int64_t target = left & -left;
                    const auto type = static_cast<DType>(number);
                    if (!inputRows || traits(type).elementsPerBlock == 1)
                        QTest::addRow("%s %s%s", hwy::TargetName(target), traits(type).name.data(),
                                      inputRows ? " [in, out]" : "")
                            << type << inputRows << static_cast<qint64>(target);
                }
    }

    static Stored stored(std::int64_t outputs, std::int64_t inputs)
    {
        QFETCH(const DType, type);
        QFETCH(const bool, inputRows);
        QFETCH(const qint64, target);
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();
        return inputRows ? Stored(type, {inputs, outputs}, MatrixLayout::InputRows)
                         : Stored(type, {outputs, inputs});
    }

    static std::vector<std::int64_t> inputSizes()
    {
        QFETCH(const DType, type);
        if (traits(type).elementsPerBlock == 256)
            return {256, 512};
        if (traits(type).elementsPerBlock == 32)
            return {32, 64, 96, 160};
        return {1, 7, 16, 31, 32, 33, 64, 100};
    }

private Q_SLOTS:
    void cleanup()
    {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
    }

    void productsAreThoseOfDoublePrecision_data() { everyCase(); }
    void productsAreThoseOfDoublePrecision()
    {
        for (const std::int64_t inputs : inputSizes())
            for (const std::int64_t outputs : {1, 3, 4, 37, 140}) {
                const Stored matrix = stored(outputs, inputs);
                for (const std::int64_t tokens : {1, 2, 5}) {
                    const Activations x = randomActivations(tokens, inputs);
                    compareWithDoubles(matrix, x, product(matrix.matrix, x, tokens, 1));
                }
            }
    }

    // A 1 at one place of x picks that column, so what comes out is the number that is stored.
    void storedNumbersAreExact_data() { everyCase(); }
    void storedNumbersAreExact()
    {
        const std::int64_t inputs = inputSizes().back();
        const std::int64_t outputs = 5; // a group of rows, and one alone
        const Stored matrix = stored(outputs, inputs);
        const std::vector<float> weights = toFloats(matrix.matrix.view);
        Activations x(inputs, inputs);
        for (std::int64_t c = 0; c < inputs; ++c)
            x.row(c)[static_cast<std::size_t>(c)] = 1;
        const Activations together = product(matrix.matrix, x, inputs, 1);
        for (std::int64_t c = 0; c < inputs; ++c) {
            Activations one(1, inputs);
            one.row(0)[static_cast<std::size_t>(c)] = 1;
            const Activations alone = product(matrix.matrix, one, 1, 1);
            for (std::int64_t r = 0; r < outputs; ++r) {
                const bool rows = matrix.matrix.layout == MatrixLayout::OutputRows;
                const float exact =
                    weights[static_cast<std::size_t>(rows ? r * inputs + c : c * outputs + r)];
                QCOMPARE(alone.row(0)[static_cast<std::size_t>(r)] - exact, 0.0F);
                QCOMPARE(together.row(c)[static_cast<std::size_t>(r)] - exact, 0.0F);
            }
        }
    }

    void tokensAndThreadsChangeNoBit_data() { everyCase(); }
    void tokensAndThreadsChangeNoBit()
    {
        for (const std::int64_t inputs : inputSizes()) {
            const Stored matrix = stored(300, inputs);
            const Activations x = randomActivations(7, inputs);
            const Activations together = product(matrix.matrix, x, 7, 1);
            for (const int threads : {2, 3})
                for (std::int64_t token = 0; token < 7; ++token)
                    QVERIFY(equalToTheBit(product(matrix.matrix, x, 7, threads), together, token));
            for (std::int64_t token = 0; token < 7; ++token) {
                Activations one(1, inputs);
                std::copy(x.row(token).begin(), x.row(token).end(), one.row(0).begin());
                const Activations alone = product(matrix.matrix, one, 1, 2);
                QVERIFY(std::memcmp(alone.row(0).data(), together.row(token).data(),
                                    alone.row(0).size_bytes()) == 0);
            }
        }
    }

    void nanInAWeightComesOut()
    {
        const std::vector<float> weights = {1, std::nanf(""), 3, 4};
        const WeightMatrix matrix{{DType::F32, {2, 2}, std::as_bytes(std::span(weights))}};
        const Activations y = product(matrix, randomActivations(1, 2), 1, 1);
        QVERIFY(std::isnan(y.row(0)[0]) && !std::isnan(y.row(0)[1]));
    }

    void severalProductsShareOneLoop()
    {
        const Stored a(DType::F16, {20, 64});
        const Stored b(DType::Q8_0, {9, 64});
        const Activations x = randomActivations(3, 64);
        Activations ya(3, 20);
        Activations yb(3, 9);
        ThreadPool pool(2);
        const std::array products = {Product{&a.matrix, &x, &ya}, Product{&b.matrix, &x, &yb}};
        multiply(products, 3, pool);
        for (std::int64_t token = 0; token < 3; ++token) {
            QVERIFY(equalToTheBit(ya, product(a.matrix, x, 3, 1), token));
            QVERIFY(equalToTheBit(yb, product(b.matrix, x, 3, 1), token));
        }
    }

    void namesTheInstructionSet() { QVERIFY(!kernelTarget().empty()); }
};

QTEST_APPLESS_MAIN(MatVecTest)
#include "MatVecTest.moc"
