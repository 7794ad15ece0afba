#include "ui/why/WhyPage.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/why/LedgerView.h"

#include <QLabel>
#include <QListWidget>
#include <QTest>

class WhyPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void accountsForThePickFirst()
    {
        ui::StepModel steps;
        steps.setRun(support::sampleRun());
        ui::WhyPage page;
        page.showStep(steps);
        const engine::Step& step = *steps.selectedStep();
        QCOMPARE(page.candidates()->count(), static_cast<int>(step.candidates.size()));
        QVERIFY(page.candidates()->currentItem()->text().startsWith(QChar(0x25CF)));
        QVERIFY(page.headline()->text().contains(
            QStringLiteral("u = %1").arg(QString::number(step.draw->u, 'f', 4))));
        QVERIFY(page.ledger()->text().contains(QStringLiteral("logit\t")));
    }

    void accountsForAnotherByKeyboardUntilTheStepChanges()
    {
        ui::StepModel steps;
        steps.setRun(support::sampleRun());
        steps.select(2);
        ui::WhyPage page;
        page.resize(700, 400);
        page.show();
        page.showStep(steps);
        const QString before = page.ledger()->text();
        QTest::keyClick(page.candidates(), Qt::Key_End);
        QVERIFY(page.ledger()->text() != before);
        const engine::Candidate& last = steps.selectedStep()->candidates.back();
        QVERIFY(last.removedBy.has_value());
        QVERIFY(page.headline()->text().contains(QStringLiteral("Removed by top-p")));
        page.showStep(steps); // the same step: the choice stays
        QVERIFY(page.headline()->text().contains(QStringLiteral("Removed by top-p")));
        steps.select(3);
        page.showStep(steps);
        QVERIFY(!page.headline()->text().contains(QStringLiteral("Removed by")));
    }

    void saysWhatGreedyDoes()
    {
        ui::StepModel steps;
        steps.setRun(support::greedyRun());
        ui::WhyPage page;
        page.showStep(steps);
        QVERIFY(page.headline()->text().contains(QStringLiteral("largest score")));
        page.explain(steps.selectedStep()->candidates[4].piece.id);
        QVERIFY(page.headline()->text().contains(QStringLiteral("did not come")));
    }

    void saysWhatToDoWithoutAStep()
    {
        ui::StepModel steps;
        steps.setRun(support::promptOnlyRun());
        ui::WhyPage page;
        page.showStep(steps);
        QVERIFY(page.headline()->text().contains(QStringLiteral("Make a step")));
        QCOMPARE(page.candidates()->count(), 0);
    }
};

QTEST_MAIN(WhyPageTest)
#include "WhyPageTest.moc"
