#include "ui/chain/ChainPicture.h"

#include <QTest>

using engine::Candidate;
using engine::SamplingStage;
using ui::StagePicture;

namespace {

/// Three candidates of 50, 30 and 20 %: top-p 0.7 keeps two.
engine::Step step(SamplingStage stage, double value)
{
    engine::Step made;
    engine::StageTrace trace;
    trace.stage = stage;
    trace.value = value;
    trace.before = 3;
    trace.after = 2;
    trace.largestProbability = 0.5;
    made.stages = {trace};
    double mass = 0;
    int rank = 0;
    for (const double p : {0.5, 0.3, 0.2}) {
        Candidate candidate;
        candidate.piece.id = engine::TokenId{rank};
        candidate.path = {{stage, 1.0, rank == 0 ? 0.5 : 1.0, p, ++rank, mass}};
        candidate.finalProbability = rank < 3 ? p / 0.8 : 0;
        if (rank == 3)
            candidate.removedBy = stage;
        mass += p;
        made.candidates.push_back(candidate);
    }
    return made;
}

std::vector<double> heights(const StagePicture& picture)
{
    std::vector<double> result;
    for (const StagePicture::Bar& bar : picture.bars)
        result.push_back(bar.height);
    return result;
}

bool near(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return std::abs(x - y) < 1e-12; });
}

} // namespace

class ChainPictureTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachStageIsSeenInItsOwnQuantity()
    {
        const StagePicture topP =
            StagePicture::of(step(SamplingStage::TopP, 0.7), SamplingStage::TopP);
        QVERIFY(near(heights(topP), {0.5, 0.8, 1.0})); // the running mass
        QCOMPARE(*topP.line, 0.7);
        QVERIFY(topP.bars[1].isKept && !topP.bars[2].isKept);

        const StagePicture minP =
            StagePicture::of(step(SamplingStage::MinP, 0.5), SamplingStage::MinP);
        QVERIFY(near(heights(minP), {1.0, 0.6, 0.4})); // shares of the largest
        QCOMPARE(*minP.line, 0.5);

        const StagePicture topK =
            StagePicture::of(step(SamplingStage::TopK, 2), SamplingStage::TopK);
        QVERIFY(near(heights(topK), {1.0, 0.6, 0.4}));
        QCOMPARE(*topK.keptBefore, 2);
        QVERIFY(!topK.line);

        const StagePicture temperature =
            StagePicture::of(step(SamplingStage::Temperature, 0.5), SamplingStage::Temperature);
        QVERIFY(temperature.bars[0].before.has_value());
        const StagePicture penalty = StagePicture::of(step(SamplingStage::RepetitionPenalty, 2),
                                                      SamplingStage::RepetitionPenalty);
        QVERIFY(penalty.bars[0].isMarked && !penalty.bars[1].isMarked);
    }

    void aStageThatDidNotRunHasNoPicture()
    {
        QVERIFY(StagePicture::of(step(SamplingStage::TopK, 2), SamplingStage::TopP).bars.empty());
    }
};

QTEST_APPLESS_MAIN(ChainPictureTest)
#include "ChainPictureTest.moc"
