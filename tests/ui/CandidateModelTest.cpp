#include "ui/CandidateModel.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using support::handmadeGreedyStep;
using support::handmadeStep;
using ui::CandidateModel;

namespace {

const std::vector<double> three = {0.5, 0.3, 0.1};

QString cell(const CandidateModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class CandidateModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheRulesOfAModelThroughARun()
    {
        CandidateModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const engine::Step& step : support::sampleRun().steps)
            model.setStep(&step);
        const engine::Step one = handmadeStep({1.0}, 1, 0, 0);
        model.setStep(&one);
        model.setStep(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void showsTheNumbersOfTheStep()
    {
        CandidateModel model;
        const engine::Step step = handmadeStep(three, 2, 1, 4093);
        model.setStep(&step);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(cell(model, 1, CandidateModel::RankColumn), u"2"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::IdColumn), u"101"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::TokenColumn), u"␣b"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::LogitColumn), u"-1.20"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::ProbabilityColumn), u"30.0 %"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::FinalProbabilityColumn), u"37.5 %"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::CumulativeColumn), u"80.0 %"_qs);
        QCOMPARE(cell(model, 1, CandidateModel::RemovedByColumn), QString());
        QCOMPARE(cell(model, 2, CandidateModel::RemovedByColumn), u"top-p"_qs);
        QCOMPARE(cell(model, 3, CandidateModel::TokenColumn), u"all others · 4,093 tokens"_qs);
    }

    void greedyHasNoProbabilitiesAfterACutOff()
    {
        CandidateModel model;
        const engine::Step step = handmadeGreedyStep(three, 4093);
        model.setStep(&step);
        QCOMPARE(cell(model, 0, CandidateModel::FinalProbabilityColumn), QString());
    }

    void rowsAreSpokenAsSentences()
    {
        CandidateModel model;
        const engine::Step step = handmadeStep(three, 2, 1, 4093);
        model.setStep(&step);
        QCOMPARE(
            model.index(1, CandidateModel::TokenColumn).data(Qt::AccessibleTextRole).toString(),
            u"token ␣b, probability 30.0 percent, rank 2, picked"_qs);
    }

    void handsOutTheUnroundedNumbers()
    {
        CandidateModel model;
        const engine::Step step = support::sampleRun().steps[3];
        model.setStep(&step);
        const auto row =
            model.index(4, 0).data(CandidateModel::RowRole).value<ui::DistributionRow>();
        QCOMPARE(row.piece, step.candidates[4].piece);
        QCOMPARE(row.probability, step.candidates[4].probability);
    }

    void theSameNumberOfRowsIsAChangeOfData()
    {
        CandidateModel model;
        const engine::Step first = handmadeStep(three, 2, 1, 4093);
        const engine::Step second = handmadeStep({0.6, 0.2, 0.1}, 2, 0, 4093);
        model.setStep(&first);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setStep(&second);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(reset.count(), 0);
        const engine::Step longer = handmadeStep({0.6, 0.2, 0.1, 0.05}, 2, 0, 4092);
        model.setStep(&longer);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(reset.count(), 1);
    }

    void keepsAStepOfItsOwn()
    {
        CandidateModel model;
        {
            const engine::Step gone = handmadeStep(three, 2, 1, 4093);
            model.setStep(&gone);
        }
        QCOMPARE(model.step()->picked, engine::TokenId{101});
    }
};

QTEST_APPLESS_MAIN(CandidateModelTest)
#include "CandidateModelTest.moc"
