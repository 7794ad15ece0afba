#include "engine/tensor/Ops.h"

#include <QtTest/QTest>

#include <array>
#include <cmath>
#include <numbers>

using namespace engine;

namespace {

void compare(std::span<const float> found, std::span<const double> expected, double tolerance)
{
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(static_cast<double>(found[i]) - expected[i]) <= tolerance,
                 qPrintable(QStringLiteral("%1: %2, expected %3")
                                .arg(i)
                                .arg(static_cast<double>(found[i]))
                                .arg(expected[i])));
}

} // namespace

class OpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // mean of squares of (3, 4, 0, 0, 5) is 10; with epsilon 6 the root is 4.
    void rmsNormDividesByTheRootMeanSquare()
    {
        const std::array<float, 5> x = {3, 4, 0, 0, 5};
        const std::array<float, 5> weight = {1, 2, 1, 1, -4};
        std::array<float, 5> out{};
        rmsNorm(x, weight, 6.0, out);
        compare(out, std::array<double, 5>{0.75, 2.0, 0.0, 0.0, -5.0}, 1e-6);
    }

    void rmsNormWorksInPlace()
    {
        std::array<float, 2> x = {3, -3};
        const std::array<float, 2> weight = {1, 1};
        rmsNorm(x, weight, 0.0, x);
        compare(x, std::array<double, 2>{1, -1}, 1e-6);
    }

    // (1, 3, 5, 7): mean 4, variance 5; with epsilon 4 the root is 3.
    void layerNormTakesOffTheMean()
    {
        const std::array<float, 4> x = {1, 3, 5, 7};
        const std::array<float, 4> weight = {3, 3, 3, 6};
        const std::array<float, 4> bias = {0, 1, 0, -1};
        std::array<float, 4> out{};
        layerNorm(x, weight, bias, 4.0, out);
        compare(out, std::array<double, 4>{-3, 0, 1, 5}, 1e-6);
        layerNorm(x, weight, {}, 4.0, out);
        compare(out, std::array<double, 4>{-3, -1, 1, 6}, 1e-6);
    }

    void layerNormKeepsAccuracyFarFromZero()
    {
        const std::array<float, 4> x = {100001, 100003, 100005, 100007};
        const std::array<float, 4> weight = {1, 1, 1, 1};
        std::array<float, 4> out{};
        layerNorm(x, weight, {}, 4.0, out);
        compare(out, std::array<double, 4>{-1, -1.0 / 3, 1.0 / 3, 1}, 1e-6);
    }

    void addsInPlace()
    {
        std::array<float, 3> x = {1, 2, 3};
        const std::array<float, 3> y = {10, 20, 30};
        add(x, y);
        QCOMPARE(x, (std::array<float, 3>{11, 22, 33}));
    }

    void multipliesInPlace()
    {
        std::array<float, 3> x = {1, 2, 3};
        const std::array<float, 3> y = {10, 20, 30};
        multiplyInPlace(x, y);
        QCOMPARE(x, (std::array<float, 3>{10, 40, 90}));
        scale(x, 0.5F);
        QCOMPARE(x, (std::array<float, 3>{5, 20, 45}));
    }

    void geluErfIsThatOfDoublePrecision()
    {
        std::array<float, 9> x = {-12, -6, -3, -0.5F, 0, 0.25F, 1, 5, 40};
        const std::array<float, 9> given = x;
        geluErf(x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double z = static_cast<double>(given[i]);
            const double expected = z / 2 * std::erfc(-z / std::numbers::sqrt2);
            // Half a unit in the last place of z / sqrt(2) is z * z of them in erfc, far below 0.
            const double bound = (4 + z * z) * 0x1p-24 * std::abs(expected);
            QVERIFY(std::abs(static_cast<double>(x[i]) - expected) <= bound);
        }
        std::array<float, 1> bad = {std::nanf("")};
        geluErf(bad);
        QVERIFY(std::isnan(bad[0]));
    }

    void turningCanMakeLonger()
    {
        const std::array<double, 1> frequency = {std::numbers::pi / 2};
        std::array<float, 3> x = {2, 0, 7};
        rope(x, ropeAngles(frequency, 1, 1.5), RopePairs::Halves);
        compare(x, std::array<double, 3>{0, 3, 7}, 1e-6);
    }

    void turnsPairsByPositionTimesFrequency()
    {
        const std::array<double, 2> frequencies = {std::numbers::pi / 2, std::numbers::pi / 6};
        const RopeAngles angles = ropeAngles(frequencies, 3); // 270 and 90 degrees
        std::array<float, 5> halves = {1, 2, 3, 4, 9};        // pairs (1, 3) and (2, 4)
        rope(halves, angles, RopePairs::Halves);
        compare(halves, std::array<double, 5>{3, -4, -1, 2, 9}, 1e-6);
        std::array<float, 5> adjacent = {1, 3, 2, 4, 9};
        rope(adjacent, angles, RopePairs::Adjacent);
        compare(adjacent, std::array<double, 5>{3, -1, -4, 2, 9}, 1e-6);
    }

    // Far along a context, an angle in single precision would be off by 0.004 radians.
    void turnsExactlyFarAlongAContext()
    {
        const std::array<double, 1> frequency = {1.0};
        const RopeAngles angles = ropeAngles(frequency, 100000);
        QVERIFY(std::abs(static_cast<double>(angles.cosine[0]) - std::cos(100000.0)) < 1e-7);
        QVERIFY(std::abs(static_cast<double>(angles.sine[0]) - std::sin(100000.0)) < 1e-7);
    }

    void turningKeepsTheLengthAndPositionZeroChangesNothing()
    {
        const std::array<double, 1> frequency = {0.7};
        std::array<float, 2> x = {0.6F, -0.8F};
        rope(x, ropeAngles(frequency, 0), RopePairs::Halves);
        QCOMPARE(x, (std::array<float, 2>{0.6F, -0.8F}));
        rope(x, ropeAngles(frequency, 17), RopePairs::Halves);
        QVERIFY(std::abs(std::hypot(x[0], x[1]) - 1.0F) < 1e-6F);
    }
};

QTEST_APPLESS_MAIN(OpsTest)
#include "OpsTest.moc"
