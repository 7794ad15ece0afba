#include "engine/generation/GenerationSession.h"

#include "engine/decoding/Philox.h"
#include "engine/generation/Fingerprint.h"
#include "engine/generation/TraceFile.h"
#include "engine/model/ForwardState.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace engine;
using namespace testing;

namespace {

const std::string prompt = "Once upon a time, there was a little";

} // namespace

class GenerationSessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheReferenceOfTheBundledModel()
    {
        const auto items = referenceItems();
        QVERIFY(!items.empty());
        for (const ReferenceItem& item : items) {
            GenerationSession session = start(item.prompt);
            std::vector<TokenId> ids;
            for (const ContextToken& token : session.run().context.tokens)
                ids.push_back(token.piece.id);
            QVERIFY2(ids == item.ids, item.prompt.c_str());
            advance(session, static_cast<int>(item.greedy.size()));
            const Step& first = session.run().steps.at(0);
            for (std::size_t i = 0; i < item.top.size(); ++i) {
                QVERIFY(first.candidates[i].piece.id == item.top[i].id);
                QVERIFY(std::abs(first.candidates[i].probability - item.top[i].probability) < 1e-5);
            }
            QVERIFY2(picks(session.run()) == item.greedy, item.prompt.c_str());
            QCOMPARE(session.run().outputBytes, item.greedyText);
            QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
        }
    }

    void goesBackToALineItHadLeft()
    {
        GenerationSession session = start(prompt, sampled(3));
        advance(session, 8);
        const Run left = session.run();
        const Candidate& other = left.steps[4].candidates[7];
        QVERIFY(other.piece.id != left.steps[4].picked);
        need(session.force(4, other.piece.id, {}));
        advance(session, 4);
        need(session.adopt(left.steps, left.settings.sampling));
        QVERIFY(sameOutcome(session.run(), left));
        // And goes on from there as if it had never left.
        GenerationSession straight = start(prompt, sampled(3));
        advance(straight, 12);
        advance(session, 4);
        QVERIFY(sameOutcome(session.run(), straight.run()));
        // Settings act on the steps that came back.
        need(session.redecodeFrom(5, sampling(3, 0.01), {}));
        need(straight.redecodeFrom(5, sampling(3, 0.01), {}));
        QVERIFY(sameOutcome(session.run(), straight.run()));
    }

    void adoptRefusesWhatIsNotOfThisRun()
    {
        GenerationSession session = start(prompt, sampled(3));
        advance(session, 3);
        const Run before = session.run();
        for (const auto& spoil : std::vector<void (*)(Step&)>{
                 [](Step& step) { step.index = 7; }, [](Step& step) { ++step.contextLength; },
                 [](Step& step) { step.picked = TokenId{-1}; },
                 [](Step& step) { step.picked = TokenId{1 << 30}; }}) {
            std::vector<Step> steps = before.steps;
            spoil(steps[1]);
            const auto refused = session.adopt(steps, before.settings.sampling);
            QVERIFY(!refused && refused.error().code == ErrorCode::InvalidArgument);
            QVERIFY(refused.error().message.find("step 1") != std::string::npos);
        }
        SamplingConfig bad;
        bad.temperature = -1;
        QVERIFY(!session.adopt(before.steps, bad));
        QVERIFY(sameOutcome(session.run(), before));
    }

    void makesTheSameRunTwice()
    {
        GenerationSession a = start(prompt, sampled(3));
        GenerationSession b = start(prompt, sampled(3));
        advance(a, 12);
        advance(b, 12);
        QCOMPARE(a.run().steps.size(), std::size_t{12});
        QVERIFY(sameOutcome(a.run(), b.run()));
    }

    void makesTheSameRunWithOneAndTwoThreads()
    {
        GenerationSession a = start(prompt, sampled(5), 1);
        GenerationSession b = start(prompt, sampled(5), 2);
        advance(a, 10);
        advance(b, 10);
        QVERIFY(sameOutcome(a.run(), b.run()));
    }

    void getsTheSameLogitsFromThePromptAtOnceAndTokenByToken()
    {
        GenerationSession session = start(prompt);
        advance(session, 1);
        const Transformer& transformer = bundledModel()->transformer();
        const auto state = transformer.newState(1);
        std::vector<float> logits;
        for (const ContextToken& token : session.run().context.tokens)
            logits = need(transformer.forward(std::span(&token.piece.id, 1), *state, {}));
        QCOMPARE(logitsDigest(logits), session.run().steps[0].logitsSha256);
    }

    void getsTheSameStepsFromAPromptGivenAsForcedTokens()
    {
        GenerationSession whole = start(prompt);
        advance(whole, 4);
        std::vector<TokenId> ids;
        for (const ContextToken& token : whole.run().context.tokens)
            ids.push_back(token.piece.id);
        GenerationSession typed = start(std::vector<TokenId>{ids[0]});
        for (std::size_t i = 1; i < ids.size(); ++i) {
            advance(typed, 1);
            need(typed.force(static_cast<int>(i) - 1, ids[i], {}));
        }
        advance(typed, 4);
        for (std::size_t i = 0; i < 4; ++i) {
            const Step& a = whole.run().steps[i];
            const Step& b = typed.run().steps[i + ids.size() - 1];
            QCOMPARE(b.logitsSha256, a.logitsSha256);
            QVERIFY(b.candidates == a.candidates && b.others == a.others);
        }
    }

    void stepsBackAndForwardToTheSameTokens()
    {
        GenerationSession session = start(prompt, sampled(11));
        advance(session, 8);
        const Run before = session.run();
        for (const int back : {7, 3, 0}) {
            session.truncate(back);
            QCOMPARE(session.run().steps.size(), static_cast<std::size_t>(back));
            QCOMPARE(session.run().output.size(), static_cast<std::size_t>(back));
            advance(session, 8 - back);
            QVERIFY(sameOutcome(session.run(), before));
        }
        session.truncate(20);
        QVERIFY(sameOutcome(session.run(), before));
    }

    void redecodesUnderTheSameSettingsToTheSameRun()
    {
        GenerationSession session = start(prompt, sampled(11));
        advance(session, 6);
        const Run before = session.run();
        need(session.redecodeFrom(0, sampling(11), {}));
        QVERIFY(sameOutcome(session.run(), before));
        QCOMPARE(session.run().steps[2].timings.forward.count(),
                 before.steps[2].timings.forward.count());
    }

    void redecodesToWhatAFreshRunUnderThoseSettingsGives()
    {
        SamplingConfig other = sampling(2, 0.8);
        other.topK = 12;
        other.topP = 0.9;
        other.repetitionPenalty = 1.2;
        for (const SamplingConfig& changed :
             {sampling(12), sampling(11, 1.5), other, SamplingConfig()}) {
            GenerationSession session = start(prompt, sampled(11));
            advance(session, 8);
            need(session.redecodeFrom(0, changed, {}));
            QVERIFY(session.run().steps.size() >= 1);
            advance(session, 8 - static_cast<int>(session.run().steps.size()));
            RunConfig config;
            config.sampling = changed;
            GenerationSession fresh = start(prompt, config);
            advance(fresh, 8);
            QVERIFY(sameOutcome(session.run(), fresh.run()));
            QVERIFY(session.run().settings == fresh.run().settings);
        }
    }

    void redecodeDropsOnlyWhatFollowedAnotherToken()
    {
        GenerationSession session = start(prompt, sampled(11));
        advance(session, 8);
        const Run before = session.run();
        need(session.redecodeFrom(3, sampling(12), {}));
        const Run& after = session.run();
        QVERIFY(after.settings.sampling == sampling(12));
        std::size_t same = 0;
        while (same < after.steps.size() && after.steps[same].picked == before.steps[same].picked)
            ++same;
        QVERIFY(same >= 3);
        // Seeds 11 and 12 part at some step from 3 on; nothing stays behind it.
        QVERIFY(same < 8);
        QCOMPARE(after.steps.size(), same + 1);
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(equalButTimings(after.steps[i], before.steps[i]));
        for (std::size_t i = 3; i < after.steps.size(); ++i)
            QVERIFY(after.steps[i].sampling == sampling(12));
        QCOMPARE(after.output.size(), after.steps.size());
    }

    void redecodeAtTheEndConcernsTheStepsToCome()
    {
        GenerationSession session = start(prompt);
        advance(session, 2);
        need(session.redecodeFrom(2, sampling(4), {}));
        QCOMPARE(session.run().steps.size(), std::size_t{2});
        advance(session, 1);
        QVERIFY(session.run().steps[2].rule == DecodingRule::Sample);
        QVERIFY(session.run().steps[1].rule == DecodingRule::Greedy);
    }

    void forcesATokenAndGoesOnFromIt()
    {
        GenerationSession session = start(prompt);
        advance(session, 5);
        const Run before = session.run();
        const TokenId other = before.steps[2].candidates[3].piece.id;
        need(session.force(2, other, {}));
        const Run& after = session.run();
        QCOMPARE(after.steps.size(), std::size_t{3});
        QVERIFY(after.steps[2].forced && after.steps[2].picked == other);
        QVERIFY(after.steps[2].ruleChoice == before.steps[2].picked);
        QVERIFY(after.output.back().id == other);
        advance(session, 1);
        // What follows is what follows that context.
        std::vector<TokenId> ids;
        for (const ContextToken& token : before.context.tokens)
            ids.push_back(token.piece.id);
        for (std::size_t i = 0; i < 3; ++i)
            ids.push_back(session.run().steps[i].picked);
        GenerationSession fresh = start(ids);
        advance(fresh, 1);
        QCOMPARE(session.run().steps[3].logitsSha256, fresh.run().steps[0].logitsSha256);
    }

    void takesAForcingBack()
    {
        GenerationSession session = start(prompt, sampled(8));
        advance(session, 4);
        const Run before = session.run();
        const Step& last = before.steps[3];
        const TokenId other = last.candidates[last.candidates[0].piece.id == last.picked].piece.id;
        need(session.force(3, other, {}));
        QVERIFY(session.run().steps[3].forced);
        QVERIFY(session.run().steps[3].draw == last.draw);
        need(session.force(3, session.run().steps[3].ruleChoice, {}));
        QVERIFY(sameOutcome(session.run(), before));
    }

    void keepsWhatFollowsWhereForcingChangesNothing()
    {
        GenerationSession session = start(prompt);
        advance(session, 4);
        const Run before = session.run();
        need(session.force(1, before.steps[1].picked, {}));
        QVERIFY(sameOutcome(session.run(), before));
    }

    void drawsAStepAgainAndKeepsTheNewDraw()
    {
        GenerationSession session = start(prompt, sampled(3));
        advance(session, 6);
        const Run before = session.run();
        int attempt = 0;
        do
            need(session.redraw(2, ++attempt, {}));
        while (session.run().steps[2].picked == before.steps[2].picked);
        QCOMPARE(session.run().steps.size(), std::size_t{3});
        const Draw drawn = session.run().steps[2].draw.value();
        QVERIFY(drawn.attempt == attempt && drawn.u == uniform(3, 2, attempt));
        // Settings move, the draw is held.
        need(session.redecodeFrom(2, sampling(3, 0.5), {}));
        QVERIFY(session.run().steps[2].draw->u == drawn.u);
        QVERIFY(session.run().steps[2].draw->attempt == attempt);
        // Another seed has numbers of its own; attempt 0 is the step's own.
        need(session.redecodeFrom(2, sampling(4), {}));
        QVERIFY(session.run().steps[2].draw->u == uniform(4, 2));
        need(session.redecodeFrom(2, sampling(3), {}));
        need(session.redraw(2, 0, {}));
        QVERIFY(equalButTimings(session.run().steps[2], before.steps[2]));
    }

    void drawsNothingAgainWhereNothingWasDrawn()
    {
        GenerationSession session = start(prompt);
        advance(session, 2);
        for (const auto& [index, attempt] : {std::pair(2, 1), std::pair(-1, 1), std::pair(1, 1)}) {
            const auto done = session.redraw(index, attempt, {});
            QVERIFY(!done && done.error().code == ErrorCode::InvalidArgument);
        }
        GenerationSession drawing = start(prompt, sampled(3));
        advance(drawing, 1);
        QVERIFY(!drawing.redraw(0, -1, {}));
    }

    void forcesATokenThatIsNotListed()
    {
        RunConfig config;
        config.topCandidates = 2;
        GenerationSession session = start(prompt, config);
        advance(session, 1);
        const TokenId last{bundledModel()->transformer().config().vocabularySize - 1};
        need(session.force(0, last, {}));
        const Step& step = session.run().steps[0];
        QVERIFY(step.find(last) != nullptr);
        QVERIFY(step.find(step.ruleChoice) != nullptr);
    }

    void keepsForcedPicksWhenSettingsChange()
    {
        GenerationSession session = start(prompt);
        advance(session, 1);
        const TokenId other = session.run().steps[0].candidates[5].piece.id;
        need(session.force(0, other, {}));
        need(session.redecodeFrom(0, sampling(1), {}));
        QVERIFY(session.run().steps[0].forced && session.run().steps[0].picked == other);
        QVERIFY(session.run().steps[0].draw.has_value());
    }

    void computesLogitsAgainThatDidNotFitInMemory()
    {
        GenerationSession roomy = start(prompt, sampled(21));
        GenerationSession tight = start(prompt, sampled(21));
        tight.setLogitsBudget(0);
        advance(roomy, 10);
        advance(tight, 10);
        QVERIFY(sameOutcome(roomy.run(), tight.run()));
        for (GenerationSession* session : {&roomy, &tight}) {
            need(session->redecodeFrom(4, sampling(22, 0.01), {}));
            advance(*session, 10 - static_cast<int>(session->run().steps.size()));
            need(session->force(1, session->run().steps[1].candidates[4].piece.id, {}));
            advance(*session, 5);
        }
        QVERIFY(sameOutcome(roomy.run(), tight.run()));
    }

    void isLeftAsItWasByACancelledStep()
    {
        GenerationSession session = start(prompt, sampled(6));
        advance(session, 2);
        const Run before = session.run();
        std::stop_source source;
        source.request_stop();
        const auto step = session.step(source.get_token());
        QVERIFY(!step);
        QCOMPARE(step.error().code, ErrorCode::Cancelled);
        QVERIFY(sameOutcome(session.run(), before));
        advance(session, 2);
        GenerationSession fresh = start(prompt, sampled(6));
        advance(fresh, 4);
        QVERIFY(sameOutcome(session.run(), fresh.run()));
    }

    void isLeftAsItWasByACancelledRedecode()
    {
        GenerationSession session = start(prompt, sampled(6));
        session.setLogitsBudget(0);
        advance(session, 5);
        const Run before = session.run();
        std::stop_source source;
        source.request_stop();
        const auto result = session.redecodeFrom(0, sampling(7), source.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QVERIFY(sameOutcome(session.run(), before));
        QVERIFY(session.run().settings == before.settings);
    }

    void mayMoveBetweenThreads()
    {
        GenerationSession session = start(prompt, sampled(6), 2);
        std::jthread([&] { advance(session, 2); }).join();
        GenerationSession moved = std::move(session);
        advance(moved, 2);
        GenerationSession fresh = start(prompt, sampled(6), 2);
        advance(fresh, 4);
        QVERIFY(sameOutcome(moved.run(), fresh.run()));
    }

    void describesTheRunInItsTrace()
    {
        GenerationSession session = start(prompt, sampled(6));
        const Run& run = session.run();
        QVERIFY(QString::fromStdString(run.program).startsWith(QStringLiteral("tokenscope ")));
        QCOMPARE(run.context.text, prompt);
        QCOMPARE(run.context.sha256.size(), std::size_t{64});
        QCOMPARE(run.model.vocabularySize, bundledModel()->info().vocabularySize);
        QVERIFY(run.settings.sampling == sampling(6));
        advance(session, 1);
        const Step& step = session.run().steps[0];
        QCOMPARE(step.contextLength, static_cast<int>(run.context.tokens.size()));
        QCOMPARE(step.candidates.size(), std::size_t(20 + (step.find(step.picked)->rank > 20)));
        QVERIFY(!step.candidates[0].piece.bytes.empty());
        QCOMPARE(step.others.count, static_cast<std::int64_t>(run.model.vocabularySize) -
                                        static_cast<std::int64_t>(step.candidates.size()));
        QVERIFY(step.timings.forward.count() > 0);
    }

    void refusesWhatCannotBeDone()
    {
        GenerationSession session = start(prompt);
        advance(session, 2);
        const Run before = session.run();
        QCOMPARE(session.redecodeFrom(3, {}, {}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(session.redecodeFrom(-1, {}, {}).error().code, ErrorCode::InvalidArgument);
        SamplingConfig bad;
        bad.minP = 7;
        QCOMPARE(session.redecodeFrom(0, bad, {}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(session.force(2, TokenId{0}, {}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(session.force(-1, TokenId{0}, {}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(session.force(0, TokenId{-1}, {}).error().code, ErrorCode::InvalidArgument);
        const TokenId beyond{bundledModel()->transformer().config().vocabularySize};
        QCOMPARE(session.force(0, beyond, {}).error().code, ErrorCode::InvalidArgument);
        QVERIFY(sameOutcome(session.run(), before));
    }

    void refusesSettingsOutOfRange()
    {
        RunConfig config;
        config.sampling.temperature = -1;
        const auto session = GenerationSession::start(bundledModel(), prompt, config, 1);
        QVERIFY(!session);
        QCOMPARE(session.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(GenerationSession::start(bundledModel(), prompt, {}, 0).error().code,
                 ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(GenerationSessionTest)
#include "GenerationSessionTest.moc"
