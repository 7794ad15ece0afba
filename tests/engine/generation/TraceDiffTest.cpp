#include "engine/generation/TraceDiff.h"

#include "engine/generation/Fingerprint.h"
#include "engine/generation/TraceFile.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

bool parts(const TraceDiff& diff, int step, DiffStage stage)
{
    return diff.parted && diff.parted->step == step && diff.parted->stage == stage;
}

Run recorded(const RunConfig& config, const std::string& prompt = "Once upon a time", int steps = 8)
{
    GenerationSession session = start(prompt, config);
    advance(session, steps);
    Run run = session.run();
    addDigests(run, *bundledModel());
    return need(parseTrace(traceJson(run), "t.json"));
}

} // namespace

class TraceDiffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsARunTheSameAsItself()
    {
        Run b = plainRun(3);
        b.steps[1].timings.forward = std::chrono::microseconds(5);
        b.program = "tokenscope 9"; // what made it is not a value of the run
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(diff.same && diff.sameContext && diff.sameSettings && diff.sameModel);
        QVERIFY(diff.sameTokenizer && !diff.parted);
    }

    void contextsPartAtTheIdsOfStepZero()
    {
        Run b = plainRun(3);
        b.context.tokens[1].piece = piece(4, " h");
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(!diff.same && !diff.sameContext && diff.sameSettings && diff.sameModel);
        QVERIFY(parts(diff, 0, DiffStage::Ids));
        Run longer = plainRun(3);
        longer.context.tokens.push_back({piece(4, " h"), TokenOrigin::Prompt});
        QVERIFY(parts(diffTraces(plainRun(3), longer), 0, DiffStage::Ids));
        QVERIFY(parts(diffTraces(longer, plainRun(3)), 0, DiffStage::Ids));
    }

    void idsThatAreTheSameAreTheSameContextHoweverTheyWereGiven()
    {
        Run b = plainRun(2);
        b.context.text.clear();
        QVERIFY(diffTraces(plainRun(2), b).sameContext);
    }

    void modelsPartAtTheLogitsWhereThePicksPart()
    {
        Run b = plainRun(4);
        b.model.sha256 = digest('9');
        for (Step& step : b.steps)
            step.logitsSha256 = digest('b'); // the scores differ from the first step on
        b.steps[2] = plainStep(2, 11);
        b.steps[2].logitsSha256 = digest('b');
        const TraceDiff diff = diffTraces(plainRun(4), b);
        QVERIFY(!diff.sameModel && diff.sameSettings && diff.sameContext && diff.sameTokenizer);
        QVERIFY(parts(diff, 2, DiffStage::Logits));
    }

    void chainSettingsPartAtTheChain()
    {
        Run b = plainRun(3);
        b.settings.sampling.temperature = 2;
        for (Step& step : b.steps)
            step.sampling.temperature = 2;
        b.steps[1] = plainStep(1, 11);
        b.steps[1].sampling.temperature = 2;
        b.steps[1].candidates[0].finalProbability = 0.55;
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(!diff.sameSettings && diff.sameModel);
        QVERIFY(parts(diff, 1, DiffStage::Chain));
    }

    void seedsPartAtTheDraw()
    {
        Run b = plainRun(3);
        b.settings.sampling.seed = 2;
        for (Step& step : b.steps) {
            step.sampling.seed = 2;
            step.draw->u = 0.3;
        }
        b.steps[2] = plainStep(2, 11);
        b.steps[2].sampling.seed = 2;
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(!diff.sameSettings);
        QVERIFY(parts(diff, 2, DiffStage::Draw));
    }

    void tokenizersPartAtTheText()
    {
        Run b = plainRun(3);
        b.tokenizer.sha256 = digest('8');
        b.steps[1].candidates[0].piece.bytes = "mat";
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(!diff.sameTokenizer && diff.sameModel);
        QVERIFY(parts(diff, 1, DiffStage::Text));
    }

    void aForcedTokenPartsAtTheDrawWithAllInputsTheSame()
    {
        Run b = plainRun(3);
        b.steps[1].picked = {11};
        b.steps[1].forced = true;
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(diff.sameSettings && diff.sameContext && !diff.same);
        QVERIFY(parts(diff, 1, DiffStage::Draw));
    }

    void theEarlierStageIsTheOneNamed()
    {
        Run b = plainRun(2);
        b.steps[1] = plainStep(1, 11);
        b.steps[1].candidates[0].finalProbability = 0.5;
        QVERIFY(parts(diffTraces(plainRun(2), b), 1, DiffStage::Chain));
        b.steps[1].logitsSha256 = digest('b');
        QVERIFY(parts(diffTraces(plainRun(2), b), 1, DiffStage::Logits));
    }

    void runsThatDifferInAnInputMayNeverPart()
    {
        Run b = plainRun(3);
        b.settings.sampling.seed = 2;
        for (Step& step : b.steps) {
            step.sampling.seed = 2;
            step.draw->u = 0.3;
        }
        const TraceDiff diff = diffTraces(plainRun(3), b);
        QVERIFY(!diff.same && !diff.sameSettings && !diff.parted);
    }

    void aRunThatStoppedEarlierHasNotParted()
    {
        const TraceDiff diff = diffTraces(plainRun(2), plainRun(5));
        QVERIFY(!diff.same && !diff.sameSettings && !diff.parted);
    }

    void theNumberOfListedCandidatesIsNoSetting()
    {
        Run b = plainRun(2);
        b.settings.topCandidates = 1;
        for (Step& step : b.steps)
            step.candidates.pop_back();
        const TraceDiff diff = diffTraces(plainRun(2), b);
        QVERIFY(diff.sameSettings && !diff.same && !diff.parted);
    }

    void settingsChangedInTheMiddleOfARunDiffer()
    {
        Run b = plainRun(3);
        b.steps[2].sampling.topK = 5;
        QVERIFY(!diffTraces(plainRun(3), b).sameSettings);
    }

    void modelsWithoutADigestAreComparedByWhatIsSaidOfThem()
    {
        Run a = plainRun(1);
        Run b = plainRun(1);
        a.model.sha256.clear();
        QVERIFY(diffTraces(a, b).sameModel);
        b.model.quantization = "Q8_0";
        QVERIFY(!diffTraces(a, b).sameModel);
        a.tokenizer.sha256.clear();
        QVERIFY(diffTraces(a, b).sameTokenizer);
        b.tokenizer.vocabularySize = 21;
        QVERIFY(!diffTraces(a, b).sameTokenizer);
        // A digest decides where both have one: a file may be renamed.
        Run renamed = plainRun(1);
        renamed.model.name = "other";
        QVERIFY(diffTraces(plainRun(1), renamed).sameModel);
    }

    void comparesRunsOfARealModel()
    {
        const Run a = recorded(sampled(1));
        QVERIFY(diffTraces(a, recorded(sampled(1))).same);

        const TraceDiff seeds = diffTraces(a, recorded(sampled(2)));
        QVERIFY(!seeds.sameSettings && seeds.sameModel && seeds.sameTokenizer && seeds.sameContext);
        QVERIFY(seeds.parted && seeds.parted->stage == DiffStage::Draw);

        const TraceDiff chain = diffTraces(a, recorded(sampled(1, 4.0)));
        QVERIFY(chain.parted && chain.parted->stage == DiffStage::Chain);

        const TraceDiff contexts = diffTraces(a, recorded(sampled(1), "Once upon a day"));
        QVERIFY(!contexts.sameContext && contexts.sameSettings);
        QVERIFY(parts(contexts, 0, DiffStage::Ids));

        RunConfig few = sampled(1);
        few.topCandidates = 3;
        const TraceDiff listed = diffTraces(a, recorded(few));
        QVERIFY(listed.sameSettings && !listed.same && !listed.parted);

        RunConfig shorter = sampled(1);
        shorter.maxNewTokens = 4;
        QVERIFY(!diffTraces(a, recorded(shorter)).parted);
    }

    void namesTheStages()
    {
        QCOMPARE(std::string(name(DiffStage::Ids)), std::string("ids"));
        QCOMPARE(std::string(name(DiffStage::Logits)), std::string("logits"));
        QCOMPARE(std::string(name(DiffStage::Chain)), std::string("chain"));
        QCOMPARE(std::string(name(DiffStage::Draw)), std::string("draw"));
        QCOMPARE(std::string(name(DiffStage::Text)), std::string("text"));
    }
};

QTEST_APPLESS_MAIN(TraceDiffTest)
#include "TraceDiffTest.moc"
