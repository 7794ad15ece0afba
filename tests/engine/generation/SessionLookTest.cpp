#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using engine::Candidate;
using engine::ErrorCode;
using engine::GenerationSession;
using engine::Step;
using engine::TokenId;
using testing::need;

namespace {

const std::string prompt = "Once upon a time, there was a little";

bool sameNumbers(const Candidate& a, const Candidate& b)
{
    return a.piece == b.piece && a.logit == b.logit && a.probability == b.probability &&
           a.finalProbability == b.finalProbability && a.rank == b.rank &&
           a.removedBy == b.removedBy;
}

std::vector<std::int32_t> watchedIds(const Step& step)
{
    std::vector<std::int32_t> ids;
    for (const Candidate& candidate : step.watched)
        ids.push_back(candidate.piece.id.value);
    return ids;
}

} // namespace

/// Looking closer at a run: watched tokens, any token of the vocabulary, the prompt's own tokens.
class SessionLookTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void watchedTokensAreInTheStepsMadeAndInThoseToCome()
    {
        GenerationSession session = testing::start(prompt, testing::sampled(5, 0.9));
        GenerationSession plain = testing::start(prompt, testing::sampled(5, 0.9));
        testing::advance(plain, 6);
        testing::advance(session, 3);
        QVERIFY(session.watch({TokenId{513}, TokenId{4000}}, {}));
        testing::advance(session, 3);
        for (const Step& step : session.run().steps) {
            QCOMPARE(watchedIds(step), std::vector<std::int32_t>({513, 4000}));
            QVERIFY(!step.watched[0].piece.bytes.empty());
        }
        QVERIFY(testing::sameOutcome(session.run(), plain.run()));

        QVERIFY(session.watch({TokenId{7}}, {}));
        for (const Step& step : session.run().steps)
            QCOMPARE(watchedIds(step), std::vector<std::int32_t>({7}));
        QVERIFY(session.watch({}, {}));
        for (const Step& step : session.run().steps)
            QVERIFY(step.watched.empty());
        QCOMPARE(session.watch({TokenId{4096}}, {}).error().code, ErrorCode::InvalidArgument);
    }

    void aTokenAmongTheCandidatesIsSeenTheSameWhenWatched()
    {
        GenerationSession session = testing::start(prompt, testing::sampled(5));
        const Step first = need(session.step({}));
        const auto found = need(session.lookUp(0, std::vector{first.candidates[4].piece.id}, {}));
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(sameNumbers(found[0], first.candidates[4]));
    }

    void everyTokenOfTheVocabularyCanBeLookedUp()
    {
        GenerationSession session = testing::start(prompt, testing::sampled(5));
        need(session.step({}));
        need(session.step({}));
        std::vector<TokenId> all;
        for (std::int32_t id = 0; id < session.run().model.vocabularySize; ++id)
            all.push_back(TokenId{id});
        const auto found = need(session.lookUp(0, all, {}));
        QCOMPARE(found.size(), all.size());
        // Softmax sums to one, the ranks are those of a sort, and p is e^logit / sum e^logit.
        double sum = 0;
        std::vector<bool> seen(all.size() + 1);
        for (const Candidate& candidate : found) {
            sum += candidate.probability;
            QVERIFY(!seen[static_cast<std::size_t>(candidate.rank)]);
            seen[static_cast<std::size_t>(candidate.rank)] = true;
            const double expected =
                std::exp(static_cast<double>(candidate.logit) - session.run().steps[0].logSumExp);
            QVERIFY(std::abs(candidate.probability - expected) <= 1e-12 * expected + 1e-300);
        }
        QVERIFY(std::abs(sum - 1) < 1e-12);
        QCOMPARE(session.run().steps[0].watched.size(), std::size_t(0));

        QCOMPARE(session.lookUp(2, all, {}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(session.lookUp(0, std::vector{TokenId{-1}}, {}).error().code,
                 ErrorCode::InvalidArgument);
    }

    void whatIsLookedUpIsOfTheSettingsThatTheStepWasMadeWith()
    {
        engine::RunConfig config = testing::sampled(5);
        config.sampling.topK = 3;
        GenerationSession session = testing::start(prompt, config);
        const Step step = need(session.step({}));
        const auto found = need(session.lookUp(0, std::vector{step.candidates[5].piece.id}, {}));
        QVERIFY(found[0].removedBy == engine::SamplingStage::TopK);
    }

    void aPromptTokenWasExpectedAsByARunThatEndsBeforeIt()
    {
        GenerationSession session = testing::start(prompt, testing::sampled(5));
        testing::advance(session, 2);
        const engine::Run before = session.run();
        const std::vector<engine::ContextToken> tokens = before.context.tokens;
        const int count = static_cast<int>(tokens.size());
        for (const int position : {4, 1, count - 1, 3}) {
            const Step step = need(session.promptStep(position, {}));
            std::vector<TokenId> ids;
            for (int i = 0; i < position; ++i)
                ids.push_back(tokens[static_cast<std::size_t>(i)].piece.id);
            GenerationSession cut = testing::start(ids, testing::sampled(5));
            const Step expected = need(cut.step({}));
            QCOMPARE(step.logitsSha256, expected.logitsSha256); // to the bit
            QCOMPARE(step.index, position - count);
            QCOMPARE(step.contextLength, position);
            QCOMPARE(step.picked.value, tokens[static_cast<std::size_t>(position)].piece.id.value);
            QVERIFY(!step.forced && !step.draw && step.ruleChoice == step.picked);
            QVERIFY(step.stages.empty());
            const Candidate* given = step.find(step.picked);
            QVERIFY(given);
            const auto looked = need(cut.lookUp(0, std::vector{step.picked}, {}));
            QCOMPARE(given->logit, looked[0].logit);
            QCOMPARE(given->probability, looked[0].probability);
            QCOMPARE(given->rank, looked[0].rank);
            QCOMPARE(given->finalProbability, 0.0);
            // Twenty and the given one.
            QVERIFY(step.candidates.size() <= 21);
            double sum = step.others.probability;
            for (const Candidate& candidate : step.candidates)
                sum += candidate.probability;
            QVERIFY(std::abs(sum - 1) < 1e-9);
        }
        QVERIFY(testing::sameOutcome(session.run(), before));
        testing::advance(session, 2);
        GenerationSession plain = testing::start(prompt, testing::sampled(5));
        testing::advance(plain, 4);
        QVERIFY(testing::sameOutcome(session.run(), plain.run()));
    }

    void beforeTheFirstTokenNothingIsExpected()
    {
        GenerationSession session = testing::start(prompt, testing::sampled(5));
        QCOMPARE(session.promptStep(0, {}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(session.promptStep(100, {}).error().code, ErrorCode::InvalidArgument);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(session.promptStep(3, stop.get_token()).error().code, ErrorCode::Cancelled);
        QVERIFY(session.promptStep(3, {}));
    }
};

QTEST_APPLESS_MAIN(SessionLookTest)
#include "SessionLookTest.moc"
