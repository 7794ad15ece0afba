#include "engine/generation/RunGroup.h"

#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/TiedModelFolder.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

const std::string prompt = "Once upon a time";

RunConfig shorter(RunConfig config, int steps)
{
    config.maxNewTokens = steps;
    return config;
}

RunGroup group(const std::vector<RunConfig>& configs)
{
    std::vector<GroupMember> members;
    for (const RunConfig& config : configs)
        members.push_back({bundledModel(), config});
    return need(RunGroup::start(prompt, members, 1));
}

Run alone(const RunConfig& config, int steps,
          std::shared_ptr<const LanguageModel> model = bundledModel())
{
    GenerationSession session = need(GenerationSession::start(model, prompt, config, 1));
    advance(session, steps);
    return session.run();
}

} // namespace

class RunGroupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepsInLockstepAreThoseOfEachRunAlone()
    {
        const std::vector<RunConfig> configs = {{}, sampled(7, 0.8), sampled(7, 1.5), sampled(8)};
        RunGroup runs = group(configs);
        for (int i = 1; i <= 12; ++i) {
            need(runs.step({}));
            for (int member = 0; member < runs.count(); ++member)
                QCOMPARE(runs.run(member).steps.size(), static_cast<std::size_t>(i));
        }
        for (int member = 0; member < runs.count(); ++member)
            QVERIFY(sameOutcome(runs.run(member),
                                alone(configs[static_cast<std::size_t>(member)], 12)));
    }

    void identicalRunsAreEqualToTheBit()
    {
        RunGroup runs = group({sampled(5), sampled(5), sampled(5)});
        need(runs.advanceTo(10, {}));
        QVERIFY(sameOutcome(runs.run(0), runs.run(1)));
        QVERIFY(sameOutcome(runs.run(0), runs.run(2)));
    }

    void aRunThatHasEndedWaitsForTheOthers()
    {
        RunGroup runs = group({shorter({}, 3), shorter({}, 6)});
        need(runs.advanceTo(100, {}));
        QCOMPARE(runs.run(0).steps.size(), std::size_t{3});
        QCOMPARE(runs.run(1).steps.size(), std::size_t{6});
        QCOMPARE(runs.longest(), 6);
        QVERIFY(!runs.canGoOn());
        need(runs.step({})); // there is nothing to do
        QCOMPARE(runs.longest(), 6);
    }

    void aCancelledStepIsMadeUpFor()
    {
        RunGroup runs = group({{}, sampled(3)});
        need(runs.advanceTo(4, {}));
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = runs.step(stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
        need(runs.step({}));
        need(runs.step({}));
        QVERIFY(runs.run(0).steps.size() == runs.run(1).steps.size());
        QVERIFY(sameOutcome(runs.run(1), alone(sampled(3), runs.longest())));
    }

    void changedSettingsMakeTheRunAnew()
    {
        RunGroup runs = group({{}, sampled(3)});
        need(runs.advanceTo(10, {}));
        need(runs.set(1, {bundledModel(), sampled(4, 1.3)}));
        need(runs.advanceTo(runs.longest(), {}));
        QVERIFY(sameOutcome(runs.run(1), alone(sampled(4, 1.3), 10)));
        QVERIFY(runs.member(1).config == sampled(4, 1.3));
        QVERIFY(sameOutcome(runs.run(0), alone({}, 10)));
        const auto bad = runs.set(1, {bundledModel(), sampled(4, -1)});
        QVERIFY(!bad && runs.member(1).config == sampled(4, 1.3));
    }

    void membersComeAndGo()
    {
        RunGroup runs = group({{}, sampled(3)});
        need(runs.advanceTo(5, {}));
        need(runs.set(2, {bundledModel(), sampled(9)}));
        QCOMPARE(runs.count(), 3);
        need(runs.advanceTo(5, {}));
        QVERIFY(sameOutcome(runs.run(2), alone(sampled(9), 5)));
        runs.remove(1);
        QCOMPARE(runs.count(), 2);
        QVERIFY(sameOutcome(runs.run(1), alone(sampled(9), 5)));
        runs.restart();
        QCOMPARE(runs.longest(), 0);
        QVERIFY(runs.canGoOn());
    }

    void settingsOnTheFirstContextDecodeItsLogits()
    {
        RunGroup runs = group({{}, sampled(11, 1.4)});
        need(runs.advanceTo(12, {}));
        const Run before = runs.run(0);
        for (int i = 0; i < 12; ++i) {
            const Step step = need(runs.onFirstContext(1, i, {}));
            const Step& first = before.steps[static_cast<std::size_t>(i)];
            QCOMPARE(step.logitsSha256, first.logitsSha256);
            QCOMPARE(step.contextLength, first.contextLength);
            QCOMPARE(step.sampling.temperature, 1.4);
            // Its own u of that step, whatever its own run has read meanwhile.
            QCOMPARE(step.draw->u, runs.run(1).steps[static_cast<std::size_t>(i)].draw->u);
        }
        QVERIFY(sameOutcome(runs.run(0), before));
        QVERIFY(!runs.onFirstContext(1, 12, {}) && !runs.onFirstContext(1, -1, {}));
        QVERIFY(equalButTimings(need(runs.onFirstContext(0, 4, {})), before.steps[4]));
    }

    void anotherModelReadsTheFirstContext()
    {
        const tests::TiedModelFolder folder;
        QVERIFY(folder.isValid());
        const auto other = need(LanguageModel::load(folder.fsPath()));
        RunGroup runs =
            need(RunGroup::start(prompt, {{bundledModel(), sampled(2)}, {other, {}}}, 1));
        need(runs.advanceTo(6, {}));
        QVERIFY(sameOutcome(runs.run(1), alone({}, 6, other)));
        // All that is said of the two models is the same; that they are two is known here.
        const auto parting = runs.comparison().runs[1].parting;
        QVERIFY(parting && parting->cause == PartingCause::Logits && !parting->sameModel);
        // By hand: the other model after the ids that the first run had read.
        std::vector<TokenId> ids;
        for (const ContextToken& token : runs.run(0).context.tokens)
            ids.push_back(token.piece.id);
        for (int i = 0; i < 4; ++i)
            ids.push_back(runs.run(0).steps[static_cast<std::size_t>(i)].picked);
        GenerationSession session = need(GenerationSession::start(other, ids, {}, 1));
        const Step expected = need(session.step({}));
        const Step found = need(runs.onFirstContext(1, 4, {}));
        QCOMPARE(found.logitsSha256, expected.logitsSha256);
        QCOMPARE(found.picked, expected.picked);
        QVERIFY(found.logitsSha256 != runs.run(0).steps[4].logitsSha256);
    }

    void saysWhatItCannotStart()
    {
        QVERIFY(!RunGroup::start(prompt, {}, 1));
        QVERIFY(!RunGroup::start(prompt, {{bundledModel(), sampled(1, -2)}}, 1));
    }
};

QTEST_APPLESS_MAIN(RunGroupTest)
#include "RunGroupTest.moc"
