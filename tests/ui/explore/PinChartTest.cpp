#include "ui/explore/PinChart.h"

#include "tests/ui/support/DrawnText.h"

#include <QSignalSpy>
#include <QTest>

using ui::PinChart;
using ui::PinLine;

namespace {

PinLine line(int id, const char* text, std::vector<std::optional<double>> values)
{
    return {{engine::TokenId{id}, text, {}}, std::move(values)};
}

QStringList words(PinChart& chart)
{
    QStringList result;
    for (const support::DrawnText& text : support::drawnTexts(chart))
        result << text.text;
    return result;
}

} // namespace

class PinChartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theScaleEndsAtARoundNumberAndSaysSo()
    {
        PinChart chart;
        chart.resize(500, 150);
        chart.show();
        chart.setLines({line(1, " cat", {0.01, 0.04, 0.031})}, 1);
        QCOMPARE(chart.axisMaximum(), 0.05);
        QVERIFY(words(chart).contains(QStringLiteral("5 %")));
        chart.setLines({line(1, " cat", {0.01, 0.94})}, 1);
        QCOMPARE(chart.axisMaximum(), 1.0);
        chart.setLines({line(1, " cat", {0.0, std::nullopt})}, 1);
        QCOMPARE(chart.axisMaximum(), 1.0);
    }

    void eachLineEndsWithItsToken()
    {
        PinChart chart;
        chart.resize(500, 150);
        chart.show();
        // Four that end at the same height: the labels are moved apart.
        chart.setLines({line(1, " cat", {0.5, 0.2}), line(2, " dog", {0.1, 0.2}),
                        line(3, " bird", {0.1, 0.2}), line(4, " fish", {0.3, 0.2})},
                       0);
        for (const char* token : {"cat", "dog", "bird", "fish"}) // the space may be of another font
            QVERIFY(words(chart).contains(QLatin1String(token)));
        QCOMPARE(support::textFaults(chart), QStringList());
    }

    void aClickGoesToTheNearestStep()
    {
        PinChart chart;
        chart.resize(500, 150);
        chart.show();
        chart.setLines({line(1, " cat", {0.5, 0.2, 0.1, 0.4, 0.3})}, 0);
        QSignalSpy activated(&chart, &PinChart::stepActivated);
        const auto click = [&chart](double x) {
            QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(static_cast<int>(x), 60));
        };
        click(chart.xOf(3) + 4);
        click(0);
        click(499);
        QCOMPARE(activated.count(), 3);
        QCOMPARE(activated[0][0].toInt(), 3);
        QCOMPARE(activated[1][0].toInt(), 0);
        QCOMPARE(activated[2][0].toInt(), 4);
    }

    void readersAreToldTheValues()
    {
        PinChart chart;
        chart.setLines({line(1, " cat", {0.5, 0.25}), line(2, " dog", {0.1, std::nullopt})}, 1);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("␣cat: 25.0 %; ␣dog: not recorded"));
    }

    void manyStepsKeepTheirNumbersApart()
    {
        PinChart chart;
        chart.resize(400, 120);
        chart.show();
        chart.setLines({line(1, " cat", std::vector<std::optional<double>>(3000, 0.5))}, 2999);
        QCOMPARE(support::textFaults(chart), QStringList());
    }
};

QTEST_MAIN(PinChartTest)
#include "PinChartTest.moc"
