#include "ui/compare/CompareBoard.h"

#include "tests/ui/compare/ComparedLetters.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/ContextText.h"
#include "ui/SamplingPanel.h"
#include "ui/compare/AlignmentRibbon.h"
#include "ui/compare/RunPane.h"
#include "ui/compare/RunSettingsPopup.h"
#include "ui/compare/SettingChips.h"
#include "ui/compare/UnionChart.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

class CompareBoardTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasACardForEachRun()
    {
        ui::CompareBoard board;
        support::showLetters(*board.model(), {"abcd", "abXY"}, 2, {1});
        QCOMPARE(board.paneCount(), 2);
        QCOMPARE(board.subtitleText(),
                 QStringLiteral("same prompt · 2 generated tokens in common"));
        QVERIFY(board.reasonText().startsWith(QStringLiteral("step 2: same logits")));
        QCOMPARE(board.statusText(), QStringLiteral("Step 2 of 3   ·   2 runs"));
        support::showLetters(*board.model(), {"abcd", "abXY", "abcd", "a"}, 1, {1});
        QCOMPARE(board.paneCount(), 4);
        QCOMPARE(board.reasonText().split(QLatin1Char('\n')).size(), 3);
        QVERIFY(board.reasonText().endsWith(QStringLiteral("D   the same tokens as A so far")));
    }

    void allChartsShowTheSameRowsAtTheSameHeight()
    {
        ui::CompareBoard board;
        board.resize(1200, 700);
        board.show();
        engine::RunComparison comparison;
        comparison.runs.resize(2);
        board.model()->setRuns({{QStringLiteral("Greedy"), support::greedyRun()},
                                {QStringLiteral("Sampled"), support::sampleRun()}},
                               comparison);
        board.model()->select(2);
        QTest::qWait(20); // the charts have their size
        ui::UnionChart* a = board.pane(0)->chart();
        ui::UnionChart* b = board.pane(1)->chart();
        QCOMPARE(a->rowCount(), b->rowCount());
        QCOMPARE(a->axisMaximum(), b->axisMaximum());
        QCOMPARE(a->mapTo(&board, QPoint()).y(), b->mapTo(&board, QPoint()).y());
        QCOMPARE(a->rowRect(4).top(), b->rowRect(4).top());
    }

    void itsStateFollowsTheCursor()
    {
        ui::CompareBoard board;
        support::showLetters(*board.model(), {"abcd", "abXY"}, 2, {1});
        const QSignalSpy changed(&board, &ui::CompareBoard::stateChanged);
        board.model()->select(3);
        QVERIFY(changed.count() > 0);
        QCOMPARE(board.state().selected, 3);
        QCOMPARE(board.state().stepCount, 4);
        board.setProgress(true, false, true);
        QVERIFY(board.state().isRunning && board.state().canStep);
    }

    void aClickOnTheRibbonMovesAll()
    {
        ui::CompareBoard board;
        board.resize(1000, 600);
        board.show();
        support::showLetters(*board.model(), {"abcd", "abXY"}, 2, {1});
        Q_EMIT board.ribbon()->stepActivated(3);
        QCOMPARE(board.model()->cursor(), 3);
    }

    void saysWhenItShowsWhatDidNotHappen()
    {
        ui::CompareBoard board;
        board.resize(1000, 700);
        board.show();
        support::showLetters(*board.model(), {"abcd", "abXY"}, 2, {1});
        QVERIFY(board.viewText().isEmpty());
        board.setLive(true, true);
        board.model()->setContextView(ui::ContextView::First);
        board.model()->setOnFirstContext(2, {std::nullopt, support::letterStep(2, 'Q')});
        QVERIFY(board.viewText().startsWith(QStringLiteral("On A’s context")));
        QVERIFY(board.viewText().contains(QStringLiteral("at step 2")));
        QCOMPARE(board.pane(1)->statusText(), QStringLiteral("on A’s context"));
        QVERIFY(!board.pane(1)->text()->isVisible());
        board.model()->select(3);
        board.setElsewhereFault(1, QStringLiteral("another tokenizer"));
        board.model()->setOnFirstContext(3, {std::nullopt, std::nullopt});
        QCOMPARE(board.pane(1)->chart()->emptyText(), QStringLiteral("another tokenizer"));
        board.model()->setContextView(ui::ContextView::Own);
        QVERIFY(board.viewText().isEmpty());
    }

    void settingsOfARunOpenOverItsCard()
    {
        ui::CompareBoard board;
        board.resize(1000, 700);
        board.show();
        support::showLetters(*board.model(), {"abcd", "abXY"}, 2, {1});
        board.setLive(true, true);
        const QSignalSpy changed(&board, &ui::CompareBoard::samplingChanged);
        board.pane(1)->chips()->chip(0)->click();
        QVERIFY(board.settings()->isVisible());
        board.settings()->panel()->sampleButton()->click();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toInt(), 1);
        board.settings()->hide();
    }

    void takesAWidgetThatSaysMore()
    {
        ui::CompareBoard board;
        board.resize(1000, 700);
        auto* verdict = new QLabel(QStringLiteral("verdict"));
        board.setVerdictWidget(verdict);
        support::showLetters(*board.model(), {"abcd", "abXY"}, 2, {1});
        board.show();
        QVERIFY(verdict->isVisible());
        QVERIFY(verdict->y() > board.ribbon()->mapTo(&board, QPoint()).y());
    }
};

QTEST_MAIN(CompareBoardTest)
#include "CompareBoardTest.moc"
