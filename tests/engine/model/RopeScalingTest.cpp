#include "engine/model/RopeScaling.h"

#include <QtTest/QTest>

#include <cmath>
#include <numbers>

using namespace engine;

class RopeScalingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unscaledFrequenciesFallGeometrically()
    {
        const std::vector<double> frequencies = ropeFrequencies(10000.0, 8, {});
        QCOMPARE(frequencies.size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(std::abs(frequencies[i] - std::pow(10.0, -static_cast<double>(i))) < 1e-15);
    }

    void linearScalingDividesThemAll()
    {
        const RopeScaling scaling{.kind = RopeScaling::Kind::Linear, .factor = 4};
        const std::vector<double> plain = ropeFrequencies(10000.0, 8, {});
        const std::vector<double> scaled = ropeFrequencies(10000.0, 8, scaling);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(scaled[i], plain[i] / 4);
    }

    // Wavelengths 2 pi, 2 pi 10, 2 pi 100, 2 pi 1000 beside an original context of 2 pi 100 * 2:
    // the turns in it are 200, 20, 2 and 0.2. With low 1 and high 4, only 2 turns lie between: s =
    // 1/3.
    void llama3ScalingKeepsHighBlendsMiddleAndDividesLow()
    {
        const RopeScaling scaling{.kind = RopeScaling::Kind::Llama3,
                                  .factor = 8,
                                  .lowFrequencyFactor = 1,
                                  .highFrequencyFactor = 4,
                                  .originalContext = 400 * std::numbers::pi};
        const std::vector<double> scaled = ropeFrequencies(10000.0, 8, scaling);
        const double blended = (2.0 / 3) * 0.01 / 8 + (1.0 / 3) * 0.01;
        QVERIFY(std::abs(scaled[0] - 1.0) < 1e-15);
        QVERIFY(std::abs(scaled[1] - 0.1) < 1e-15);
        QVERIFY(std::abs(scaled[2] - blended) < 1e-15);
        QVERIFY(std::abs(scaled[3] - 0.001 / 8) < 1e-15);
    }
};

QTEST_APPLESS_MAIN(RopeScalingTest)
#include "RopeScalingTest.moc"
