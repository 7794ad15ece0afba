#include "ui/checks/CheckDialog.h"

#include "tests/ui/support/DrawnText.h"

#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

using engine::CheckedRun;
using ui::CheckDialog;

namespace {

engine::RunFingerprint fingerprint(const std::string& digits)
{
    engine::RunFingerprint result;
    result.values = {digits + std::string(56, '0'), "apple river owl comet"};
    result.tokens = {"cafe0000" + std::string(56, '0'), "drum maple wolf acorn"};
    result.steps = {"11111111aa", "22222222aa", digits + "aa"};
    return result;
}

CheckedRun checked(const std::string& digits)
{
    CheckedRun run;
    run.fingerprint = fingerprint(digits);
    run.stepCount = 3;
    return run;
}

} // namespace

class CheckDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theRunOnScreenHasWordsToReadAloud()
    {
        CheckDialog* dialog = new CheckDialog(ui::Theme::light());
        dialog->setStyleSheet(ui::Theme::light().styleSheet());
        dialog->setRun(fingerprint("33333333"), 3, {});
        dialog->show();
        QCOMPARE(dialog->words(), QStringLiteral("apple river owl comet"));
        QVERIFY(dialog->startButton()->isEnabled());
        QSignalSpy requested(dialog, &CheckDialog::checkRequested);
        dialog->count()->setValue(4);
        dialog->startButton()->click();
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].toInt(), 4);
        QTRY_COMPARE(support::textFaults(*dialog).join(QLatin1Char('\n')), QString());
        dialog->close();
    }

    void aRunThatCannotBeMadeAgainSaysWhy()
    {
        CheckDialog* dialog = new CheckDialog(ui::Theme::light());
        dialog->setRun(fingerprint("33333333"), 3, QStringLiteral("This is a recorded run."));
        QVERIFY(!dialog->startButton()->isEnabled());
        QCOMPARE(dialog->words(), QStringLiteral("apple river owl comet"));
        dialog->close();
    }

    void everyRunAndEveryStepIsShown()
    {
        CheckDialog* dialog = new CheckDialog(ui::Theme::light());
        dialog->setStyleSheet(ui::Theme::light().styleSheet());
        dialog->setRun(fingerprint("33333333"), 3, {});
        dialog->show();
        engine::RunCheck check;
        check.runs = {checked("33333333"), checked("33333333"), checked("44444444")};
        check.runs[2].same = false;
        check.runs[2].partsAt = 2;
        check.runs[2].sentence = "other logits at step 2.";
        QSignalSpy cancelled(dialog, &CheckDialog::cancelRequested);
        dialog->setProgress(1, 3, 2);
        QCOMPARE(dialog->verdict(), QStringLiteral("Run 2 of 3, step 2"));
        dialog->startButton()->click();
        QCOMPARE(cancelled.count(), 1);
        dialog->showCheck(check);
        QVERIFY(!dialog->isRunning());
        QCOMPARE(dialog->runs()->rowCount(), 3);
        QVERIFY(dialog->runs()->item(1, 4)->text().contains(QStringLiteral("same in all 3 steps")));
        QVERIFY(dialog->runs()->item(2, 4)->text().contains(QStringLiteral("differs from step 2")));
        QCOMPARE(dialog->steps()->rowCount(), 3);
        QCOMPARE(dialog->steps()->columnCount(), 4);
        QCOMPARE(dialog->steps()->item(2, 1)->text(), QStringLiteral("✓ 33333333"));
        QCOMPARE(dialog->steps()->item(2, 3)->text(), QStringLiteral("✗ 44444444"));
        QTRY_COMPARE(support::textFaults(*dialog).join(QLatin1Char('\n')), QString());
        dialog->close();
    }
};

QTEST_MAIN(CheckDialogTest)
#include "CheckDialogTest.moc"
