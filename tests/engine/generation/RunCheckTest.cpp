#include "engine/generation/RunCheck.h"

#include "engine/generation/RunFingerprint.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using engine::ErrorCode;
using engine::RunInputs;
using testing::need;

namespace {

RunInputs inputs(std::uint64_t seed, int threads = 2)
{
    RunInputs result;
    result.model = testing::bundledModel();
    result.prompt = std::string("Once upon a time");
    result.config = testing::sampled(seed);
    result.config.maxNewTokens = 8;
    result.threads = threads;
    return result;
}

} // namespace

class RunCheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsFromTheSameInputsAgreeAtEveryNumberOfThreads()
    {
        int reported = 0;
        const auto check = need(engine::checkRuns(inputs(7), 4, {}, [&](int runs, int steps) {
            QVERIFY(runs >= 0 && runs < 4 && steps <= 8);
            ++reported;
        }));
        QCOMPARE(check.runs.size(), std::size_t(4));
        QVERIFY(check.agree());
        QVERIFY(reported >= 4 * 8);
        QCOMPARE(check.runs[0].threads, 2);
        QCOMPARE(check.runs[1].threads, 1);
        QCOMPARE(check.runs[2].threads, 2);
        for (const engine::CheckedRun& run : check.runs) {
            QVERIFY(run.fingerprint == check.runs[0].fingerprint);
            QCOMPARE(run.stepCount, 8);
            QVERIFY(!run.partsAt);
            QVERIFY(run.sentence.empty());
        }
        QVERIFY(!check.closeCalls.empty());
    }

    void aRunThatDiffersIsToldApart()
    {
        const auto first = need(engine::runToStop(inputs(7), {}));
        const auto other = need(engine::runToStop(inputs(8), {}));
        const engine::CheckedRun told = engine::checkedRun(first, other, 1);
        QVERIFY(!told.same);
        QVERIFY(told.partsAt == 0); // another u at once, even where the token is the same
        QVERIFY(!told.sentence.empty());
    }

    void cancellingEndsIt()
    {
        std::stop_source stop;
        const auto check = engine::checkRuns(inputs(7), 3, stop.get_token(), [&](int runs, int) {
            if (runs == 1)
                stop.request_stop();
        });
        QVERIFY(!check);
        QCOMPARE(check.error().code, ErrorCode::Cancelled);
        const auto partial = need(engine::runToStop(inputs(7), stop.get_token()));
        QVERIFY(partial.stop == engine::StopReason::Cancelled);
    }

    void aRunIsMadeAgainFromWhatItRecords()
    {
        const auto run = need(engine::runToStop(inputs(7), {}));
        QVERIFY(engine::promptOf(run) == engine::Prompt(std::string("Once upon a time")));
        engine::Run byIds = run;
        byIds.context.text.clear();
        RunInputs again = inputs(7);
        again.prompt = engine::promptOf(byIds);
        const auto same = need(engine::runToStop(again, {}));
        QVERIFY(engine::fingerprintOf(same) == engine::fingerprintOf(run));
    }

    void badInputsAreRefused()
    {
        RunInputs bad = inputs(7);
        bad.config.sampling.topP = 2;
        QCOMPARE(engine::checkRuns(bad, 2, {}).error().code, ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(RunCheckTest)
#include "RunCheckTest.moc"
