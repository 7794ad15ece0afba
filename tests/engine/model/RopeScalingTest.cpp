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
        const std::vector<double> frequencies = makeRope(10000.0, 8, {}).frequencies;
        QCOMPARE(frequencies.size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(std::abs(frequencies[i] - std::pow(10.0, -static_cast<double>(i))) < 1e-15);
    }

    void linearScalingDividesThemAll()
    {
        RopeScaling scaling;
        scaling.kind = RopeScaling::Kind::Linear;
        scaling.factor = 4;
        const std::vector<double> plain = makeRope(10000.0, 8, {}).frequencies;
        const std::vector<double> scaled = makeRope(10000.0, 8, scaling).frequencies;
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(scaled[i], plain[i] / 4);
    }

    // Wavelengths 2 pi, 2 pi 10, 2 pi 100, 2 pi 1000 beside an original context of 2 pi 100 * 2:
    // the turns in it are 200, 20, 2 and 0.2. With low 1 and high 4, only 2 turns lie between: s =
    // 1/3.
    void llama3ScalingKeepsHighBlendsMiddleAndDividesLow()
    {
        RopeScaling scaling;
        scaling.kind = RopeScaling::Kind::Llama3;
        scaling.factor = 8;
        scaling.lowFrequencyFactor = 1;
        scaling.highFrequencyFactor = 4;
        scaling.originalContext = 400 * std::numbers::pi;
        const std::vector<double> scaled = makeRope(10000.0, 8, scaling).frequencies;
        const double blended = (2.0 / 3) * 0.01 / 8 + (1.0 / 3) * 0.01;
        QVERIFY(std::abs(scaled[0] - 1.0) < 1e-15);
        QVERIFY(std::abs(scaled[1] - 0.1) < 1e-15);
        QVERIFY(std::abs(scaled[2] - blended) < 1e-15);
        QVERIFY(std::abs(scaled[3] - 0.001 / 8) < 1e-15);
    }

    // theta 10^6 and 12 numbers: pair p turns by 10^-p at each position. In an original context of
    // 76800 pi positions it turns 38400 10^-p times: 32 times at pair 3.08, rounded down to 3, and
    // once at pair 4.58, rounded up to 5. So pairs 0 to 3 stay, pair 4 is half-way, pair 5 is
    // scaled in full.
    void yarnKeepsFastPairsAndScalesSlowOnes()
    {
        RopeScaling scaling;
        scaling.kind = RopeScaling::Kind::Yarn;
        scaling.factor = 4;
        scaling.originalContext = 76800 * std::numbers::pi;
        scaling.attentionFactor = 1.5;
        const Rope rope = makeRope(1e6, 12, scaling);
        const std::vector<double> expected = {1, 0.1, 0.01, 0.001, (1 + 0.25) / 2 * 1e-4, 0.25e-5};
        QCOMPARE(rope.frequencies.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(rope.frequencies[i] / expected[i] - 1) < 1e-12);
        QCOMPARE(rope.attentionFactor, 1.5);
        QVERIFY(rope.longFrequencies.empty());
    }

    void yarnCanLeaveItsBoundsBetweenPairs()
    {
        RopeScaling scaling;
        scaling.kind = RopeScaling::Kind::Yarn;
        scaling.factor = 4;
        scaling.originalContext = 76800 * std::numbers::pi;
        scaling.wholePairs = false;
        const double first = 3 + std::log10(1.2);
        const double last = 4 + std::log10(3.84);
        const double share = (4 - first) / (last - first);
        const Rope rope = makeRope(1e6, 12, scaling);
        QVERIFY(std::abs(rope.frequencies[4] / ((1 - share * 0.75) * 1e-4) - 1) < 1e-12);
    }

    void longRopeDividesEachByItsFactor()
    {
        RopeScaling scaling;
        scaling.kind = RopeScaling::Kind::LongRope;
        scaling.shortFactors = {1, 2, 4, 5};
        scaling.longFactors = {2, 4, 8, 50};
        const Rope rope = makeRope(10000.0, 8, scaling);
        for (std::size_t i = 0; i < 4; ++i) {
            const double plain = std::pow(10.0, -static_cast<double>(i));
            QVERIFY(std::abs(rope.of(false)[i] - plain / scaling.shortFactors[i]) < 1e-15);
            QVERIFY(std::abs(rope.of(true)[i] - plain / scaling.longFactors[i]) < 1e-15);
        }
        QCOMPARE(makeRope(10000.0, 8, {}).of(true), makeRope(10000.0, 8, {}).of(false));
    }
};

QTEST_APPLESS_MAIN(RopeScalingTest)
#include "RopeScalingTest.moc"
