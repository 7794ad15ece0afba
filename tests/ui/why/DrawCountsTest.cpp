#include "ui/why/DrawCounts.h"

#include "tests/ui/support/HandmadeStep.h"

#include <QTest>

#include <cmath>

using ui::DrawCount;

class DrawCountsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void putsEachNumberIntoItsSlice()
    {
        const auto bar = ui::drawSegments(support::handmadeStep({0.5, 0.25, 0.25}, 3, 1, 0));
        // An edge belongs to the slice above it, as in the draw.
        const auto rows = ui::countDraws(bar, {0.0, 0.49, 0.5, 0.7499, 0.75, 0.99, 0.1}, 5);
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].count, 3);
        QCOMPARE(rows[1].count, 2);
        QCOMPARE(rows[2].count, 2);
        QVERIFY(rows[1].isPicked && !rows[0].isPicked);
        QVERIFY(std::abs(rows[0].probability - 0.5) < 1e-12);
    }

    void putsTheRestTogether()
    {
        const auto bar = ui::drawSegments(support::handmadeStep({0.4, 0.3, 0.2, 0.1}, 4, 3, 0));
        const auto rows = ui::countDraws(bar, {0.1, 0.75, 0.95, 0.99}, 3);
        QCOMPARE(rows.size(), std::size_t{3});
        QVERIFY(!rows[2].piece);
        QCOMPARE(rows[2].count, 3);
        QVERIFY(std::abs(rows[2].probability - 0.3) < 1e-12);
        QVERIFY(rows[2].isPicked);
    }

    void expectsTheBinomialSpread()
    {
        DrawCount row;
        row.probability = 0.1;
        QCOMPARE(row.spread(1000), 2 * std::sqrt(90.0));
        row.probability = 1;
        QCOMPARE(row.spread(1000), 0.0);
    }

    void saysHowManyLieWithinTheSpread()
    {
        ui::DrawCounts counts;
        counts.resize(500, 200);
        QVERIFY(counts.summary().isEmpty());
        const auto bar = ui::drawSegments(support::handmadeStep({0.5, 0.5}, 2, 0, 0));
        counts.setDraws(bar, std::vector<double>(100, 0.25)); // all in the first
        QVERIFY(counts.summary().startsWith(QStringLiteral("0 of 2 counts")));
        QVERIFY(counts.accessibleDescription().contains(
            QStringLiteral("100 times, 50 expected, give or take 10")));
        counts.clear();
        QCOMPARE(counts.draws(), 0);
        QVERIFY(counts.rows().empty());
    }
};

QTEST_MAIN(DrawCountsTest)
#include "DrawCountsTest.moc"
