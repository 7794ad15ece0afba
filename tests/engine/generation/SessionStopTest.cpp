// Why and where a session stops.

#include "engine/generation/GenerationSession.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

const std::string prompt = "Once upon a time, there was a little";

RunConfig limit(int count)
{
    RunConfig config;
    config.maxNewTokens = count;
    return config;
}

std::vector<TokenId> promptOf(int length)
{
    const auto ids = need(bundledModel()->tokenizer().encode(prompt, {}));
    std::vector<TokenId> result;
    for (int i = 0; i < length; ++i)
        result.push_back(ids[static_cast<std::size_t>(i) % ids.size()].id);
    return result;
}

int contextLength()
{
    return bundledModel()->transformer().config().contextLength;
}

TokenId stopToken()
{
    return bundledModel()->stopTokens().at(0);
}

} // namespace

class SessionStopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stopsAtTheLengthLimit()
    {
        GenerationSession session = start(prompt, limit(3));
        QVERIFY(!session.stopReason());
        advance(session, 99);
        QCOMPARE(session.run().steps.size(), std::size_t{3});
        QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
        const auto further = session.step({});
        QVERIFY(!further);
        QCOMPARE(further.error().code, ErrorCode::InvalidArgument);
    }

    void aLimitOfZeroStopsAtOnce()
    {
        const GenerationSession session = start(prompt, limit(0));
        QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
        QVERIFY(session.run().steps.empty() && session.run().output.empty());
    }

    void aNewLimitLiftsOrSetsTheStop()
    {
        GenerationSession session = start(prompt, limit(2));
        advance(session, 9);
        session.setMaxNewTokens(4);
        QVERIFY(!session.stopReason());
        advance(session, 9);
        QCOMPARE(session.run().steps.size(), std::size_t{4});
        session.setMaxNewTokens(1);
        QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
        QCOMPARE(session.run().settings.maxNewTokens, 1);
        QCOMPARE(session.run().steps.size(), std::size_t{4});
        session.truncate(0);
        QVERIFY(!session.stopReason());
    }

    void stopsAtAStopTokenAndLeavesItOutOfTheOutput()
    {
        GenerationSession session = start(prompt, limit(10));
        advance(session, 3);
        const std::string text = session.run().outputBytes;
        advance(session, 1);
        need(session.force(3, stopToken(), {}));
        QVERIFY(session.stopReason() == StopReason::StopToken);
        QCOMPARE(session.run().steps.size(), std::size_t{4});
        QCOMPARE(session.run().output.size(), std::size_t{3});
        QCOMPARE(session.run().outputBytes, text);
        // Taken back, the run can go on.
        need(session.force(3, session.run().steps[3].ruleChoice, {}));
        QVERIFY(!session.stopReason());
        QCOMPARE(session.run().output.size(), std::size_t{4});
    }

    void goesOnPastAStopTokenIfTold()
    {
        RunConfig config = limit(10);
        config.ignoreStopTokens = true;
        GenerationSession session = start(prompt, config);
        advance(session, 1);
        need(session.force(0, stopToken(), {}));
        QVERIFY(!session.stopReason());
        QVERIFY(session.run().output.at(0).id == stopToken());
        advance(session, 1);
        QCOMPARE(session.run().steps.size(), std::size_t{2});
    }

    void stopsAtAStopTextAndCutsNothing()
    {
        const ReferenceItem item = referenceItems().at(0);
        // Somewhere inside the text, across a border of two tokens.
        const std::string& text = item.greedyText;
        const std::string stop = text.substr(text.find('.') - 2, 4);
        RunConfig config = limit(25);
        config.stopTexts = {"never written", stop};
        GenerationSession session = start(item.prompt, config);
        advance(session, 25);
        QVERIFY(session.stopReason() == StopReason::StopText);
        const std::string& output = session.run().outputBytes;
        QVERIFY(output.find(stop) != std::string::npos);
        QVERIFY(text.starts_with(output));
        // It was not there a token earlier.
        session.truncate(static_cast<int>(session.run().steps.size()) - 1);
        QVERIFY(!session.stopReason());
        QVERIFY(session.run().outputBytes.find(stop) == std::string::npos);
    }

    void doesNotStopForAStopTextInThePrompt()
    {
        RunConfig config = limit(2);
        config.stopTexts = {"Once upon"};
        GenerationSession session = start(prompt, config);
        QVERIFY(!session.stopReason());
        advance(session, 2);
        QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
    }

    void stopsWhereTheContextIsFull()
    {
        GenerationSession session = start(promptOf(contextLength() - 2), limit(100));
        advance(session, 100);
        // The model reads up to its context length; the token after that is made but not read.
        QVERIFY(session.stopReason() == StopReason::ContextFull);
        QCOMPARE(session.run().steps.size(), std::size_t{3});
        QCOMPARE(session.run().steps.back().contextLength, contextLength());
    }

    void aPromptLongerThanTheContextStopsAtOnce()
    {
        const GenerationSession session = start(promptOf(contextLength() + 1), limit(100));
        QVERIFY(session.stopReason() == StopReason::ContextFull);
        QVERIFY(session.run().steps.empty());
        QCOMPARE(static_cast<int>(session.run().context.tokens.size()), contextLength() + 1);
        GenerationSession fits = start(promptOf(contextLength()), limit(100));
        QVERIFY(!fits.stopReason());
        advance(fits, 2);
        QCOMPARE(fits.run().steps.size(), std::size_t{1});
    }

    void namesTheFirstOfSeveralReasons()
    {
        GenerationSession both = start(promptOf(contextLength()), limit(1));
        advance(both, 5);
        QVERIFY(both.stopReason() == StopReason::MaxNewTokens);
        need(both.force(0, stopToken(), {}));
        QVERIFY(both.stopReason() == StopReason::StopToken);
        RunConfig config = limit(1);
        const ReferenceItem item = referenceItems().at(0);
        config.stopTexts = {item.greedyText.substr(0, 1)};
        GenerationSession text = start(item.prompt, config);
        advance(text, 5);
        QVERIFY(text.stopReason() == StopReason::StopText);
    }

    void aCancelledRunCanGoOn()
    {
        GenerationSession session = start(prompt, limit(4));
        advance(session, 2);
        session.cancel();
        QVERIFY(session.stopReason() == StopReason::Cancelled);
        need(session.step({}));
        QVERIFY(!session.stopReason());
        need(session.step({}));
        QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
        session.cancel(); // has ended already, for its own reason
        QVERIFY(session.stopReason() == StopReason::MaxNewTokens);
    }
};

QTEST_APPLESS_MAIN(SessionStopTest)
#include "SessionStopTest.moc"
