#include "ui/stages/DrawSegments.h"

#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"

#include <QTest>

#include <algorithm>

using engine::Step;
using engine::TokenId;
using support::handmadeGreedyStep;
using support::handmadeStep;
using ui::DrawSegment;

namespace {

void verifyWhole(const std::vector<DrawSegment>& bar)
{
    QVERIFY(!bar.empty());
    QCOMPARE(bar.front().low, 0.0);
    for (std::size_t i = 1; i < bar.size(); ++i)
        QCOMPARE(bar[i].low, bar[i - 1].high);
    QVERIFY(qAbs(bar.back().high - 1) < 1e-9);
}

const DrawSegment& picked(const std::vector<DrawSegment>& bar)
{
    return *std::find_if(bar.begin(), bar.end(),
                         [](const DrawSegment& segment) { return segment.isPicked; });
}

} // namespace

class DrawSegmentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePickedSliceIsExactlyThatOfTheDraw()
    {
        for (const Step& step : support::sampleRun().steps) {
            const auto bar = ui::drawSegments(step);
            verifyWhole(bar);
            QCOMPARE(picked(bar).low, step.draw->low);
            QCOMPARE(picked(bar).high, step.draw->high);
            QCOMPARE(picked(bar).piece->id, step.picked);
            QVERIFY(step.draw->u >= picked(bar).low && step.draw->u < picked(bar).high);
        }
    }

    void slicesStandInDescendingOrderTiesBySmallerId()
    {
        Step step = handmadeStep({0.4, 0.2, 0.2, 0.1}, 4, 0, 0);
        std::swap(step.candidates[1].piece, step.candidates[2].piece);
        const auto bar = ui::drawSegments(step);
        QCOMPARE(bar.size(), 4U);
        QCOMPARE(bar[0].piece->id, TokenId{100});
        QCOMPARE(bar[1].piece->id, TokenId{101});
        QCOMPARE(bar[2].piece->id, TokenId{102});
    }

    void tokensThatAreNotListedTakeTheEnd()
    {
        Step step = handmadeStep({0.4, 0.2}, 2, 0, 4094);
        for (auto& candidate : step.candidates) // nothing was cut off
            candidate.finalProbability = candidate.probability;
        step.others.finalProbability = 0.4;
        step.draw = engine::Draw{0.1, 0, 0.4};
        const auto bar = ui::drawSegments(step);
        verifyWhole(bar);
        QCOMPARE(bar.size(), 3U);
        QVERIFY(!bar[2].piece);
        QVERIFY(qAbs(bar[2].low - 0.6) < 1e-12);
    }

    void aPickFarDownTheListHasUnlistedTokensOnBothSides()
    {
        Step step = handmadeStep({0.4, 0.2, 0.01}, 3, 2, 4093);
        for (auto& candidate : step.candidates)
            candidate.finalProbability = candidate.probability;
        step.candidates[2].rank = 3000;
        step.draw = engine::Draw{0.855, 0.85, 0.86};
        const auto bar = ui::drawSegments(step);
        verifyWhole(bar);
        QCOMPARE(bar.size(), 5U);
        QVERIFY(!bar[2].piece && !bar[4].piece);
        QCOMPARE(bar[3].low, 0.85);
        QCOMPARE(bar[3].high, 0.86);
        QVERIFY(bar[3].isPicked);
    }

    void aForcedStepStillShowsWhereTheDrawLanded()
    {
        const Step step = support::forcedStep(handmadeStep({0.5, 0.3, 0.2}, 3, 1, 0), TokenId{102});
        const auto bar = ui::drawSegments(step);
        verifyWhole(bar);
        QCOMPARE(picked(bar).piece->id, TokenId{101});
    }

    void aForcedStepWhoseRulesChoiceIsNotListedKeepsItsSlice()
    {
        Step step = handmadeStep({0.5, 0.3, 0.2}, 3, 2, 0);
        step.forced = true;
        step.ruleChoice = TokenId{9999};
        step.candidates.pop_back();
        step.picked = TokenId{100};
        const auto bar = ui::drawSegments(step);
        verifyWhole(bar);
        QVERIFY(!picked(bar).piece);
        QCOMPARE(picked(bar).low, step.draw->low);
        QCOMPARE(picked(bar).high, step.draw->high);
    }

    void onlyOneTokenKeptFillsTheBar()
    {
        const auto bar = ui::drawSegments(handmadeStep({0.5, 0.3, 0.2}, 1, 0, 0));
        QCOMPARE(bar.size(), 1U);
        QCOMPARE(bar[0].low, 0.0);
        QCOMPARE(bar[0].high, 1.0);
    }

    void greedyShowsTheProbabilitiesByRank()
    {
        const auto bar = ui::drawSegments(handmadeGreedyStep({0.5, 0.3}, 10));
        verifyWhole(bar);
        QCOMPARE(bar.size(), 3U);
        QCOMPARE(bar[0].high, 0.5);
        QVERIFY(bar[0].isPicked && bar[0].isArgmax);
    }

    void nothingToDrawFromIsAnEmptyBar() { QVERIFY(ui::drawSegments(Step()).empty()); }
};

QTEST_APPLESS_MAIN(DrawSegmentsTest)
#include "DrawSegmentsTest.moc"
