#include "ui/StepModel.h"

#include "tests/ui/support/SampleRun.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using ui::StepModel;

class StepModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsEmpty();
    void aRunSelectsItsLastStep();
    void contextIsThePromptAndEveryPick();
    void aForcedPickIsToldApart();
    void appendingAStepKeepsTheSelection();
    void theFirstStepBecomesSelected();
    void redecodingTheSelectedStepSaysSo();
    void shorteningMovesTheSelectionBack();
    void theStopTokenIsNotPartOfTheOutput();
    void selectionStaysInRange();
    void aStepWithoutItsPickStillHasAChip();
};

void StepModelTest::beginsEmpty()
{
    StepModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.isEmpty());
    QCOMPARE(model.selected(), -1);
    QCOMPARE(model.selectedStep(), nullptr);
    QVERIFY(model.contextTokens().empty());
    model.select(3);
    QCOMPARE(model.selected(), -1);
}

void StepModelTest::aRunSelectsItsLastStep()
{
    StepModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy runChanged(&model, &StepModel::runChanged);
    model.setRun(support::sampleRun());
    QCOMPARE(runChanged.count(), 1);
    QCOMPARE(model.rowCount(), 24);
    QCOMPARE(model.selected(), 23);
    QCOMPARE(model.selectedStep()->index, 23);
    QCOMPARE(model.data(model.index(23), Qt::DisplayRole).toString(),
             QStringLiteral("<|endoftext|>"));
}

void StepModelTest::contextIsThePromptAndEveryPick()
{
    StepModel model;
    const engine::Run run = support::sampleRun(5);
    model.setRun(run);
    const auto tokens = model.contextTokens();
    QCOMPARE(tokens.size(), run.context.tokens.size() + 5);
    QCOMPARE(tokens.front().origin, engine::TokenOrigin::Bos);
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(tokens[run.context.tokens.size() + i].piece.id, run.steps[i].picked);
        QCOMPARE(tokens[run.context.tokens.size() + i].origin, engine::TokenOrigin::Generated);
    }
}

void StepModelTest::aForcedPickIsToldApart()
{
    StepModel model;
    engine::Run run = support::sampleRun(3);
    run.steps[1] = support::forcedStep(run.steps[1], run.steps[1].candidates[9].piece.id);
    model.setRun(run);
    QCOMPARE(model.contextTokens()[run.context.tokens.size() + 1].origin,
             engine::TokenOrigin::Forced);
}

void StepModelTest::appendingAStepKeepsTheSelection()
{
    StepModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const engine::Run run = support::sampleRun(5);
    engine::Run four = run;
    four.steps.pop_back();
    model.setRun(four);
    model.select(1);
    QSignalSpy stepsChanged(&model, &StepModel::stepsChanged);
    QSignalSpy selectedChanged(&model, &StepModel::selectedChanged);
    model.replaceSteps(4, {run.steps[4]}, std::nullopt);
    QCOMPARE(stepsChanged.count(), 1);
    QCOMPARE(stepsChanged.first().first().toInt(), 4);
    QCOMPARE(model.stepCount(), 5);
    QCOMPARE(model.selected(), 1);
    QCOMPARE(selectedChanged.count(), 0);
}

void StepModelTest::theFirstStepBecomesSelected()
{
    StepModel model;
    model.setRun(support::promptOnlyRun());
    QCOMPARE(model.selected(), -1);
    model.replaceSteps(0, {support::sampleRun(1).steps[0]}, std::nullopt);
    QCOMPARE(model.selected(), 0);
}

void StepModelTest::redecodingTheSelectedStepSaysSo()
{
    StepModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRun(support::sampleRun(5));
    model.select(3);
    QSignalSpy selectedChanged(&model, &StepModel::selectedChanged);
    const engine::Step changed = support::greedyRun(5).steps[3];
    model.replaceSteps(3, {changed}, std::nullopt);
    QCOMPARE(selectedChanged.count(), 1);
    QCOMPARE(model.stepCount(), 4);
    QCOMPARE(model.selectedStep()->rule, engine::DecodingRule::Greedy);
}

void StepModelTest::shorteningMovesTheSelectionBack()
{
    StepModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRun(support::sampleRun(6));
    model.replaceSteps(2, {}, engine::StopReason::Cancelled);
    QCOMPARE(model.stepCount(), 2);
    QCOMPARE(model.selected(), 1);
    QCOMPARE(model.run().stop, engine::StopReason::Cancelled);
    model.replaceSteps(0, {}, std::nullopt);
    QCOMPARE(model.selected(), -1);
    QCOMPARE(model.selectedStep(), nullptr);
}

void StepModelTest::theStopTokenIsNotPartOfTheOutput()
{
    StepModel model;
    const engine::Run run = support::sampleRun();
    model.setRun(run);
    model.replaceSteps(23, {run.steps[23]}, engine::StopReason::StopToken);
    QCOMPARE(model.run().output, run.output);
    QCOMPARE(model.run().outputBytes, run.outputBytes);
    QCOMPARE(model.run().output.size(), std::size_t(23));
    model.replaceSteps(23, {run.steps[23]}, std::nullopt);
    QCOMPARE(model.run().output.size(), std::size_t(24));
}

void StepModelTest::selectionStaysInRange()
{
    StepModel model;
    model.setRun(support::sampleRun(4));
    QSignalSpy selectedChanged(&model, &StepModel::selectedChanged);
    model.select(-5);
    QCOMPARE(model.selected(), 0);
    model.select(99);
    QCOMPARE(model.selected(), 3);
    model.select(3);
    QCOMPARE(selectedChanged.count(), 2);
}

void StepModelTest::aStepWithoutItsPickStillHasAChip()
{
    StepModel model;
    engine::Run run = support::sampleRun(2);
    run.steps[1].candidates.clear();
    model.setRun(run);
    QCOMPARE(model.contextTokens().back().piece.id, run.steps[1].picked);
}

QTEST_MAIN(StepModelTest)
#include "StepModelTest.moc"
