#include "ui/compare/RunPane.h"

#include "tests/ui/compare/ComparedLetters.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/ContextText.h"
#include "ui/compare/SettingChips.h"
#include "ui/compare/UnionChart.h"

#include <QTest>

class RunPaneTest : public QObject
{
    Q_OBJECT

private:
    ui::CompareModel m_model;

    void show(ui::RunPane& pane)
    {
        pane.showRun(false);
        pane.showStep(ui::UnionRows::of({m_model.step(0), m_model.step(1)}, 12));
    }

private Q_SLOTS:
    void showsNameSettingsTextAndBars()
    {
        engine::RunComparison comparison;
        comparison.runs.resize(2);
        m_model.setRuns({{QStringLiteral("Greedy"), support::greedyRun()},
                         {QStringLiteral("Sampled"), support::sampleRun()}},
                        comparison);
        m_model.select(3);
        ui::RunPane pane(&m_model, 1);
        pane.resize(500, 500);
        pane.setTextLines(2);
        show(pane);
        QCOMPARE(pane.nameText(), QStringLiteral("Sampled"));
        QCOMPARE(pane.chips()->texts().last(), QStringLiteral("pocket-stories · F16"));
        QVERIFY(pane.chips()->texts().contains(QStringLiteral("seed 42")));
        QVERIFY(pane.text()->toPlainText().contains(QStringLiteral("Milo")));
        QVERIFY(pane.chart()->rowCount() >= 12);
        QVERIFY(pane.entropyText().startsWith(QStringLiteral("H ")));
        QVERIFY(pane.statusText().startsWith(QStringLiteral("ended: stop token")));
    }

    void saysWhereARunHasNoSuchStep()
    {
        support::showLetters(m_model, {"abcdef", "abX"}, 2, {1});
        m_model.select(5);
        ui::RunPane pane(&m_model, 1);
        show(pane);
        QCOMPARE(pane.chart()->emptyText(),
                 QStringLiteral("This run has 3 steps; there is no step 5."));
        QVERIFY(pane.entropyText().isEmpty());
    }
};

QTEST_MAIN(RunPaneTest)
#include "RunPaneTest.moc"
