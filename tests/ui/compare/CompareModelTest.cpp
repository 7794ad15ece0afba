#include "ui/compare/CompareModel.h"

#include "tests/ui/compare/ComparedLetters.h"

#include <QSignalSpy>
#include <QTest>

class CompareModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isEmptyAtFirst()
    {
        const ui::CompareModel model;
        QVERIFY(model.isEmpty());
        QCOMPARE(model.cursor(), -1);
        QCOMPARE(model.stepCount(), 0);
    }

    void beginsWhereTheRunsPart()
    {
        ui::CompareModel model;
        support::showLetters(model, {"abcdef", "abXY"}, 2, {1});
        QCOMPARE(model.cursor(), 2);
        QCOMPARE(model.stepCount(), 6);
        QCOMPARE(model.step(1)->picked, engine::TokenId{'X'});
        QVERIFY(model.sameContext());
        support::showLetters(model, {"abc", "abc"}, 3, {});
        QCOMPARE(model.cursor(), 2); // else at the end
    }

    void oneCursorMovesAllRunsAndStaysInRange()
    {
        ui::CompareModel model;
        support::showLetters(model, {"abcdef", "abXY"}, 2, {1});
        const QSignalSpy moved(&model, &ui::CompareModel::cursorChanged);
        model.select(5);
        QCOMPARE(model.step(0)->picked, engine::TokenId{'f'});
        QVERIFY(model.step(1) == nullptr); // ended before
        model.select(99);
        QCOMPARE(model.cursor(), 5);
        QCOMPARE(moved.count(), 1);
        model.select(-3);
        QCOMPARE(model.cursor(), 0);
    }

    void furtherStepsKeepTheCursor()
    {
        ui::CompareModel model;
        support::showLetters(model, {"abcd", "abXY"}, 2, {1});
        const QSignalSpy changed(&model, &ui::CompareModel::stepsChanged);
        engine::RunComparison comparison = model.comparison();
        comparison.sharedSteps = 1;
        model.replaceSteps({{4, support::letterSteps("abcdef", 4), std::nullopt},
                            {4, support::letterSteps("abXYZW", 4), engine::StopReason::StopText}},
                           comparison);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.cursor(), 2);
        QCOMPARE(model.stepCount(), 6);
        QVERIFY(model.run(1).stop == engine::StopReason::StopText);
        QCOMPARE(model.comparison().sharedSteps, 1);
    }

    void onTheFirstContextAnotherStepIsShown()
    {
        ui::CompareModel model;
        support::showLetters(model, {"abcd", "abXY"}, 2, {1});
        model.setContextView(ui::ContextView::First);
        QVERIFY(model.shownStep(1) == nullptr); // not known yet
        QCOMPARE(model.shownStep(0), model.step(0));
        model.setOnFirstContext(2, {std::nullopt, support::letterStep(2, 'Q')});
        QCOMPARE(model.shownStep(1)->picked, engine::TokenId{'Q'});
        model.select(3);
        QVERIFY(model.shownStep(1) == nullptr); // that was of another step
        model.setContextView(ui::ContextView::Own);
        QCOMPARE(model.shownStep(1)->picked, engine::TokenId{'Y'});
    }

    void lettersTellTheRuns()
    {
        QCOMPARE(ui::runLetter(0), QStringLiteral("A"));
        QCOMPARE(ui::runLetter(3), QStringLiteral("D"));
    }
};

QTEST_MAIN(CompareModelTest)
#include "CompareModelTest.moc"
