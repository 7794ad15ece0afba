#include "ui/ChartTextLayer.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"

#include <QTest>

using support::handmadeGreedyStep;
using support::handmadeStep;
using ui::ChartColumns;
using ui::DistributionRows;
using ui::Pill;
using ui::RowText;

class ChartTextLayerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesBothProbabilitiesOfAKeptToken()
    {
        const auto shown = DistributionRows::of(handmadeStep({0.4, 0.2, 0.2, 0.1}, 3, 1, 4092));
        const RowText text = RowText::of(shown.rows[0], shown.hasFinal);
        QCOMPARE(text.rank, u"1"_qs);
        QCOMPARE(text.id, u"100"_qs);
        QCOMPARE(text.value, u"40.0 %"_qs);
        QCOMPARE(text.finalValue, u"→ 50.0 %"_qs);
        QCOMPARE(text.cumulative, u"40.0"_qs);
        QCOMPARE(RowText::of(shown.rows[3], shown.hasFinal).finalValue, QString());
    }

    void writesNoSecondProbabilityThatSaysNothingNew()
    {
        const auto all = DistributionRows::of(handmadeStep({0.5, 0.5}, 2, 0, 0));
        QCOMPARE(RowText::of(all.rows[0], all.hasFinal).finalValue, QString());
        const auto greedy = DistributionRows::of(handmadeGreedyStep({0.4}, 10));
        QCOMPARE(RowText::of(greedy.rows[0], greedy.hasFinal).finalValue, QString());
    }

    void saysHowManyTokensTheLastRowStandsFor()
    {
        const auto shown = DistributionRows::of(handmadeStep({0.4, 0.2}, 2, 0, 4094));
        const RowText text = RowText::of(shown.rows[2], shown.hasFinal);
        QCOMPARE(text.token, u"all others · 4,094 tokens"_qs);
        QCOMPARE(text.value, u"40.0 %"_qs);
        QCOMPARE(text.rank, QString());
        QVERIFY(text.pills.empty());
    }

    void theRunningSumNeverClaimsAllBeforeItIsAll()
    {
        const auto shown = DistributionRows::of(handmadeGreedyStep({0.9996, 0.0003}, 10));
        QCOMPARE(RowText::of(shown.rows[0], false).cumulative, u"99.96"_qs);
        QCOMPARE(RowText::of(shown.rows[1], false).cumulative, u"99.99"_qs);
    }

    void marksArgmaxAndPickEachWithItsPill()
    {
        const engine::Step step = handmadeStep({0.4, 0.2, 0.1}, 3, 1, 0);
        auto shown = DistributionRows::of(step);
        QCOMPARE(ui::pillsOf(shown.rows[0]), (std::vector{Pill::Argmax}));
        QCOMPARE(ui::pillsOf(shown.rows[1]), (std::vector{Pill::Picked}));
        QVERIFY(ui::pillsOf(shown.rows[2]).empty());
        shown = DistributionRows::of(support::forcedStep(step, engine::TokenId{100}));
        QCOMPARE(ui::pillsOf(shown.rows[0]),
                 (std::vector{Pill::Argmax, Pill::Picked, Pill::Forced}));
        QCOMPARE(ui::pillsOf(shown.rows[1]), (std::vector{Pill::RuleChoice}));
    }

    void ticksStandOnRoundValues_data()
    {
        QTest::addColumn<double>("maximum");
        QTest::addColumn<double>("interval");
        QTest::newRow("5 %") << 0.05 << 0.01;
        QTest::newRow("30 %") << 0.3 << 0.05;
        QTest::newRow("35 %") << 0.35 << 0.05;
        QTest::newRow("40 %") << 0.4 << 0.1;
        QTest::newRow("100 %") << 1.0 << 0.2;
        QTest::newRow("0.05 %") << 0.0005 << 0.0001;
    }

    void ticksStandOnRoundValues()
    {
        QFETCH(double, maximum);
        QFETCH(double, interval);
        QVERIFY(qAbs(ui::tickInterval(maximum) / interval - 1) < 1e-9);
    }

    void columnsNeverOverlap_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        for (const int width : {320, 480, 672, 1132, 1800})
            for (const double scale : {1.0, 1.5})
                QTest::addRow("%d at %.1f", width, scale) << width << scale;
    }

    void columnsNeverOverlap()
    {
        QFETCH(int, width);
        QFETCH(double, scale);
        ui::Theme theme = ui::Theme::light();
        theme.scale = scale;
        const ChartColumns columns = ChartColumns::fit(QSizeF(width, 400), 16, theme);
        QVERIFY(columns.rankRight <= columns.idRight);
        QVERIFY(columns.idRight < columns.chipLeft);
        QVERIFY(columns.chipLeft + 20 < columns.plotLeft);
        QVERIFY(columns.plotLeft < columns.plotRight);
        QVERIFY(columns.rowHeight * 16 + columns.top + columns.tickBand <= 400);
    }
};

QTEST_MAIN(ChartTextLayerTest)
#include "ChartTextLayerTest.moc"
