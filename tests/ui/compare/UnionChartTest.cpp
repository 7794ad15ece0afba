#include "ui/compare/UnionChart.h"

#include "tests/ui/support/HandmadeStep.h"

#include <QTest>

using support::handmadeGreedyStep;
using support::handmadeStep;

class UnionChartTest : public QObject
{
    Q_OBJECT

private:
    engine::Step m_sampled = handmadeStep({0.5, 0.25, 0.05}, 2, 1, 10);
    engine::Step m_greedy = handmadeGreedyStep({0.5, 0.25}, 10);
    ui::UnionRows m_rows = ui::UnionRows::of({&m_sampled, &m_greedy}, 20);

private Q_SLOTS:
    void saysOfWhichStageTheNumbersAre()
    {
        ui::UnionChart chart;
        chart.resize(500, 300);
        chart.showRows(m_rows, 0);
        QCOMPARE(chart.headText(), QStringLiteral("PROBABILITY → AFTER CHAIN"));
        QCOMPARE(chart.valueText(0), QStringLiteral("50.0 % → 66.7 %"));
        QCOMPARE(chart.valueText(2), QStringLiteral("5.0 % → cut"));
        chart.resize(260, 300);
        QCOMPARE(chart.headText(), QStringLiteral("AFTER CHAIN"));
        QCOMPARE(chart.valueText(0), QStringLiteral("66.7 %"));
        chart.showRows(m_rows, 1);
        QCOMPARE(chart.headText(), QStringLiteral("PROBABILITY"));
        QCOMPARE(chart.valueText(0), QStringLiteral("50.0 %"));
    }

    void whatAStepDoesNotListHasAnUpperBound()
    {
        ui::UnionChart chart;
        chart.resize(300, 300);
        chart.showRows(m_rows, 1);
        QCOMPARE(chart.rowCount(), 3);
        QCOMPARE(chart.valueText(2), QStringLiteral("≤ 25.0 %"));
        QVERIFY(chart.toolTip(2).contains(QStringLiteral("at most 25.0 %")));
        QVERIFY(chart.toolTip(0).contains(QStringLiteral("probability 50.0 %")));
    }

    void allPanesHaveTheSameAxisAndRows()
    {
        ui::UnionChart a;
        ui::UnionChart b;
        for (ui::UnionChart* chart : {&a, &b})
            chart->resize(300, 300);
        a.showRows(m_rows, 0);
        b.showRows(m_rows, 1);
        QCOMPARE(a.axisMaximum(), b.axisMaximum());
        QCOMPARE(a.rowRect(1), b.rowRect(1));
        QVERIFY(a.accessibleDescription().contains(QStringLiteral("picked")));
    }

    void saysWhyThereIsNothing()
    {
        ui::UnionChart chart;
        chart.showNothing(QStringLiteral("This run ended after 3 steps."));
        QCOMPARE(chart.rowCount(), 0);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("This run ended after 3 steps."));
        QVERIFY(!chart.grab().isNull());
    }

    void takesAsManyRowsAsThereIsRoomFor()
    {
        const ui::Theme theme = ui::Theme::light();
        QCOMPARE(ui::UnionChart::rowsThatFit(36 + 19 * 5 + 3, theme), 5);
        QCOMPARE(ui::UnionChart::rowsThatFit(10, theme), 3);
        QCOMPARE(ui::UnionChart::rowsThatFit(5000, theme), 22);
    }
};

QTEST_MAIN(UnionChartTest)
#include "UnionChartTest.moc"
