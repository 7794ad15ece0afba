#include "app/AppController.h"
#include "ui/Board.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/SamplingPanel.h"
#include "ui/StatusLine.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/branches/BranchesPage.h"
#include "ui/branches/RunLines.h"

#include <QDir>
#include <QLabel>
#include <QTest>
#include <QTreeWidget>

#include <memory>

/// Branches, undo and trying again, on the bundled model. TOKENSCOPE_PICTURES names a folder for
/// pictures, to be looked at.
class BranchWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    ui::StepModel& steps() { return m_window->steps(); }
    const engine::Run& run() { return steps().run(); }
    ui::BranchesPage& page() { return *m_window->board()->branches(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_window->state().isRunning, 20000); }
    void makeSteps(int count)
    {
        m_controller->makeSteps(count);
        settle();
    }
    std::string text() { return run().outputBytes; }
    void force(int step, std::size_t candidate)
    {
        steps().select(step);
        Q_EMIT m_window->candidateForced(
            run().steps.at(static_cast<std::size_t>(step)).candidates.at(candidate).piece.id);
        settle();
    }
    void picture(const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(50);
        m_window->grab().save(QDir(folder).filePath(name));
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.seed = 11;
        m_controller->setInitialRun(QStringLiteral("Once upon a time"), sampling, std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        m_window->setFocus();
    }

    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void forcingKeepsTheOldTextAndUndoBringsItBack()
    {
        makeSteps(9);
        const std::string before = text();
        const std::vector<engine::Step> stepsBefore = run().steps;
        force(4, 3);
        QCOMPARE(steps().stepCount(), 5);
        makeSteps(4);
        const std::string forced = text();
        QVERIFY(forced != before);

        m_window->board()->pages()->showPage(&page());
        QCOMPARE(page().tree()->topLevelItemCount(), 1);
        QTreeWidgetItem* branch = page().tree()->topLevelItem(0)->child(0);
        QVERIFY(branch && branch->text(0).startsWith(QChar(0x25CF)));
        QCOMPARE(branch->text(1), QStringLiteral("step 4: forced"));
        picture(QStringLiteral("branches-light.png"));

        key(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(text(), before, 20000);
        settle();
        for (std::size_t i = 0; i < stepsBefore.size(); ++i) {
            QCOMPARE(run().steps[i].logitsSha256, stepsBefore[i].logitsSha256);
            QVERIFY(run().steps[i].draw == stepsBefore[i].draw);
        }
        key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(text(), forced, 20000);
        settle();
        // It goes on from there: the worker has followed, not only the view.
        makeSteps(1);
        QCOMPARE(steps().stepCount(), 10);
        QVERIFY(run().steps[4].forced);
    }

    void aBranchIsChosenInTheTree()
    {
        makeSteps(7);
        const std::string first = text();
        force(2, 4);
        makeSteps(3);
        force(1, 5);
        m_window->board()->pages()->showPage(&page());
        page().tree()->setFocus();
        page().tree()->setCurrentItem(page().tree()->topLevelItem(0));
        QTest::keyClick(page().tree(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(text(), first, 20000);
        QVERIFY(page().summary()->text().startsWith(QStringLiteral("3 branches")));
    }

    void tryingAgainTakesTheNextSeedAndKeepsTheRun()
    {
        makeSteps(9);
        const std::string before = text();
        key(Qt::Key_A);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 10, 20000);
        settle();
        QCOMPARE(steps().selectedStep()->sampling.seed, std::uint64_t{12});
        QCOMPARE(m_window->inspector()->sampling()->sampling().seed, std::uint64_t{12});
        QVERIFY(text() != before);
        const std::string second = text();

        // The same text as a run of that seed from the start.
        engine::SamplingConfig sampling = m_window->inspector()->sampling()->sampling();
        auto window = std::make_unique<ui::MainWindow>();
        app::AppController controller(*window, 2);
        controller.setInitialRun(QStringLiteral("Once upon a time"), sampling, std::nullopt);
        controller.openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(window->steps().stepCount(), 1, 20000);
        controller.makeSteps(9);
        QTRY_COMPARE_WITH_TIMEOUT(window->steps().stepCount(), 10, 20000);
        QCOMPARE(window->steps().run().outputBytes, second);

        key(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(text(), before, 20000);
        // With the line come back the settings that made it.
        QCOMPARE(m_window->inspector()->sampling()->sampling().seed, std::uint64_t{11});
    }

    void tryingAgainSaysWhereASeedDecidesNothing()
    {
        key(Qt::Key_G);
        QTRY_VERIFY_WITH_TIMEOUT(steps().selectedStep()->rule == engine::DecodingRule::Greedy,
                                 20000);
        settle();
        key(Qt::Key_A);
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("Greedy")));
        QCOMPARE(m_window->inspector()->sampling()->sampling().seed, std::uint64_t{11});
    }

    void darkPicture()
    {
        makeSteps(12);
        force(4, 3);
        makeSteps(12);
        key(Qt::Key_A);
        settle();
        m_window->setTheme(ui::Theme::dark());
        m_window->resize(1024, 640);
        m_window->board()->pages()->showPage(&page());
        picture(QStringLiteral("branches-dark-1024.png"));
        QVERIFY(page().tree()->isVisible());
    }
};

QTEST_MAIN(BranchWindowTest)
#include "BranchWindowTest.moc"
