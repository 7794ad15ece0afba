#include "engine/generation/Alignment.h"

#include "tests/engine/generation/SessionTesting.h"
#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

#include <algorithm>

using namespace engine;
using namespace testing;

namespace {

/// A run whose picks are these letters.
Run letters(const std::string& text)
{
    Run run = plainRun(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
        Step step = plainStep(static_cast<int>(i));
        step.candidates = {candidate(text[i], std::string(1, text[i]), 1, 1, 1)};
        step.picked = step.argmax = step.ruleChoice = TokenId{text[i]};
        run.steps.push_back(step);
    }
    return run;
}

RunComparison align(const std::vector<Run>& runs)
{
    std::vector<const Run*> pointers;
    for (const Run& run : runs)
        pointers.push_back(&run);
    return alignRuns(pointers);
}

/// What the search for agreements promises, tried the plain way: all pairs of positions.
std::vector<Reconvergence> agreementsByTrying(const std::string& a, const std::string& b,
                                              std::size_t from)
{
    std::vector<Reconvergence> found;
    const auto matchAt = [&](std::size_t i, std::size_t j) {
        std::size_t count = 0;
        while (i + count < a.size() && j + count < b.size() && a[i + count] == b[j + count])
            ++count;
        return count;
    };
    std::size_t i0 = from;
    std::size_t j0 = from;
    while (true) {
        std::optional<Reconvergence> best;
        std::size_t least = 0;
        for (std::size_t j = j0; j < b.size(); ++j)
            for (std::size_t i = i0; i < a.size(); ++i) {
                const std::size_t passed = i - i0 + j - j0;
                if (matchAt(i, j) < leastAgreement || (best && passed >= least))
                    continue;
                best = {static_cast<int>(i), static_cast<int>(j), static_cast<int>(matchAt(i, j))};
                least = passed;
            }
        if (!best)
            return found;
        found.push_back(*best);
        i0 = static_cast<std::size_t>(best->firstStep + best->count);
        j0 = static_cast<std::size_t>(best->otherStep + best->count);
    }
}

} // namespace

class AlignmentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsThatAreTheSameShareEverything()
    {
        const RunComparison same = align({letters("abc"), letters("abc"), letters("abc")});
        QCOMPARE(same.sharedContext, 3);
        QCOMPARE(same.sharedSteps, 3);
        for (const ComparedRun& run : same.runs)
            QVERIFY(!run.parting && run.agreements.empty());
    }

    void aRunThatEndsEarlierHasNotParted()
    {
        const RunComparison shorter = align({letters("abcdef"), letters("abc")});
        QCOMPARE(shorter.sharedSteps, 3);
        QVERIFY(!shorter.runs[1].parting);
    }

    void eachRunPartsFromTheFirstByItself()
    {
        const RunComparison four =
            align({letters("abcdef"), letters("abXdef"), letters("abcdYf"), letters("abcdef")});
        QCOMPARE(four.sharedSteps, 2);
        QVERIFY(!four.runs[0].parting && !four.runs[3].parting);
        QCOMPARE(four.runs[1].parting->step, 2);
        QCOMPARE(four.runs[2].parting->step, 4);
        QCOMPARE(four.runs[1].parting->first.pick.bytes, std::string("c"));
        QCOMPARE(four.runs[1].parting->other.pick.bytes, std::string("X"));
    }

    void contextsThatDifferPartBeforeAnyStep()
    {
        Run other = letters("abc");
        other.context.tokens[1].piece = piece(7, " d");
        const RunComparison contexts = align({letters("abc"), other});
        QCOMPARE(contexts.sharedContext, 1);
        QCOMPARE(contexts.sharedSteps, 0);
        QVERIFY(contexts.runs[1].parting->cause == PartingCause::Context);
        QCOMPARE(contexts.runs[1].parting->contextPosition, 1);
        // One that goes on longer is another context too.
        Run longer = letters("");
        longer.context.tokens.push_back({piece(7, " d"), TokenOrigin::Prompt});
        QCOMPARE(align({letters(""), longer}).runs[1].parting->contextPosition, 3);
    }

    void theCauseIsTheFirstStageThatDiffers()
    {
        const auto causeOf = [](const Run& b) { return align({plainRun(4), b}).runs[1].parting; };
        Run b = plainRun(4);
        b.steps[2] = plainStep(2, 11); // another u
        QVERIFY(causeOf(b)->cause == PartingCause::Draw);
        QCOMPARE(causeOf(b)->step, 2);
        QCOMPARE(causeOf(b)->other.draw->u, 0.75);
        QCOMPARE(causeOf(b)->first.draw->u, 0.25);
        QCOMPARE(causeOf(b)->other.rank, 2);
        QVERIFY(causeOf(b)->settings.empty());

        b.steps[2].forced = true;
        QVERIFY(causeOf(b)->cause == PartingCause::Forced);
        QVERIFY(causeOf(b)->other.forced && !causeOf(b)->first.forced);
        b.steps[2].forced = false;

        b.steps[2].sampling.topK = 1;
        b.steps[2].sampling.temperature = 2;
        b.steps[2].candidates[0].finalProbability = 0.5;
        QVERIFY(causeOf(b)->cause == PartingCause::Settings);
        QVERIFY(causeOf(b)->settings ==
                (std::vector{ChainSetting::Temperature, ChainSetting::TopK}));

        b.steps[1].logitsSha256 = b.steps[2].logitsSha256 = digest('b');
        b.model.sha256 = digest('9');
        QVERIFY(causeOf(b)->cause == PartingCause::Logits);
        QVERIFY(!causeOf(b)->sameModel);
        QCOMPARE(causeOf(b)->logitsDifferSince.value(), 1);

        Run text = plainRun(4);
        text.steps[3].candidates[0].piece.bytes = "mat";
        QVERIFY(causeOf(text)->cause == PartingCause::Text);
    }

    void greedyAndSampledPartByTheRule()
    {
        Run greedy = plainRun(3);
        for (Step& step : greedy.steps) {
            step.rule = step.sampling.rule = DecodingRule::Greedy;
            step.draw.reset();
        }
        Run sampled = plainRun(3);
        sampled.steps[1] = plainStep(1, 11);
        sampled.steps[1].sampling.temperature = 0.5; // greedy decoding has none
        const auto parting = align({greedy, sampled}).runs[1].parting;
        QVERIFY(parting->cause == PartingCause::Settings);
        QVERIFY(parting->settings == std::vector{ChainSetting::Rule});
        QVERIFY(!parting->first.draw && parting->other.draw);
    }

    void ofOtherTokenizersTheTextsAreCompared()
    {
        Run other = letters("abc");
        other.tokenizer.sha256 = digest('7');
        for (Step& step : other.steps) {
            step.candidates[0].piece.id.value += 500;
            step.picked = step.candidates[0].piece.id;
        }
        QCOMPARE(align({letters("abc"), other}).sharedSteps, 3);
        other.tokenizer.sha256 = digest('1');
        QCOMPARE(align({letters("abc"), other}).sharedSteps, 0);
    }

    void findsWhereTheTextsAgreeAgain()
    {
        //                                    0123456789...
        const RunComparison again = align({letters("abCdefghIJ"), letters("abXYdefghZ")});
        QVERIFY(again.runs[1].agreements == (std::vector{Reconvergence{3, 4, 5}}));
        // Three in a row are chance.
        QVERIFY(align({letters("aCdefI"), letters("aXdefZ")}).runs[1].agreements.empty());
        // Taken in order in both: what stands crosswise is not found twice.
        const RunComparison crosswise = align({letters("aC1234x5678"), letters("aD5678y1234")});
        QCOMPARE(crosswise.runs[1].agreements.size(), std::size_t{1});
    }

    void agreementsAreWhatTryingAllPositionsFinds()
    {
        std::uint32_t state = 7;
        const auto next = [&state] { return (state = state * 1664525U + 1013904223U) >> 24; };
        for (int round = 0; round < 200; ++round) {
            std::string a = "p";
            std::string b = "q";
            while (a.size() < 40)
                a += static_cast<char>('a' + next() % 3);
            while (b.size() < 35)
                b += static_cast<char>('a' + next() % 3);
            QVERIFY(align({letters(a), letters(b)}).runs[1].agreements ==
                    agreementsByTrying(a, b, 0));
        }
    }

    void findsTheLoopAtTheEnd_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("start");
        QTest::addColumn<int>("period");
        QTest::addColumn<int>("copies");
        QTest::newRow("none") << "abcdefgh" << -1 << 0 << 0;
        QTest::newRow("a word twice is none") << "abcdd" << -1 << 0 << 0;
        QTest::newRow("one token") << "abdddddd" << 2 << 1 << 6;
        QTest::newRow("three copies") << "xyabcabcabc" << 2 << 3 << 3;
        QTest::newRow("a copy begun") << "xyabcabcab" << 2 << 3 << 2;
        QTest::newRow("left again") << "abcabcabcx" << -1 << 0 << 0;
        QTest::newRow("the whole run") << "ababababab" << 0 << 2 << 5;
        QTest::newRow("a short one inside a long one") << "xbcaaaaaaabcaaaaaaa" << 1 << 9 << 2;
    }
    void findsTheLoopAtTheEnd()
    {
        QFETCH(QString, text);
        QFETCH(int, start);
        QFETCH(int, period);
        QFETCH(int, copies);
        const auto loop = align({letters(text.toStdString())}).runs[0].loop;
        QCOMPARE(loop.has_value(), start >= 0);
        if (!loop)
            return;
        QCOMPARE(loop->start, start);
        QCOMPARE(loop->period, period);
        QCOMPARE(loop->copies, copies);
        QCOMPARE(loop->start + loop->length, static_cast<int>(text.size()));
    }

    void thousandsOfStepsOfTheSameFewTokensAreNoTrouble()
    {
        // The worst case of a search that tries every pair: all windows alike.
        const std::string same(6000, 'a');
        const RunComparison longRuns = align({letters("x" + same), letters("y" + same)});
        QVERIFY(longRuns.runs[1].agreements == (std::vector{Reconvergence{1, 1, 6000}}));
        QCOMPARE(longRuns.runs[0].loop->period, 1);
        std::string pairs;
        for (int i = 0; i < 3000; ++i)
            pairs += i % 5 == 0 ? "ab" : "ba";
        const RunComparison mixed = align({letters("x" + same), letters("y" + pairs)});
        QVERIFY(mixed.runs[1].agreements.empty());
    }

    void runsOfARealModelPartWhereTheirPicksDo()
    {
        GenerationSession greedy = start("Once upon a time");
        GenerationSession drawn = start("Once upon a time", sampled(11, 1.2));
        advance(greedy, 24);
        advance(drawn, 24);
        const RunComparison both = align({greedy.run(), drawn.run()});
        const auto picked = firstStepWhere(greedy.run(), drawn.run(), picksDiffer);
        QVERIFY(picked && both.runs[1].parting);
        QCOMPARE(both.runs[1].parting->step, static_cast<int>(*picked));
        QCOMPARE(both.sharedSteps, static_cast<int>(*picked));
        QVERIFY(both.runs[1].parting->cause == PartingCause::Settings);
        const Step& step = drawn.run().steps[*picked];
        QCOMPARE(both.runs[1].parting->other.draw->u, step.draw->u);
        QCOMPARE(both.runs[1].parting->other.rank, step.find(step.picked)->rank);
    }
};

QTEST_APPLESS_MAIN(AlignmentTest)
#include "AlignmentTest.moc"
