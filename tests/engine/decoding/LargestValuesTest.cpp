#include "engine/decoding/LargestValues.h"

#include <QTest>

#include <random>

using engine::largestValues;

namespace {

/// By a full sort.
std::vector<std::int32_t> sorted(const std::vector<float>& values, std::size_t count)
{
    std::vector<std::int32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return values[a] > values[b]; });
    order.resize(std::min(count, order.size()));
    std::sort(order.begin(), order.end());
    return order;
}

} // namespace

class LargestValuesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void prefersTheEarlierAmongEquals()
    {
        const std::vector<float> values = {1, 3, 2, 3, 2, 3, 2};
        QCOMPARE(largestValues(std::span<const float>(values), 2),
                 (std::vector<std::int32_t>{1, 3}));
        QCOMPARE(largestValues(std::span<const float>(values), 5),
                 (std::vector<std::int32_t>{1, 2, 3, 4, 5}));
    }

    void takesNegativeZeroForZero()
    {
        const std::vector<float> values = {-0.0F, 0.0F, -1.0F, 0.0F};
        QCOMPARE(largestValues(std::span<const float>(values), 1), (std::vector<std::int32_t>{0}));
        QCOMPARE(largestValues(std::span<const float>(values), 2),
                 (std::vector<std::int32_t>{0, 1}));
    }

    void givesNoneAndAll()
    {
        const std::vector<float> values = {2, 1};
        QVERIFY(largestValues(std::span<const float>(values), 0).empty());
        QCOMPARE(largestValues(std::span<const float>(values), 2),
                 (std::vector<std::int32_t>{0, 1}));
        QCOMPARE(largestValues(std::span<const float>(values), 99),
                 (std::vector<std::int32_t>{0, 1}));
    }

    void findsTheFirstLargest()
    {
        for (int size = 1; size < 200; ++size)
            for (const int at : {0, size / 2, size - 1}) {
                std::vector<double> values(static_cast<std::size_t>(size), -7.0);
                values[static_cast<std::size_t>(at)] = -1.0;
                values.back() = -1.0; // an equal behind it
                QCOMPARE(engine::firstLargest(std::span<const double>(values)),
                         static_cast<std::size_t>(at));
                QCOMPARE(engine::firstEqual(std::span<const double>(values), -1.0),
                         static_cast<std::size_t>(at));
            }
    }

    void ranksEqualsByPosition()
    {
        const std::vector<float> values = {1, 3, 2, 3, 1};
        std::vector<std::int32_t> ranks;
        for (std::size_t i = 0; i < values.size(); ++i)
            ranks.push_back(engine::rankOf(std::span<const float>(values), i));
        QCOMPARE(ranks, (std::vector<std::int32_t>{4, 1, 3, 2, 5}));
    }

    void agreesWithAFullSort()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            std::vector<float> values(1 + random() % 5000);
            // Few distinct values, so that ties cross the boundary.
            const auto distinct = 1 + random() % 50;
            for (float& value : values)
                value = static_cast<float>(random() % distinct) - 3.0F;
            const std::size_t count = random() % (values.size() + 2);
            QCOMPARE(largestValues(std::span<const float>(values), count), sorted(values, count));
        }
    }
};

QTEST_APPLESS_MAIN(LargestValuesTest)
#include "LargestValuesTest.moc"
