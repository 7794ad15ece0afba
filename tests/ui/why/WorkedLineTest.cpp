#include "ui/why/WorkedLine.h"

#include <QTest>

#include <cmath>

using engine::Candidate;
using engine::CandidateAtStage;
using engine::SamplingStage;
using engine::Step;

namespace {

/// Logits 4, 3, 2, 1 (of which the first is in the context) under a penalty of 2, temperature 0.5,
/// top-k 3, top-p 0.9 and min-p 0.5, worked out here: 2, 3, 2, 1 after the penalty, then 4, 6,
/// 4, 2.
Step workedStep()
{
    Step step;
    step.rule = engine::DecodingRule::Sample;
    step.draw = engine::Draw{0.25, 0, 1};
    step.keptCount = 2;
    const double a = std::exp(6.0);
    const double b = std::exp(4.0);
    const double three = a + 2 * b;
    step.stages = {
        {SamplingStage::RepetitionPenalty, 2, 4, 4, 0, 1, 0.6},
        {SamplingStage::Temperature, 0.5, 4, 4, 0, 4, 0.5},
        {SamplingStage::TopK, 3, 4, 3, 0.01, 0, a / (three + std::exp(2.0))},
        {SamplingStage::TopP, 0.85, 3, 2, b / three, 0, a / three},
    };
    const auto add = [&step](int id, float logit, std::vector<CandidateAtStage> path) {
        Candidate candidate;
        candidate.piece.id = {id};
        candidate.piece.bytes = std::string(1, static_cast<char>('a' + id));
        candidate.logit = logit;
        candidate.rank = id + 1;
        candidate.probability = 0.25;
        candidate.path = std::move(path);
        step.candidates.push_back(candidate);
        return step.candidates.size() - 1;
    };
    const auto penalty = SamplingStage::RepetitionPenalty;
    const auto temperature = SamplingStage::Temperature;
    const auto topK = SamplingStage::TopK;
    const auto topP = SamplingStage::TopP;
    add(0, 4,
        {{penalty, 4, 2, 0.6, 1, 0},
         {temperature, 2, 4, 0.2, 2, 0.5},
         {topK, 4, 4, 0.1, 2, 0.8},
         {topP, 4, 4, b / three, 2, a / three}});
    step.candidates[0].finalProbability = b / (a + b);
    add(1, 3,
        {{penalty, 3, 3, 0.2, 2, 0.6},
         {temperature, 3, 6, 0.5, 1, 0},
         {topK, 6, 6, 0.8, 1, 0},
         {topP, 6, 6, a / three, 1, 0}});
    step.candidates[1].finalProbability = a / (a + b);
    add(2, 2,
        {{penalty, 2, 2, 0.1, 3, 0.8},
         {temperature, 2, 4, 0.2, 3, 0.7},
         {topK, 4, 4, 0.1, 3, 0.9},
         {topP, 4, 4, b / three, 3, (a + b) / three}});
    step.candidates[2].removedBy = topP;
    add(3, 1,
        {{penalty, 1, 1, 0.1, 4, 0.9},
         {temperature, 1, 2, 0.1, 4, 0.9},
         {topK, 2, 2, 0.01, 4, 0.99}});
    step.candidates[3].removedBy = topK;
    step.picked = step.ruleChoice = {1};
    return step;
}

QStringList worksOf(const Candidate& candidate, const Step& step)
{
    QStringList works;
    for (const ui::WorkedLine& line : ui::workedLines(candidate, step))
        works << line.stage + QStringLiteral(": ") + line.work;
    return works;
}

} // namespace

class WorkedLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void worksFromTheLogitToTheFinalProbability()
    {
        const Step step = workedStep();
        // 54.60 / (403.43 + 54.60 + 54.60) = 10.7 %, the first two hold 89.3 %: 11.9 %.
        QCOMPARE(worksOf(step.candidates[0], step),
                 (QStringList{QStringLiteral("logit: 4.00, rank 1; alone a softmax of 25.0 %"),
                              QStringLiteral("repetition-penalty 2.00: 4.00 ÷ 2.00 = 2.00"),
                              QStringLiteral("temperature 0.50: 2.00 ÷ 0.50 = 4.00"),
                              QStringLiteral("top-k 3: rank 2 ≤ 3"),
                              QStringLiteral("top-p 0.85: mass before it 0.787 < 0.85"),
                              QStringLiteral("renormalised: 10.7 % ÷ 89.3 % = 11.9 %")}));
        QVERIFY(worksOf(step.candidates[1], step)
                    .contains(QStringLiteral("top-p 0.85: the first always stays")));
    }

    void endsWhereACandidateWent()
    {
        const Step step = workedStep();
        const auto lines = ui::workedLines(step.candidates[3], step);
        QCOMPARE(lines.back().work, QStringLiteral("rank 4 > 3"));
        QCOMPARE(lines.back().result, QStringLiteral("removed"));
        QCOMPARE(ui::removalSentence(step.candidates[3], step),
                 QStringLiteral("Removed by top-k 3 at rank 4. top-k 4 would keep it: 1 more."));
        // (403.43 + 54.60) / 512.63 = 0.89350: rounded up, since that much before it is too much.
        QCOMPARE(ui::removalSentence(step.candidates[2], step),
                 QStringLiteral("Removed by top-p 0.85: the candidates before it already had 0.893 "
                                "of the mass. top-p 0.8935 would keep it: 0.0435 more."));
        QVERIFY(!ui::wayBack(step.candidates[0], step));
    }

    void roundsTheWayBackToTheSideWhereItStays_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<bool>("isTopP");
        QTest::addColumn<QString>("text");
        QTest::newRow("top-p") << 0.91234 << true << QStringLiteral("0.9124");
        QTest::newRow("top-p, as much is too much") << 0.5 << true << QStringLiteral("0.5001");
        QTest::newRow("top-p, 1 is off") << 0.99997 << true << QStringLiteral("0.99998");
        QTest::newRow("top-p, only off") << 1.0 << true << QStringLiteral("1");
        QTest::newRow("min-p") << 0.04329 << false << QStringLiteral("0.0432");
        QTest::newRow("min-p, as much is enough") << 0.25 << false << QStringLiteral("0.2500");
        QTest::newRow("min-p, 0 is off") << 0.0000312 << false << QStringLiteral("0.00003");
    }
    void roundsTheWayBackToTheSideWhereItStays()
    {
        QFETCH(double, share);
        QFETCH(bool, isTopP);
        QFETCH(QString, text);
        Step step;
        const SamplingStage stage = isTopP ? SamplingStage::TopP : SamplingStage::MinP;
        step.stages = {{stage, isTopP ? 0.1 : 0.9, 9, 1, 0.5, 0, 0.5}};
        Candidate candidate;
        candidate.removedBy = stage;
        candidate.path = {{stage, 1, 1, 0.5 * share, 5, share}};
        const auto back = ui::wayBack(candidate, step);
        QVERIFY(back.has_value());
        QCOMPARE(back->text, text);
        QCOMPARE(back->needed, text.toDouble());
    }

    void usesTheSoftmaxWhereNothingWasCut()
    {
        Step step = workedStep();
        step.stages.resize(2);
        for (Candidate& candidate : step.candidates) {
            candidate.path.resize(2);
            candidate.removedBy.reset();
        }
        QCOMPARE(worksOf(step.candidates[0], step).back(),
                 QStringLiteral("softmax: e^(4.00 − 6.00) ÷ 1.135 = 11.9 %"));
    }

    void saysThatGreedyDrawsNothing()
    {
        Step step = workedStep();
        step.rule = engine::DecodingRule::Greedy;
        step.draw.reset();
        step.stages.clear();
        for (Candidate& candidate : step.candidates) {
            candidate.path.clear();
            candidate.removedBy.reset();
        }
        QVERIFY(worksOf(step.candidates[1], step).back().contains(QStringLiteral("no draw")));
        QVERIFY(worksOf(step.candidates[0], step).back().contains(QStringLiteral("0 %")));
    }

    void saysWhatATraceDoesNotTell()
    {
        Step step = workedStep();
        step.candidates[2].path.clear();
        QVERIFY(worksOf(step.candidates[2], step).back().contains(QStringLiteral("does not tell")));
        QCOMPARE(ui::removalSentence(step.candidates[2], step),
                 QStringLiteral("Removed by top-p; this trace does not tell how near it was."));
        QVERIFY(!ui::wayBack(step.candidates[2], step));
    }
};

QTEST_APPLESS_MAIN(WorkedLineTest)
#include "WorkedLineTest.moc"
