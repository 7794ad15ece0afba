#include "ui/branches/BranchActions.h"

#include "tests/ui/branches/LineSteps.h"
#include "ui/StepModel.h"
#include "ui/branches/RunLines.h"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTest>

class BranchActionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areEnabledWhereThereIsALineToGoTo()
    {
        ui::StepModel steps;
        ui::RunLines lines(&steps);
        QMainWindow window;
        ui::BranchActions actions(&lines, &window);
        QVERIFY(!actions.undo->isEnabled() && !actions.redo->isEnabled());
        steps.setRun(support::letterRun("abcd"));
        steps.replaceSteps(2, support::letterSteps("abX", 2), {});
        QVERIFY(actions.undo->isEnabled() && !actions.redo->isEnabled());
        actions.setInView(false);
        QVERIFY(!actions.undo->isEnabled());
        actions.setInView(true);
        const QSignalSpy asked(&lines, &ui::RunLines::lineRequested);
        actions.undo->trigger();
        QCOMPARE(asked.count(), 1);
    }

    void standInTheMenus()
    {
        ui::StepModel steps;
        ui::RunLines lines(&steps);
        QMainWindow window;
        window.menuBar()->addMenu(QStringLiteral("File"));
        QMenu* run = window.menuBar()->addMenu(QStringLiteral("Run"));
        const ui::BranchActions actions(&lines, &window);
        actions.fillMenuBar(window.menuBar());
        QCOMPARE(window.menuBar()->actions().size(), 3);
        QCOMPARE(window.menuBar()->actions()[1]->text(), QStringLiteral("&Edit"));
        QVERIFY(run->actions().contains(actions.tryAgain));
    }
};

QTEST_MAIN(BranchActionsTest)
#include "BranchActionsTest.moc"
