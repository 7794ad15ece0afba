#include "ui/explore/AxisActions.h"

#include "tests/ui/support/DrawnText.h"
#include "tests/ui/support/HandmadeStep.h"
#include "ui/CandidateModel.h"
#include "ui/ChartTextLayer.h"
#include "ui/DistributionChart.h"
#include "ui/DistributionView.h"

#include <QTest>
#include <QToolButton>

using ui::BarScale;

namespace {

bool says(QWidget& widget, const QString& words)
{
    for (const support::DrawnText& text : support::drawnTexts(widget))
        if (text.text.contains(words))
            return true;
    return false;
}

} // namespace

class AxisActionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyAxisIsAnnounced()
    {
        QWidget window;
        ui::CandidateModel model;
        ui::DistributionChart chart;
        chart.setModel(&model);
        chart.resize(704, 414);
        chart.show();
        const engine::Step step = support::handmadeStep({0.4, 0.3, 0.2}, 2, 0, 10);
        model.setStep(&step);
        ui::AxisActions actions(&chart, &window);
        QVERIFY(actions.fitted->isChecked());
        // 0.4 of the 0.7 kept is 57 %.
        QVERIFY(says(chart, QStringLiteral("AXIS FITTED TO 60 %")));
        actions.full->trigger();
        QCOMPARE(chart.scale(), BarScale::Full);
        QVERIFY(says(chart, QStringLiteral("AXIS 0 TO 100 %")));
        actions.next->trigger();
        QCOMPARE(chart.scale(), BarScale::Logarithmic);
        QVERIFY(actions.logarithmic->isChecked());
        QVERIFY(says(chart, QStringLiteral("LOGARITHMIC AXIS")));
        chart.scaleButton()->click();
        QCOMPARE(chart.scale(), BarScale::Linear);
        QVERIFY(actions.fitted->isChecked());
        QCOMPARE(chart.scaleButton()->text(), QStringLiteral("fit"));
    }

    void theModelsDistributionStandsBehind()
    {
        QWidget window;
        ui::CandidateModel model;
        ui::DistributionChart chart;
        chart.setModel(&model);
        chart.resize(704, 414);
        chart.show();
        const engine::Step step = support::handmadeStep({0.4, 0.3, 0.2}, 2, 0, 10);
        model.setStep(&step);
        ui::AxisActions actions(&chart, &window);
        QVERIFY(says(chart, QStringLiteral("as the model gave it")));
        const QImage with = chart.view()->grab().toImage();
        actions.ghost->trigger();
        QVERIFY(!chart.view()->hasGhost());
        QVERIFY(!says(chart, QStringLiteral("as the model gave it")));
        QVERIFY(chart.view()->grab().toImage() != with);
        actions.ghost->trigger();
        QCOMPARE(chart.view()->grab().toImage(), with);
    }
};

QTEST_MAIN(AxisActionsTest)
#include "AxisActionsTest.moc"
