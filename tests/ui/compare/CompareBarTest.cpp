#include "ui/compare/CompareBar.h"

#include "tests/ui/compare/ComparedLetters.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

class CompareBarTest : public QObject
{
    Q_OBJECT

private:
    ui::CompareModel m_model;

private Q_SLOTS:
    void switchesTheContext()
    {
        ui::CompareBar bar(&m_model);
        support::showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        bar.setPossible(true, true);
        bar.firstContext()->click();
        QVERIFY(m_model.contextView() == ui::ContextView::First);
        QVERIFY(!bar.ownContext()->isChecked());
        bar.ownContext()->click();
        QVERIFY(m_model.contextView() == ui::ContextView::Own);
    }

    void saysWhyRecordedRunsCannotBeDecodedAgain()
    {
        ui::CompareBar bar(&m_model);
        support::showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        bar.setPossible(false, false);
        QVERIFY(!bar.firstContext()->isEnabled());
        QVERIFY(bar.firstContext()->toolTip().contains(QStringLiteral("Recorded runs hold only")));
        QVERIFY(bar.presets()->isHidden() && bar.addButton()->isHidden());
        bar.setPossible(false, true); // a model is open that could make some
        QVERIFY(!bar.presets()->isHidden() && bar.addButton()->isHidden());
    }

    void asksForPresetsAndAFurtherRun()
    {
        ui::CompareBar bar(&m_model);
        bar.setPossible(true, true);
        const QSignalSpy preset(&bar, &ui::CompareBar::presetRequested);
        const QSignalSpy added(&bar, &ui::CompareBar::addRequested);
        bar.preset(ui::ComparePreset::TemperatureLadder)->trigger();
        QCOMPARE(preset.count(), 1);
        QVERIFY(preset[0][0].value<ui::ComparePreset>() == ui::ComparePreset::TemperatureLadder);
        support::showLetters(m_model, {"a", "a", "a"}, 1, {});
        bar.addButton()->click();
        QCOMPARE(added.count(), 1);
        support::showLetters(m_model, {"a", "a", "a", "a"}, 1, {});
        QVERIFY(!bar.addButton()->isEnabled());
    }
};

QTEST_MAIN(CompareBarTest)
#include "CompareBarTest.moc"
