#include "app/AppController.h"
#include "app/CheckController.h"
#include "app/CompareController.h"
#include "app/VerdictController.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/checks/CheckActions.h"
#include "ui/checks/CheckDialog.h"
#include "ui/checks/FanChart.h"
#include "ui/checks/FanDialog.h"
#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareBar.h"
#include "ui/compare/CompareBoard.h"
#include "ui/compare/VerdictDialog.h"
#include "ui/compare/VerdictStrip.h"

#include <QDir>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

/// Checks by running again, on the bundled model: does it come out the same, how would other seeds
/// have gone, which input made two runs part. TOKENSCOPE_PICTURES names a folder for pictures.
class CheckWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;
    std::unique_ptr<app::CompareController> m_compare;
    std::unique_ptr<app::CheckController> m_checks;
    std::unique_ptr<app::VerdictController> m_verdict;

    ui::StepModel& steps() { return m_window->steps(); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_controller->isBusy(), 20000); }
    void picture(QWidget* widget, const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(60);
        widget->grab().save(QDir(folder).filePath(name));
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        m_compare = std::make_unique<app::CompareController>(*m_window, m_controller.get(), 2);
        m_checks = std::make_unique<app::CheckController>(*m_window, *m_controller, 2);
        m_verdict = std::make_unique<app::VerdictController>(*m_window, *m_controller, 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = 0.9;
        sampling.seed = 11;
        m_controller->setInitialRun(QStringLiteral("Once upon a time"), sampling, std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        m_controller->makeSteps(7);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 8, 20000);
        settle();
    }
    void cleanup()
    {
        m_verdict.reset();
        m_checks.reset();
        m_compare.reset();
        m_controller.reset();
        m_window.reset();
    }

    void theRunComesOutTheSame()
    {
        QVERIFY(m_checks->actions().check->isEnabled());
        m_checks->actions().check->trigger();
        ui::CheckDialog* dialog = m_checks->checkDialog();
        QVERIFY(dialog);
        const QString words = dialog->words();
        QCOMPARE(words.split(QLatin1Char(' ')).size(), 4);
        dialog->count()->setValue(4);
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isRunning(), 30000);
        QCOMPARE(dialog->verdict(), QStringLiteral("All 4 runs are the same, to the bit."));
        QCOMPARE(dialog->runs()->rowCount(), 4);
        // The words of the run on screen, which was made step by step.
        for (int row = 0; row < 4; ++row)
            QCOMPARE(dialog->runs()->item(row, 3)->text(), words);
        QCOMPARE(dialog->steps()->rowCount(), 8);
        QVERIFY(dialog->closeCalls().contains(QStringLiteral("ear tie")) ||
                dialog->closeCalls().contains(QStringLiteral("No near tie")));
        picture(dialog, QStringLiteral("check-light.png"));
    }

    void aForcedTokenMakesOtherWords()
    {
        m_checks->actions().check->trigger();
        ui::CheckDialog* dialog = m_checks->checkDialog();
        const QString words = dialog->words();
        steps().select(3);
        Q_EMIT m_window->candidateForced(steps().run().steps[3].candidates[5].piece.id);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 4, 20000);
        QVERIFY(dialog->words() != words);
    }

    void aCheckCanBeStopped()
    {
        m_checks->actions().check->trigger();
        ui::CheckDialog* dialog = m_checks->checkDialog();
        dialog->count()->setValue(20);
        dialog->startButton()->click();
        QVERIFY(dialog->isRunning());
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isRunning(), 20000);
        QVERIFY(dialog->verdict() == QStringLiteral("Stopped.") ||
                dialog->verdict().startsWith(QStringLiteral("All 20")));
    }

    void aFanOfSeedsStandsBesideGreedy()
    {
        m_checks->actions().fan->trigger();
        ui::FanDialog* dialog = m_checks->fanDialog();
        QVERIFY(dialog);
        dialog->count()->setValue(12);
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->table()->rowCount() == 13, 30000);
        QVERIFY(dialog->sentence().contains(QStringLiteral("12 seeds")));
        // The run on screen is the first of the seeds.
        QCOMPARE(dialog->table()->item(1, 0)->text(), QStringLiteral("11"));
        const QString text = dialog->table()->item(1, 4)->text();
        QCOMPARE(text, QString::fromStdString(steps().run().outputBytes).simplified());
        dialog->table()->setCurrentCell(1, 0);
        picture(dialog, QStringLiteral("fan-light.png"));
    }

    void theVerdictProvesTheCause()
    {
        m_window->compareActions().compare->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->compareBoard()->model()->isEmpty(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_compare->isBusy(), 20000);
        m_window->compareBoard()->bar()->preset(ui::ComparePreset::GreedyAndSampled)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!m_compare->isBusy(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_verdict->strip().text().contains(QStringLiteral("decoding: greedy, sample")), 5000);
        QVERIFY(m_verdict->strip().isVisible());
        QVERIFY(m_verdict->strip().text().contains(QStringLiteral("Model =")));
        picture(m_window.get(), QStringLiteral("compare-verdict-light.png"));
        m_verdict->strip().button()->click();
        ui::VerdictDialog* dialog = m_verdict->dialog();
        QVERIFY(dialog);
        QVERIFY(dialog->swapButton()->isEnabled());
        dialog->swapButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->conclusion().startsWith(QStringLiteral("Proved")), 30000);
        QVERIFY(dialog->conclusion().contains(QStringLiteral("settings")));
        picture(dialog, QStringLiteral("verdict-light.png"));
    }

    void recordedRunsCannotBeProved()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.json"));
        Q_EMIT m_window->saveTraceRequested(file);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20000);
        QTest::qWait(50);
        m_compare->openTraces({file, file});
        QTRY_VERIFY_WITH_TIMEOUT(
            m_verdict->strip().text().endsWith(QStringLiteral("the same in every value")), 5000);
        m_verdict->strip().button()->click();
        QVERIFY(m_verdict->dialog());
        QVERIFY(!m_verdict->dialog()->swapButton()->isEnabled());
        QVERIFY(m_verdict->dialog()->conclusion().contains(QStringLiteral("recorded")));

        m_controller->openPath(file);
        m_checks->actions().check->trigger();
        QVERIFY(!m_checks->checkDialog()->startButton()->isEnabled());
        QVERIFY(!m_checks->checkDialog()->words().isEmpty());
    }
};

QTEST_MAIN(CheckWindowTest)
#include "CheckWindowTest.moc"
