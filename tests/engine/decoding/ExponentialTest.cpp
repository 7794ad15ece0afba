#include "engine/decoding/Exponential.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

class ExponentialTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheMathLibraryToOneUnitInTheLastPlace()
    {
        std::vector<double> arguments(480000);
        for (std::size_t i = 0; i < arguments.size(); ++i)
            arguments[i] = -0.00137 * static_cast<double>(i);
        std::vector<double> values = arguments;
        engine::exponentiate(values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = std::exp(arguments[i]);
            const double unit = std::nextafter(expected, 2.0) - expected;
            QVERIFY2(std::abs(values[i] - expected) <= 1.01 * unit,
                     qPrintable(QString::number(arguments[i], 'g', 17)));
        }
    }

    void isExactlyOneAtZero()
    {
        std::vector<double> values = {0.0, -0.0};
        engine::exponentiate(values);
        QVERIFY(values[0] == 1.0 && values[1] == 1.0);
    }

    void isZeroWhereTheResultWouldBeNoNormalNumber()
    {
        std::vector<double> values = {-708.0, -745.0, -1e300,
                                      -std::numeric_limits<double>::infinity()};
        engine::exponentiate(values);
        for (const double value : values)
            QVERIFY(value == 0.0);
    }

    void isTheSameForAValueAloneAndAmongOthers()
    {
        std::vector<double> all;
        for (int i = 0; i < 1037; ++i)
            all.push_back(-0.37 * i / 7.0);
        std::vector<double> together = all;
        engine::exponentiate(together);
        for (std::size_t i = 0; i < all.size(); ++i) {
            engine::exponentiate(std::span(all).subspan(i, 1));
            QVERIFY(all[i] == together[i]);
        }
    }

    void softmaxWeightsAreExponentialsOfTheDistance()
    {
        std::vector<float> logits;
        for (int i = 0; i < 1037; ++i)
            logits.push_back(0.37F * static_cast<float>((i * 7919) % 1037) / 7.0F);
        logits[500] = -1e30F;
        const double maximum = *std::max_element(logits.begin(), logits.end());
        for (const double temperature : {1.0, 0.7, 3.0}) {
            std::vector<double> weights(logits.size());
            const engine::WeightSums sums = engine::softmaxWeights(
                std::span<const float>(logits), maximum, temperature, std::span<double>(weights));
            long double total = 0;
            long double weightedDistance = 0;
            for (std::size_t i = 0; i < logits.size(); ++i) {
                const long double distance =
                    (static_cast<long double>(maximum) - logits[i]) / temperature;
                const long double weight = std::exp(-distance);
                // The distance itself is rounded, and that is as an error of its exponential.
                const double unit = 0x1p-52 * (2 + static_cast<double>(distance));
                QVERIFY(std::abs(static_cast<double>(weights[i] - weight)) <= unit * weights[i]);
                total += weight;
                weightedDistance += weight * distance;
            }
            // 1037 terms in eight lanes: 130 roundings in a row at the most.
            constexpr double rounding = 135 * 0x1p-53;
            QVERIFY(sums.total == engine::sum(weights));
            QVERIFY(std::abs(static_cast<double>(sums.total / total - 1)) < rounding);
            QVERIFY(std::abs(static_cast<double>(sums.weightedDistance / weightedDistance - 1)) <
                    rounding);

            const std::vector<double> wide(logits.begin(), logits.end());
            std::vector<double> again(logits.size());
            engine::softmaxWeights(std::span<const double>(wide), maximum, temperature,
                                   std::span<double>(again));
            QVERIFY(again == weights);
        }
    }

    void sumsEachTermOnce()
    {
        for (int count = 0; count < 40; ++count) {
            std::vector<double> values;
            for (int i = 1; i <= count; ++i)
                values.push_back(i);
            QVERIFY(engine::sum(values) == count * (count + 1) / 2.0);
        }
    }
};

QTEST_APPLESS_MAIN(ExponentialTest)
#include "ExponentialTest.moc"
