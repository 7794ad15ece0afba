#include "engine/tensor/VectorKernels.h"

#include "tests/support/ModelWriters.h"

#include <QtTest/QTest>

#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace engine;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

double relative(double found, double expected, double floor)
{
    return std::abs(found - expected) / std::max(std::abs(expected), floor);
}

} // namespace

/// Each test runs once for each instruction set that this machine has.
class VectorKernelsTest : public QObject
{
    Q_OBJECT

    static void everyInstructionSet()
    {
        QTest::addColumn<qint64>("target");
        for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
            const std::int64_t target = left & -left;
            QTest::newRow(hwy::TargetName(target)) << static_cast<qint64>(target);
        }
    }

    static void useInstructionSet()
    {
        QFETCH(const qint64, target);
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();
    }

private Q_SLOTS:
    void cleanup()
    {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
    }

    void softmaxIsThatOfDoublePrecision_data() { everyInstructionSet(); }
    void softmaxIsThatOfDoublePrecision()
    {
        useInstructionSet();
        for (const std::size_t size : {1U, 2U, 7U, 8U, 33U, 500U}) {
            // Differences below 16: rounding them costs 5e-7 of a probability at most.
            std::vector<float> x = tests::randomFloats(size, 3, 8.0F);
            const std::vector<double> given(x.begin(), x.end());
            const double largest = *std::max_element(given.begin(), given.end());
            double sum = 0;
            for (const double value : given)
                sum += std::exp(value - largest);
            softmaxInPlace(x);
            for (std::size_t i = 0; i < size; ++i)
                QVERIFY(relative(static_cast<double>(x[i]), std::exp(given[i] - largest) / sum,
                                 1e-20) < 2e-6);
        }
    }

    void softmaxDoesNotOverflow_data() { everyInstructionSet(); }
    void softmaxDoesNotOverflow()
    {
        useInstructionSet();
        std::vector<float> x = {3e38F, -3e38F, 3e38F};
        softmaxInPlace(x);
        QCOMPARE(x, (std::vector<float>{0.5F, 0.0F, 0.5F}));
    }

    void softmaxDoesNotHideNan_data() { everyInstructionSet(); }
    void softmaxDoesNotHideNan()
    {
        useInstructionSet();
        std::vector<float> x = {0, notANumber, 1, 2, 3, 4, 5, 6, 7, 8};
        softmaxInPlace(x);
        QVERIFY(std::all_of(x.begin(), x.end(), [](float value) { return std::isnan(value); }));
    }

    void siluIsThatOfDoublePrecision_data() { everyInstructionSet(); }
    void siluIsThatOfDoublePrecision()
    {
        useInstructionSet();
        std::vector<float> x = tests::randomFloats(1001, 5, 20.0F);
        x.insert(x.end(), {0.0F, -0.0F, -200.0F, 200.0F, 1e30F});
        const std::vector<float> up = tests::randomFloats(x.size(), 6);
        const std::vector<float> given = x;
        siluMultiply(x, up);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double z = static_cast<double>(given[i]);
            const double expected = z / (1 + std::exp(-z)) * static_cast<double>(up[i]);
            QVERIFY(relative(static_cast<double>(x[i]), expected, 1e-30) < 1e-6);
        }
        x = {notANumber, 1.0F};
        siluMultiply(x, std::vector<float>{1.0F, 1.0F});
        QVERIFY(std::isnan(x[0]) && !std::isnan(x[1]));
    }

    void geluIsThatOfDoublePrecision_data() { everyInstructionSet(); }
    void geluIsThatOfDoublePrecision()
    {
        useInstructionSet();
        std::vector<float> x = tests::randomFloats(1001, 7, 6.0F);
        x.insert(x.end(), {0.0F, -60.0F, 60.0F});
        const std::vector<float> given = x;
        geluTanh(x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double z = static_cast<double>(given[i]);
            const double u = std::sqrt(2 / 3.14159265358979323846) * (z + 0.044715 * z * z * z);
            QVERIFY(relative(static_cast<double>(x[i]), 0.5 * z * (1 + std::tanh(u)), 1e-6) < 3e-6);
        }
        x = {notANumber};
        geluTanh(x);
        QVERIFY(std::isnan(x[0]));
    }

    void softCapIsThatOfDoublePrecision_data() { everyInstructionSet(); }
    void softCapIsThatOfDoublePrecision()
    {
        useInstructionSet();
        std::vector<float> x = tests::randomFloats(1001, 8, 90.0F);
        x.insert(x.end(), {0.0F, 1e-6F, -1e-3F, 1e30F, -1e30F});
        const std::vector<float> given = x;
        softCap(x, 30.0F);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double expected = 30 * std::tanh(static_cast<double>(given[i]) / 30);
            QVERIFY(relative(static_cast<double>(x[i]), expected, 1e-30) < 1e-6);
        }
        x = {notANumber, 1.0F};
        softCap(x, 30.0F);
        QVERIFY(std::isnan(x[0]) && !std::isnan(x[1]));
    }

    void scoresAreScaledDotProducts_data() { everyInstructionSet(); }
    void scoresAreScaledDotProducts()
    {
        useInstructionSet();
        for (const std::size_t size : {4U, 6U, 12U, 64U, 100U}) {
            const std::size_t stride = size + 3;
            constexpr std::size_t count = 11;
            const std::vector<float> q = tests::randomFloats(size, 1);
            const std::vector<float> keys = tests::randomFloats(stride * count, 2);
            std::vector<float> scores(count);
            scoreKeys(q, {keys.data(), static_cast<std::int64_t>(stride), count}, 0.25F,
                      scores.data());
            for (std::size_t j = 0; j < count; ++j) {
                double sum = 0;
                for (std::size_t i = 0; i < size; ++i)
                    sum += static_cast<double>(q[i]) * static_cast<double>(keys[j * stride + i]);
                QVERIFY(std::abs(static_cast<double>(scores[j]) - 0.25 * sum) < 1e-6);
                float alone = 0; // a key's score is the same to the bit whatever keys are beside it
                scoreKeys(q, {keys.data() + j * stride, static_cast<std::int64_t>(stride), 1},
                          0.25F, &alone);
                QCOMPARE(scores[j], alone);
            }
        }
    }

    void addsWeightedValues_data() { everyInstructionSet(); }
    void addsWeightedValues()
    {
        useInstructionSet();
        for (const std::size_t size : {4U, 6U, 12U, 64U, 100U}) {
            const std::size_t stride = size + 3;
            constexpr std::size_t count = 11;
            const std::vector<float> weights = tests::randomFloats(count, 1);
            const std::vector<float> values = tests::randomFloats(stride * count, 2);
            std::vector<float> out(size, 1.0F);
            const auto step = static_cast<std::int64_t>(stride);
            addWeighted(weights.data(), {values.data(), step, count}, out);
            std::vector<float> inTwo(size, 1.0F);
            addWeighted(weights.data(), {values.data(), step, 5}, inTwo);
            addWeighted(weights.data() + 5, {values.data() + 5 * stride, step, count - 5}, inTwo);
            QCOMPARE(inTwo, out);
            for (std::size_t i = 0; i < size; ++i) {
                double sum = 1;
                for (std::size_t j = 0; j < count; ++j)
                    sum += static_cast<double>(weights[j]) *
                           static_cast<double>(values[j * stride + i]);
                QVERIFY(std::abs(static_cast<double>(out[i]) - sum) < 2e-6);
            }
        }
    }
};

QTEST_APPLESS_MAIN(VectorKernelsTest)
#include "VectorKernelsTest.moc"
