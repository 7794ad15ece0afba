#include "engine/decoding/RunningSum.h"

#include "engine/decoding/Exponential.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using engine::Bound;
using engine::Crossing;
using engine::firstCrossing;

namespace {

/// By the definition: sort all, add up one by one.
std::optional<Crossing> sortedCrossing(const std::vector<double>& values, double bound, Bound kind)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    double sum = 0;
    for (const std::size_t position : order) {
        const double next = sum + values[position];
        if (kind == Bound::Reach ? next >= bound : next > bound)
            return Crossing{position, sum, next};
        sum = next;
    }
    return std::nullopt;
}

} // namespace

class RunningSumTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addsTheLargestFirstAndEqualsByPosition()
    {
        const std::vector<double> values = {0.125, 0.25, 0.125, 0.25, 0.0, 0.25};
        QCOMPARE(firstCrossing(values, 0.0, Bound::Exceed), (Crossing{1, 0.0, 0.25}));
        QCOMPARE(firstCrossing(values, 0.25, Bound::Reach), (Crossing{1, 0.0, 0.25}));
        QCOMPARE(firstCrossing(values, 0.25, Bound::Exceed), (Crossing{3, 0.25, 0.5}));
        QCOMPARE(firstCrossing(values, 0.8, Bound::Exceed), (Crossing{0, 0.75, 0.875}));
        QCOMPARE(firstCrossing(values, 0.9, Bound::Exceed), (Crossing{2, 0.875, 1.0}));
        QCOMPARE(firstCrossing(values, 1.0, Bound::Reach), (Crossing{2, 0.875, 1.0}));
        QVERIFY(!firstCrossing(values, 1.0, Bound::Exceed));
        QVERIFY(!firstCrossing({}, 0.0, Bound::Reach));
    }

    // Multiples of 2^-44 that sum to less than 2^8: every sum is exact, in whatever order.
    void agreesWithAFullSort_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("kinds");
        for (const int size : {1, 3, 1024, 1025, 5000, 70000})
            for (const int kinds : {1, 2, 50, 1 << 20, 1 << 30})
                QTest::addRow("%d values of %d kinds", size, kinds) << size << kinds;
    }
    void agreesWithAFullSort()
    {
        QFETCH(int, size);
        QFETCH(int, kinds);
        std::mt19937 random(static_cast<unsigned>(size + kinds));
        std::vector<double> values(static_cast<std::size_t>(size));
        double total = 0;
        for (double& value : values) {
            const auto any = [&random](int below) {
                return static_cast<double>(random() % static_cast<unsigned>(below));
            };
            value = (1.0 + any(kinds)) * 0x1p-44;
            if (any(3) == 0)
                value *= 0x1p-8 * any(4); // other magnitudes, and zeros
            total += value;
        }
        for (const double share : {0.0, 1e-9, 0.3, 0.5, 0.9, 0.999999, 1.0})
            for (const Bound kind : {Bound::Reach, Bound::Exceed})
                QCOMPARE(firstCrossing(values, total * share, kind),
                         sortedCrossing(values, total * share, kind));
        const double atThird = sortedCrossing(values, total / 3, Bound::Reach)->after;
        for (const Bound kind : {Bound::Reach, Bound::Exceed})
            QCOMPARE(firstCrossing(values, atThird, kind), sortedCrossing(values, atThird, kind));
    }

    // To the bit: whoever stands at the crossing has the same sum before it.
    void tellsTheSumBeforeAnyAsTheCrossingHasIt_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("spread");
        for (const int size : {1, 3, 1024, 1025, 5000, 70000})
            for (const int spread : {0, 1, 5, 40})
                QTest::addRow("%d values over e^%d", size, spread) << size << spread;
    }
    void tellsTheSumBeforeAnyAsTheCrossingHasIt()
    {
        QFETCH(int, size);
        QFETCH(int, spread);
        std::mt19937 random(static_cast<unsigned>(size + spread));
        std::vector<double> weights(static_cast<std::size_t>(size));
        std::uniform_real_distribution<double> exponent(-spread, 0);
        for (double& weight : weights)
            weight = random() % 9 == 0 ? 0.0 : std::exp(exponent(random));
        const double total = std::max(engine::sum(weights), 1.0);
        std::vector<double> values;
        for (const double weight : weights)
            values.push_back(weight / total);
        std::vector<std::size_t> positions;
        std::vector<double> expected;
        const auto add = [&](const std::optional<Crossing>& crossing) {
            if (!crossing ||
                std::count(positions.begin(), positions.end(), crossing->position) != 0)
                return;
            positions.push_back(crossing->position);
            expected.push_back(crossing->before);
        };
        for (const double bound : {0.0, 0.1, 0.3, 0.5, 0.77, 0.9, 0.99, 0.999999})
            add(firstCrossing(values, bound, Bound::Reach));
        std::shuffle(positions.begin(), positions.end(), std::mt19937(1));
        std::shuffle(expected.begin(), expected.end(), std::mt19937(1));
        QCOMPARE(engine::sumsBefore(weights, total, positions), expected);
        for (std::size_t i = 0; i < positions.size(); ++i) // alone, too
            QCOMPARE(engine::sumsBefore(weights, total, {{positions[i]}}),
                     std::vector<double>{expected[i]});
        QVERIFY(engine::sumsBefore(weights, total, {}).empty());
    }

    void tellsTheSumBeforeWhatHasNoValue()
    {
        const std::vector<double> weights = {0.0, 2.0, 0.0, 6.0};
        QCOMPARE(engine::sumsBefore(weights, 8.0, std::vector<std::size_t>{0, 1, 2, 3}),
                 (std::vector<double>{1.0, 0.75, 1.0, 0.0}));
    }

    void findsTheBoundAmongNeighboursThatDifferInTheirLastBits()
    {
        std::vector<double> values(4096);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 0x1p-13 + static_cast<double>((i * 2654435761U) % 4096) * 0x1p-60;
        const auto expected = sortedCrossing(values, 0.25, Bound::Exceed);
        const auto found = firstCrossing(values, 0.25, Bound::Exceed);
        QVERIFY(found && expected);
        QCOMPARE(found->position, expected->position);
        QVERIFY(found->before <= 0.25 && found->after > 0.25);
    }
};

QTEST_APPLESS_MAIN(RunningSumTest)
#include "RunningSumTest.moc"
