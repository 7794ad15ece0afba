#include "ui/branches/BranchesPage.h"

#include "tests/ui/branches/LineSteps.h"
#include "ui/StepModel.h"
#include "ui/branches/RunLines.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace support;

class BranchesPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheLinesAsATree()
    {
        ui::StepModel steps;
        ui::RunLines lines(&steps);
        ui::BranchesPage page(&lines);
        page.showStep(steps);
        QCOMPARE(page.tree()->topLevelItemCount(), 0);
        QCOMPARE(page.summary()->text(), QStringLiteral("There is no run yet."));

        page.show();
        steps.setRun(letterRun("abcd"));
        QCOMPARE(page.tree()->topLevelItemCount(), 1);
        QVERIFY(!page.undoButton()->isEnabled());
        steps.replaceSteps(2, letterSteps("abX", 2), {});
        QTreeWidgetItem* trunk = page.tree()->topLevelItem(0);
        QCOMPARE(trunk->childCount(), 1);
        QTreeWidgetItem* branch = trunk->child(0);
        QCOMPARE(branch->text(0), QStringLiteral("● X"));
        QCOMPARE(branch->text(1), QStringLiteral("step 2: made again"));
        QCOMPARE(branch->text(2), QStringLiteral("3"));
        QCOMPARE(branch->text(3), QStringLiteral("-3.00")); // three logits of -1, logsumexp 0
        QCOMPARE(branch->text(4), QStringLiteral("X"));
        QCOMPARE(trunk->text(4), QStringLiteral("abcd"));
        QCOMPARE(page.tree()->currentItem(), branch);
        QVERIFY(page.undoButton()->isEnabled());
    }

    void asksForTheLineThatIsActivated()
    {
        ui::StepModel steps;
        ui::RunLines lines(&steps);
        ui::BranchesPage page(&lines);
        page.show();
        steps.setRun(letterRun("abcd"));
        steps.replaceSteps(2, letterSteps("abX", 2), {});
        const QSignalSpy asked(&lines, &ui::RunLines::lineRequested);
        page.tree()->setCurrentItem(page.tree()->topLevelItem(0));
        QTest::keyClick(page.tree(), Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        page.undoButton()->click();
        QCOMPARE(asked.count(), 2);
    }
};

QTEST_MAIN(BranchesPageTest)
#include "BranchesPageTest.moc"
