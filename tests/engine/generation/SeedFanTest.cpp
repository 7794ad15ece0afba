#include "engine/generation/SeedFan.h"

#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using engine::RunInputs;
using engine::SeedFan;
using testing::need;

namespace {

RunInputs inputs()
{
    RunInputs result;
    result.model = testing::bundledModel();
    result.prompt = std::string("Once upon a time, there was a little");
    result.config = testing::sampled(40, 0.9);
    result.config.maxNewTokens = 10;
    return result;
}

} // namespace

class SeedFanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachPathIsTheRunOfItsSeed()
    {
        const SeedFan fan = need(engine::seedFan(inputs(), 5, {}));
        QCOMPARE(fan.seeds.size(), std::size_t(5));
        QVERIFY(!fan.greedy.seed);
        for (std::size_t i = 0; i < fan.seeds.size(); ++i) {
            RunInputs own = inputs();
            own.config.sampling.seed = 40 + i;
            QVERIFY(engine::fanPath(need(engine::runToStop(own, {}))) == fan.seeds[i]);
            QCOMPARE(*fan.seeds[i].seed, 40 + i);
        }
        RunInputs greedy = inputs();
        greedy.config.sampling.rule = engine::DecodingRule::Greedy;
        QVERIFY(engine::fanPath(need(engine::runToStop(greedy, {}))) == fan.greedy);
    }

    void theSumIsThatOfThePicksLogarithms()
    {
        const engine::Run run = need(engine::runToStop(inputs(), {}));
        const engine::FanPath path = engine::fanPath(run);
        double sum = 0;
        for (std::size_t i = 0; i < run.steps.size(); ++i) {
            sum += std::log(run.steps[i].find(run.steps[i].picked)->probability);
            QVERIFY(std::abs(path.logProbability[i] - sum) < 1e-9);
        }
        QCOMPARE(path.text, run.outputBytes);
    }

    void agreementFallsAndNeverRises()
    {
        const SeedFan fan = need(engine::seedFan(inputs(), 12, {}));
        double before = 1;
        for (int step = 0; step < 10; ++step) {
            const double share = fan.agreeingShare(step);
            // Counted afresh.
            int agreeing = 0;
            for (const engine::FanPath& path : fan.seeds) {
                bool same = true;
                for (int i = 0; i <= step; ++i)
                    same = same && static_cast<std::size_t>(i) < path.picks.size() &&
                           path.picks[std::size_t(i)].id == fan.greedy.picks[std::size_t(i)].id;
                agreeing += same ? 1 : 0;
            }
            QCOMPARE(share, agreeing / 12.0);
            QVERIFY(share <= before);
            before = share;
        }
        QVERIFY(before < 1); // twelve draws of ten tokens at 0.9 do not all equal the greedy text
    }

    void seedsGoOnPastTheLargest()
    {
        RunInputs last = inputs();
        last.config.sampling.seed = std::numeric_limits<std::uint64_t>::max();
        last.config.maxNewTokens = 2;
        const SeedFan fan = need(engine::seedFan(last, 2, {}));
        QCOMPARE(*fan.seeds[1].seed, std::uint64_t(0));
    }

    void cancellingEndsIt()
    {
        std::stop_source stop;
        const auto fan = engine::seedFan(inputs(), 5, stop.get_token(), [&](int seeds, int) {
            if (seeds == 1)
                stop.request_stop();
        });
        QVERIFY(!fan);
        QCOMPARE(fan.error().code, engine::ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(SeedFanTest)
#include "SeedFanTest.moc"
