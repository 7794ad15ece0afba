#include "ui/compare/CompareActions.h"

#include "tests/ui/compare/ComparedLetters.h"
#include "ui/MainWindow.h"
#include "ui/compare/CompareBoard.h"

#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTest>

class CompareActionsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;

    ui::CompareActions& actions() { return m_window->compareActions(); }
    ui::CompareBoard& board() { return *m_window->compareBoard(); }
    void key(Qt::Key key) { QTest::keyClick(m_window.get(), key); }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void areOffWhileThereIsNothingToCompare()
    {
        QVERIFY(!actions().compare->isEnabled());
        actions().setCanCompare(true);
        QVERIFY(actions().compare->isEnabled());
        actions().setCanCompare(false);
        support::showLetters(*board().model(), {"abcd", "abXY"}, 2, {1});
        QVERIFY(actions().compare->isEnabled());
    }

    void theKeyShowsTheBoardAndEscapeLeavesIt()
    {
        support::showLetters(*board().model(), {"abcd", "abXY"}, 2, {1});
        key(Qt::Key_C);
        QVERIFY(m_window->isComparing() && board().isVisible());
        key(Qt::Key_C);
        QVERIFY(!board().isVisible());
        key(Qt::Key_C);
        key(Qt::Key_Escape);
        QVERIFY(!m_window->isComparing() && !board().isVisible());
    }

    void theKeysOfARunAreTheBoardsWhileItIsShown()
    {
        support::showLetters(*board().model(), {"abcd", "abXY"}, 2, {1});
        const QSignalSpy ofWindow(m_window.get(), &ui::MainWindow::stepRequested);
        const QSignalSpy step(&board(), &ui::CompareBoard::stepRequested);
        const QSignalSpy back(&board(), &ui::CompareBoard::backRequested);
        const QSignalSpy home(&board(), &ui::CompareBoard::resetRequested);
        const QSignalSpy end(&board(), &ui::CompareBoard::toEndRequested);
        const QSignalSpy play(&board(), &ui::CompareBoard::playToggled);
        key(Qt::Key_C);
        key(Qt::Key_Space);
        key(Qt::Key_Left);
        key(Qt::Key_Home);
        key(Qt::Key_End);
        key(Qt::Key_P);
        QCOMPARE(step.count(), 1);
        QCOMPARE(back.count(), 1);
        QCOMPARE(home.count(), 1);
        QCOMPARE(end.count(), 1);
        QCOMPARE(play.count(), 1);
        QCOMPARE(ofWindow.count(), 0);
        key(Qt::Key_C);
        key(Qt::Key_Space);
        QCOMPARE(step.count(), 1);
    }

    void standInTheMenus()
    {
        int found = 0;
        for (const QAction* menu : m_window->menuBar()->actions())
            for (const QAction* entry : menu->menu()->actions())
                found += entry == actions().compare || entry == actions().compareTraces ? 1 : 0;
        QCOMPARE(found, 2);
    }
};

QTEST_MAIN(CompareActionsTest)
#include "CompareActionsTest.moc"
