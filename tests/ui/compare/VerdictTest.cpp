#include "tests/ui/support/DrawnText.h"
#include "ui/compare/VerdictDialog.h"
#include "ui/compare/VerdictStrip.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

using engine::RunInput;
using ui::VerdictDialog;

namespace {

engine::RunsVerdict verdict()
{
    const std::string digest = "0123456789";
    engine::RunsVerdict result;
    result.inputs = {
        {RunInput::Context, true, "6 tokens", "6 tokens", digest, digest},
        {RunInput::Settings, false, "sample, seed 3", "sample, seed 4", "aaaaaaaa1", "bbbbbbbb1"},
        {RunInput::Model, true, "story F16", "story F16", "", ""},
        {RunInput::Tokenizer, true, "BPE of 4096", "BPE of 4096", digest, digest}};
    result.settings = {{"seed", "3", "4"}};
    result.partAt = 2;
    result.stage = "draw";
    result.sentence = "At step 2 the same probabilities, another draw.";
    return result;
}

} // namespace

class VerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneLineSaysWhichInputsDiffer()
    {
        ui::VerdictStrip strip;
        strip.setRunCount(4);
        QCOMPARE(strip.choice()->count(), 3);
        strip.setVerdict(verdict());
        QVERIFY(strip.text().contains(QStringLiteral("Context =")));
        QVERIFY(strip.text().contains(QStringLiteral("Settings ≠ (seed: 3, 4)")));
        QVERIFY(strip.text().endsWith(QStringLiteral("first difference: step 2, draw")));
        QSignalSpy chosen(&strip, &ui::VerdictStrip::otherChosen);
        strip.choice()->setCurrentIndex(2);
        QCOMPARE(chosen[0][0].toInt(), 3);
        strip.setRunCount(2);
        QCOMPARE(strip.other(), 1);
    }

    void theGridTellsTheCause()
    {
        VerdictDialog* dialog = new VerdictDialog(ui::Theme::light(), QStringLiteral("B"));
        dialog->setStyleSheet(ui::Theme::light().styleSheet());
        dialog->setVerdict(verdict());
        dialog->setSwapFault({});
        dialog->show();
        QCOMPARE(dialog->sentence(), QString::fromStdString(verdict().sentence));
        QCOMPARE(dialog->inputs()->item(1, 1)->text(), QStringLiteral("≠ differs"));
        QCOMPARE(dialog->inputs()->item(1, 4)->text(), QStringLiteral("aaaaaaaa"));
        QCOMPARE(dialog->inputs()->item(2, 4)->text(), QStringLiteral("not known"));

        engine::SwapGrid grid;
        grid.a.likeA = grid.b.likeB = true;
        engine::InputSwap seed{RunInput::Settings, "seed", {}, {}};
        seed.aWithB.likeB = seed.bWithA.likeA = true;
        engine::InputSwap topK{RunInput::Settings, "top-k", {}, {}};
        topK.aWithB.likeA = topK.bWithA.likeB = true;
        grid.swaps = {seed, topK};
        QSignalSpy requested(dialog, &VerdictDialog::swapRequested);
        dialog->swapButton()->click();
        QCOMPARE(requested.count(), 1);
        dialog->setProgress(1, 6);
        QCOMPARE(dialog->conclusion(), QStringLiteral("Run 2 of 6"));
        dialog->showGrid(grid);
        QCOMPARE(dialog->grid()->rowCount(), 3);
        QCOMPARE(dialog->grid()->item(1, 1)->text(), QStringLiteral("B's text"));
        QCOMPARE(dialog->grid()->item(1, 3)->text(), QStringLiteral("✓ yes"));
        QCOMPARE(dialog->grid()->item(2, 1)->text(), QStringLiteral("A's text"));
        QCOMPARE(dialog->conclusion(),
                 QStringLiteral("Proved: exchanging seed turns each run into the other."));
        QTRY_COMPARE(support::textFaults(*dialog).join(QLatin1Char('\n')), QString());

        grid.b.likeB = false;
        dialog->showGrid(grid);
        QVERIFY(
            dialog->conclusion().startsWith(QStringLiteral("A run does not come out the same")));
        dialog->close();
    }

    void tracesSayWhyNothingCanBeRun()
    {
        VerdictDialog* dialog = new VerdictDialog(ui::Theme::light(), QStringLiteral("B"));
        dialog->setVerdict(verdict());
        dialog->setSwapFault(QStringLiteral("Run A is recorded."));
        QVERIFY(!dialog->swapButton()->isEnabled());
        QCOMPARE(dialog->conclusion(), QStringLiteral("Run A is recorded."));
        dialog->close();
    }
};

QTEST_MAIN(VerdictTest)
#include "VerdictTest.moc"
