#include "ui/DistributionChart.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/CandidateModel.h"
#include "ui/DistributionView.h"

#include <QBarSet>
#include <QChart>
#include <QHelpEvent>
#include <QHorizontalStackedBarSeries>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <numeric>

using engine::Step;
using engine::TokenId;
using support::handmadeGreedyStep;
using support::handmadeStep;
using ui::DistributionView;
using ui::Pill;

Q_DECLARE_METATYPE(engine::TokenId)

namespace {

/// The chart of one step at its size in a window of 1280 x 800.
struct Fixture
{
    ui::CandidateModel model;
    ui::DistributionChart chart;

    explicit Fixture(const Step& step, const QSize& size = QSize(704, 414))
    {
        chart.setModel(&model);
        chart.resize(size);
        chart.show();
        model.setStep(&step);
    }

    DistributionView& view() { return *chart.view(); }

    QPoint middleOf(int row) { return view().rowRect(row).center().toPoint(); }

    void click(int row)
    {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, Qt::NoModifier, middleOf(row));
    }

    QList<QBarSet*> sets()
    {
        return static_cast<QHorizontalStackedBarSeries*>(view().chart()->series().at(0))->barSets();
    }
};

const std::vector<double> five = {0.4, 0.2, 0.2, 0.1, 0.05};

TokenId emitted(const QSignalSpy& spy, int index)
{
    return spy.at(index).at(0).value<TokenId>();
}

} // namespace

class DistributionChartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClickOnARowNamesItsToken()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QSignalSpy activated(&fixture.chart, &ui::DistributionChart::candidateActivated);
        fixture.click(0);
        fixture.click(4); // a bar too small to point at; the row is what counts
        QCOMPARE(activated.count(), 2);
        QCOMPARE(emitted(activated, 0), TokenId{100});
        QCOMPARE(emitted(activated, 1), TokenId{104});
    }

    void aClickOnTheOthersDoesNothing()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QSignalSpy activated(&fixture.chart, &ui::DistributionChart::candidateActivated);
        fixture.click(5);
        QCOMPARE(activated.count(), 0);
    }

    void aPressThatLeavesItsRowDoesNothing()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QSignalSpy activated(&fixture.chart, &ui::DistributionChart::candidateActivated);
        QWidget* viewport = fixture.view().viewport();
        QTest::mousePress(viewport, Qt::LeftButton, Qt::NoModifier, fixture.middleOf(0));
        QTest::mouseRelease(viewport, Qt::LeftButton, Qt::NoModifier, fixture.middleOf(1));
        QCOMPARE(activated.count(), 0);
    }

    void theKeyboardMovesARowAndActivatesIt()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QSignalSpy activated(&fixture.chart, &ui::DistributionChart::candidateActivated);
        QTest::keyClick(&fixture.view(), Qt::Key_Home);
        QTest::keyClick(&fixture.view(), Qt::Key_Down);
        QCOMPARE(fixture.view().cursorRow(), std::optional(1));
        QVERIFY(fixture.view().accessibleDescription().contains(u"rank 2"_qs));
        QTest::keyClick(&fixture.view(), Qt::Key_Return);
        QTest::keyClick(&fixture.view(), Qt::Key_End);
        QTest::keyClick(&fixture.view(), Qt::Key_Return); // the others
        QTest::keyClick(&fixture.view(), Qt::Key_Up);
        QTest::keyClick(&fixture.view(), Qt::Key_Return);
        QCOMPARE(activated.count(), 2);
        QCOMPARE(emitted(activated, 0), TokenId{101});
        QCOMPARE(emitted(activated, 1), TokenId{104});
    }

    void pillsStandInTheRowsOfArgmaxAndPick()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QCOMPARE(fixture.view().pills(0), (std::vector{Pill::Argmax}));
        QCOMPARE(fixture.view().pills(2), (std::vector{Pill::Picked}));
        for (const int row : {1, 3, 4, 5})
            QVERIFY(fixture.view().pills(row).empty());
    }

    void everyBarHasTheColourOfItsRole()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        const QList<QBarSet*> sets = fixture.sets();
        QCOMPARE(sets.size(), 5);
        // Kept, argmax, picked, gain, lost; Qt Charts counts rows from the bottom.
        const auto value = [&](int set, int row) { return sets.at(set)->at(5 - row); };
        QCOMPARE(value(1, 0), 0.4);
        QCOMPARE(value(0, 1), 0.2);
        QCOMPARE(value(2, 2), 0.2);
        QCOMPARE(value(0, 2), 0.0);
        QVERIFY(qAbs(value(3, 0) - (0.4 / 0.9 - 0.4)) < 1e-12);
        QCOMPARE(value(4, 4), 0.05);
        QCOMPARE(value(0, 4), 0.0);
    }

    void greedyHasNoGain()
    {
        Fixture fixture(handmadeGreedyStep(five, 4091));
        QCOMPARE(fixture.sets().at(3)->sum(), 0.0);
        QCOMPARE(fixture.sets().at(4)->sum(), 0.0);
    }

    void theLogarithmicScaleKeepsRowsAndClicks()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QSignalSpy activated(&fixture.chart, &ui::DistributionChart::candidateActivated);
        fixture.chart.setScale(ui::BarScale::Logarithmic);
        QVERIFY(qAbs(fixture.sets().at(0)->at(2) - 0.8) < 1e-12); // 10 %, fourth from the top
        fixture.click(1);
        QCOMPARE(emitted(activated, 0), TokenId{101});
    }

    void theNumberOfRowsFollowsTheHeight()
    {
        const Step step = support::sampleRun().steps[0];
        Fixture fixture(step);
        QCOMPARE(fixture.view().rows().rows.size(), 16U);
        QVERIFY(fixture.view().rowRect(0).height() >= 18);
        fixture.chart.resize(1164, 644);
        QCOMPARE(fixture.view().rows().rows.size(), 21U); // 20 candidates and the others
        fixture.chart.setRowLimit(12);
        QCOMPARE(fixture.view().rows().rows.size(), 13U);
        fixture.chart.setRowLimit(20);
        fixture.chart.resize(704, 300);
        QVERIFY(fixture.view().rows().rows.size() < 16U);
        QVERIFY(fixture.view().rowRect(0).height() >= 18);
    }

    void barsStandInTheirRows()
    {
        Fixture fixture(support::sampleRun().steps[0]);
        const QRectF plot = fixture.view().chart()->plotArea();
        const int last = static_cast<int>(fixture.view().rows().rows.size()) - 1;
        QVERIFY(qAbs(plot.top() - fixture.view().rowRect(0).top()) < 1.5);
        QVERIFY(qAbs(plot.bottom() - fixture.view().rowRect(last).bottom()) < 1.5);
    }

    void theToolTipShowsTheTokenAsTextNotAsMarkup()
    {
        Step step = handmadeStep(five, 4, 2, 4091);
        step.candidates[0].piece.bytes = "<b>x</b>";
        Fixture fixture(step);
        const QPoint at = fixture.middleOf(0);
        QHelpEvent help(QEvent::ToolTip, at, fixture.view().viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(fixture.view().viewport(), &help);
        QVERIFY(QToolTip::text().contains(u"&lt;b&gt;x&lt;/b&gt;"_qs));
        QVERIFY(QToolTip::text().contains(u"bytes 3C 62 3E"_qs));
        QVERIFY(QToolTip::text().contains(u"after cut-off 44.4 %"_qs));
    }

    void theToolTipOfACutTokenSaysWhatRemovedIt()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        const QPoint at = fixture.middleOf(4);
        QHelpEvent help(QEvent::ToolTip, at, fixture.view().viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(fixture.view().viewport(), &help);
        QVERIFY(QToolTip::text().contains(u"removed by top-p 0.90"_qs));
    }

    void describesTheStepInASentence()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        QCOMPARE(fixture.view().accessibleDescription(),
                 u"Step 4. token ␣a, probability 40.0 percent, rank 1, argmax. "
                 u"token ␣c, probability 20.0 percent, rank 3, picked. 4 of 4,096 tokens kept."_qs);
    }

    void withoutAStepThereAreNoRows()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        fixture.model.setStep(nullptr);
        QVERIFY(fixture.view().rows().rows.empty());
        QVERIFY(!fixture.view().rowAt(QPointF(100, 100)));
        QVERIFY(!fixture.chart.grab().isNull());
    }

    void survivesTheEndOfItsModel()
    {
        ui::DistributionChart chart;
        auto model = std::make_unique<ui::CandidateModel>();
        const Step step = handmadeStep(five, 4, 2, 4091);
        model->setStep(&step);
        chart.setModel(model.get());
        model.reset();
        QVERIFY(chart.view()->rows().rows.empty());
    }

    void aThemeIsTakenWhileShown()
    {
        Fixture fixture(handmadeStep(five, 4, 2, 4091));
        fixture.chart.setTheme(ui::Theme::dark());
        QCOMPARE(fixture.sets().at(2)->brush().color(), ui::Theme::dark().picked);
        QCOMPARE(fixture.view().rows().rows.size(), 6U);
    }
};

QTEST_MAIN(DistributionChartTest)
#include "DistributionChartTest.moc"
