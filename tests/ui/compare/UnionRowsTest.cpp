#include "ui/compare/UnionRows.h"

#include "tests/ui/support/HandmadeStep.h"

#include <QTest>

using support::handmadeGreedyStep;
using support::handmadeStep;
using ui::UnionRows;

namespace {

std::vector<int> ids(const UnionRows& rows)
{
    std::vector<int> result;
    for (const ui::UnionRow& row : rows.rows)
        result.push_back(row.piece.id.value);
    return result;
}

/// The same step over other tokens: each id is moved by so much.
engine::Step moved(engine::Step step, int by)
{
    for (engine::Candidate& candidate : step.candidates)
        candidate.piece.id.value += by;
    step.picked.value += by;
    step.argmax.value += by;
    step.ruleChoice.value += by;
    return step;
}

} // namespace

class UnionRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsTheCandidatesOfAllPanesInOneOrder()
    {
        const engine::Step a = handmadeStep({0.5, 0.2, 0.1}, 3, 0, 10);
        engine::Step b = handmadeStep({0.6, 0.15, 0.05}, 3, 0, 10);
        b.candidates[0].piece = a.candidates[1].piece;
        b.candidates[1].piece = {engine::TokenId{200}, " new", engine::TokenKind::Normal};
        b.candidates[2].piece = a.candidates[0].piece;
        b.picked = b.argmax = {101};
        const UnionRows rows = UnionRows::of({&a, &b}, 20);
        QCOMPARE(ids(rows), (std::vector{101, 100, 200, 102}));
        QCOMPARE(rows.rows[0].panes[0]->probability, 0.2);
        QCOMPARE(rows.rows[0].panes[1]->probability, 0.6);
        QVERIFY(!rows.rows[2].panes[0] && rows.rows[2].panes[1]);
        QVERIFY(!rows.rows[3].panes[1]);
        QCOMPARE(rows.leastListed, (std::vector{0.1, 0.05}));
    }

    void allPanesHaveTheScaleOfTheLargestBar()
    {
        const engine::Step flat = handmadeGreedyStep({0.12, 0.1, 0.08}, 10);
        const engine::Step steep = handmadeGreedyStep({0.81, 0.1, 0.02}, 10);
        QCOMPARE(UnionRows::of({&flat}, 20).axisMaximum, 0.15);
        QCOMPARE(UnionRows::of({&flat, &steep}, 20).axisMaximum, 0.85);
    }

    void cutsFromTheEndButKeepsPicksAndArgmaxes()
    {
        const engine::Step a = handmadeStep({0.4, 0.2, 0.1, 0.05, 0.02}, 5, 4, 10); // picks 104
        const engine::Step b = moved(handmadeStep({0.01, 0.005}, 2, 0, 10), 400);
        const UnionRows rows = UnionRows::of({&a, &b}, 4);
        QCOMPARE(ids(rows), (std::vector{100, 101, 104, 500}));
    }

    void sameIdsWithOtherTextAreOtherTokens()
    {
        const engine::Step a = handmadeGreedyStep({0.5, 0.2}, 10);
        engine::Step b = a;
        b.candidates[1].piece.bytes = "elsewhere";
        QCOMPARE(UnionRows::of({&a, &b}, 20).rows.size(), std::size_t{3});
    }

    void aPaneWithoutAStepIsEmpty()
    {
        const engine::Step a = handmadeStep({0.5, 0.2}, 2, 0, 10);
        const UnionRows rows = UnionRows::of({&a, nullptr}, 20);
        QCOMPARE(rows.rows.size(), std::size_t{2});
        QCOMPARE(rows.hasFinal, (std::vector{true, false}));
        QVERIFY(!rows.rows[0].panes[1]);
        QCOMPARE(rows.bar(0, 1), ui::Bar{});
    }
};

QTEST_MAIN(UnionRowsTest)
#include "UnionRowsTest.moc"
