#include "ui/checks/FanDialog.h"

#include "tests/ui/support/DrawnText.h"
#include "ui/checks/FanChart.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

using engine::FanPath;
using ui::FanDialog;

namespace {

FanPath path(std::optional<std::uint64_t> seed, const std::vector<int>& ids,
             std::vector<double> sums, const std::string& text)
{
    FanPath result;
    result.seed = seed;
    for (const int id : ids)
        result.picks.push_back({engine::TokenId{id}, "t", {}});
    result.logProbability = std::move(sums);
    result.text = text;
    return result;
}

engine::SeedFan fan()
{
    engine::SeedFan result;
    result.greedy = path({}, {1, 2, 3}, {-1, -2, -3}, " <b>one</b> two three");
    result.seeds = {path(8, {1, 2, 4}, {-1, -2, -2.5}, " one two four"),
                    path(9, {5, 2, 4}, {-4, -5, -9}, " five two four")};
    return result;
}

} // namespace

class FanDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksForSeedsAndShowsThem()
    {
        FanDialog* dialog = new FanDialog(ui::Theme::light());
        dialog->setStyleSheet(ui::Theme::light().styleSheet());
        dialog->setFault({});
        dialog->show();
        QSignalSpy requested(dialog, &FanDialog::fanRequested);
        dialog->count()->setValue(2);
        dialog->startButton()->click();
        QCOMPARE(requested[0][0].toInt(), 2);
        dialog->setProgress(-1, 2, 1);
        QCOMPARE(dialog->sentence(), QStringLiteral("The greedy text, step 1"));
        dialog->showFan(fan());
        QVERIFY(dialog->sentence().startsWith(QStringLiteral("1 of 2 seeds made a likelier text")));
        QCOMPARE(dialog->table()->rowCount(), 3);
        QCOMPARE(dialog->table()->item(0, 4)->text(), QStringLiteral("<b>one</b> two three"));
        QCOMPARE(dialog->table()->item(1, 0)->text(), QStringLiteral("8"));
        QCOMPARE(dialog->table()->item(1, 1)->text(), QStringLiteral("2 of 3 steps"));
        QVERIFY(dialog->table()->item(1, 2)->text().contains(QStringLiteral("likelier")));
        QVERIFY(!dialog->table()->item(2, 2)->text().contains(QStringLiteral("likelier")));
        QTRY_COMPARE(support::textFaults(*dialog).join(QLatin1Char('\n')), QString());
        dialog->close();
    }

    void theChartSaysTheShareUnderThePointer()
    {
        FanDialog* dialog = new FanDialog(ui::Theme::light());
        dialog->show();
        dialog->showFan(fan());
        QTest::qWait(20);
        ui::FanChart* chart = dialog->chart();
        int x = 0;
        while (x < chart->width() && chart->stepAt(x) != 0)
            ++x;
        QVERIFY(x < chart->width());
        QTest::mouseMove(chart, QPoint(x + 3, 40));
        QTRY_COMPARE(dialog->hint(),
                     QStringLiteral("Step 0: 1 of 2 seeds still agree with greedy"));
        QCOMPARE(chart->stepAt(0), -1);
        QVERIFY(chart->accessibleDescription().contains(QStringLiteral("step 2: 0 %")));
        // A seed chosen in the list looks different.
        const QImage before = chart->grab().toImage();
        dialog->table()->setCurrentCell(2, 0);
        QVERIFY(chart->grab().toImage() != before);
        dialog->close();
    }

    void whatCannotBeRunSaysWhy()
    {
        FanDialog* dialog = new FanDialog(ui::Theme::light());
        dialog->setFault(QStringLiteral("No model is open."));
        QVERIFY(!dialog->startButton()->isEnabled());
        QCOMPARE(dialog->sentence(), QStringLiteral("No model is open."));
        dialog->close();
    }
};

QTEST_MAIN(FanDialogTest)
#include "FanDialogTest.moc"
