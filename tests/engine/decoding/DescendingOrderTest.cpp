#include "engine/decoding/DescendingOrder.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using engine::DescendingOrder;

namespace {

std::vector<std::size_t> handedOut(const std::vector<double>& values)
{
    DescendingOrder order(values);
    std::vector<std::size_t> result;
    while (const auto position = order.next())
        result.push_back(*position);
    return result;
}

std::vector<std::size_t> sorted(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    return order;
}

} // namespace

class DescendingOrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void handsOutTheLargestFirstAndEqualsByPosition()
    {
        QCOMPARE(handedOut({0.1, 0.4, 0.1, 0.4, 0.0}), (std::vector<std::size_t>{1, 3, 0, 2, 4}));
    }

    void handsOutZerosAndOnes()
    {
        QCOMPARE(handedOut({0.0, 1.0, 0.0}), (std::vector<std::size_t>{1, 0, 2}));
        QCOMPARE(handedOut({1.0}), (std::vector<std::size_t>{0}));
    }

    void agreesWithAFullSort_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<double>("spread");
        for (const int size : {2, 1000, 1024, 1025, 5000, 70000})
            for (const double spread : {0.0, 0.01, 3.0, 40.0, 400.0})
                QTest::addRow("%d values, spread %g", size, spread) << size << spread;
    }
    void agreesWithAFullSort()
    {
        QFETCH(int, size);
        QFETCH(double, spread);
        std::mt19937 random(static_cast<unsigned>(size));
        std::vector<double> values(static_cast<std::size_t>(size));
        for (double& value : values)
            value = std::exp(-spread * static_cast<double>(random() % 4096) / 4096.0);
        values[values.size() / 2] = 0.0;
        QCOMPARE(handedOut(values), sorted(values));
    }
};

QTEST_APPLESS_MAIN(DescendingOrderTest)
#include "DescendingOrderTest.moc"
