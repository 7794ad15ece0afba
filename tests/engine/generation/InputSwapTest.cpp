#include "engine/generation/InputSwap.h"

#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using engine::InputSwap;
using engine::RepeatableRun;
using engine::RunInput;
using engine::SwapGrid;
using testing::need;

namespace {

RepeatableRun made(const std::string& prompt, const engine::RunConfig& config)
{
    engine::RunConfig limited = config;
    limited.maxNewTokens = 8;
    return {need(engine::runToStop({testing::bundledModel(), prompt, limited, 1}, {})),
            testing::bundledModel()};
}

const InputSwap* find(const SwapGrid& grid, RunInput input, const std::string& setting = {})
{
    for (const InputSwap& swap : grid.swaps)
        if (swap.input == input && swap.setting == setting)
            return &swap;
    return nullptr;
}

} // namespace

class InputSwapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSettingThatPartedThemIsProved()
    {
        engine::RunConfig a = testing::sampled(3);
        engine::RunConfig b = testing::sampled(4); // another seed, and a limit without effect
        b.sampling.topK = 4096;
        const auto grid = need(
            engine::swapInputs(made("Once upon a time", a), made("Once upon a time", b), 1, {}));
        QVERIFY(grid.repeats());
        QVERIFY(!find(grid, RunInput::Context));
        QVERIFY(!find(grid, RunInput::Model));
        QVERIFY(find(grid, RunInput::Settings)->isCause());
        QVERIFY(find(grid, RunInput::Settings, "seed")->isCause());
        const InputSwap* topK = find(grid, RunInput::Settings, "top-k");
        QVERIFY(topK && !topK->isCause());
        QVERIFY(topK->aWithB.likeA && topK->bWithA.likeB);
    }

    void theContextThatPartedThemIsProved()
    {
        const auto grid = need(engine::swapInputs(made("Once upon a time", testing::sampled(3)),
                                                  made("The dog ran", testing::sampled(3)), 1, {}));
        QVERIFY(grid.repeats());
        QCOMPARE(grid.swaps.size(), std::size_t(1));
        QVERIFY(find(grid, RunInput::Context)->isCause());
    }

    void equalRunsHaveNothingToSwap()
    {
        const RepeatableRun run = made("Once upon a time", testing::sampled(3));
        const auto grid = need(engine::swapInputs(run, run, 1, {}));
        QVERIFY(grid.repeats());
        QVERIFY(grid.swaps.empty());
    }

    void aModelThatIsNotOpenIsAFault()
    {
        const RepeatableRun a = made("Once upon a time", testing::sampled(3));
        RepeatableRun b = made("Once upon a time", testing::sampled(4));
        b.model = nullptr;
        const auto grid = need(engine::swapInputs(a, b, 1, {}));
        QVERIFY(!grid.b.fault.empty());
        QVERIFY(!grid.repeats());
        QVERIFY(grid.a.likeA);
    }

    void cancellingEndsIt()
    {
        std::stop_source stop;
        stop.request_stop();
        const RepeatableRun a = made("Once upon a time", testing::sampled(3));
        const RepeatableRun b = made("Once upon a time", testing::sampled(4));
        QCOMPARE(engine::swapInputs(a, b, 1, stop.get_token()).error().code,
                 engine::ErrorCode::Cancelled);
    }

    void progressEndsAtAllRuns()
    {
        int done = 0;
        int all = 0;
        const RepeatableRun a = made("Once upon a time", testing::sampled(3));
        const RepeatableRun b = made("Once upon a time", testing::sampled(4));
        need(engine::swapInputs(a, b, 1, {}, [&](int runs, int total) {
            done = runs;
            all = total;
        }));
        QCOMPARE(all, 4); // each once more, and the seed both ways
        QCOMPARE(done, all);
    }
};

QTEST_APPLESS_MAIN(InputSwapTest)
#include "InputSwapTest.moc"
