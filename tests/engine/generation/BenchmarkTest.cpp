#include "engine/generation/Benchmark.h"

#include "engine/tensor/MatVec.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

#include <algorithm>

using namespace engine;
using namespace testing;

namespace {

std::filesystem::path tiny(const char* name)
{
    return std::filesystem::path(TOKENSCOPE_TEST_DATA) / "models" / name;
}

std::string errorOf(const BenchmarkOptions& options)
{
    const auto result = benchmark(modelFolder(), options, {});
    return result ? "no error" : result.error().message;
}

} // namespace

class BenchmarkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void measuresEachRepetition()
    {
        const Benchmark result = need(benchmark(modelFolder(), {32, 8, 3, 2}, {}));
        QCOMPARE(result.promptTokensPerSecond.size(), std::size_t{3});
        QCOMPARE(result.decodeTokensPerSecond.size(), std::size_t{3});
        for (const auto& rates : {result.promptTokensPerSecond, result.decodeTokensPerSecond})
            QVERIFY(std::all_of(rates.begin(), rates.end(), [](double rate) { return rate > 0; }));
        QVERIFY(result.loadMilliseconds > 0);
        QVERIFY(result.firstLogitsMilliseconds > result.loadMilliseconds);
        QCOMPARE(result.kernels, kernelTarget());
        QCOMPARE(result.threads, 2);
        const auto weights = std::filesystem::file_size(modelFolder() / "model.safetensors");
        QVERIFY(result.peakResidentBytes > static_cast<std::int64_t>(weights / 2));
    }

    // A tied embedding is read whole as the output layer; of positions, one row is read.
    void countsTheBytesThatATokenReads()
    {
        const auto model = need(LanguageModel::load(tiny("gpt2-f32")));
        const ModelInfo info = model->info();
        const std::int64_t positions = std::int64_t{info.contextLength} * info.width;
        QCOMPARE(need(benchmark(tiny("gpt2-f32"), {4, 1, 1, 1}, {})).weightBytesPerToken,
                 4 * (info.parameters - positions + info.width));
    }

    void takesTheMiddle()
    {
        QCOMPARE(median({}), 0.0);
        QCOMPARE(median({3, 1, 2}), 2.0);
        QCOMPARE(median({4, 1, 2, 3}), 2.5);
    }

    void refusesWhatTheModelCannotRead()
    {
        const int context = bundledModel()->info().contextLength;
        QCOMPARE(errorOf({context + 1, 1, 1, 1}),
                 "prompt-tokens: expected at most the model's context of " +
                     std::to_string(context) + " tokens, found " + std::to_string(context + 1));
        QCOMPARE(errorOf({1, context + 1, 1, 1}),
                 "new-tokens: expected at most the model's context of " + std::to_string(context) +
                     " tokens, found " + std::to_string(context + 1));
        QCOMPARE(errorOf({1, 1, 0, 1}), "repeat: expected a whole number from 1 up, found 0");
        QCOMPARE(errorOf({1, 1, 1, 0}), "threads: expected a whole number from 1 up, found 0");
    }

    void answersAStop()
    {
        std::stop_source source;
        source.request_stop();
        const auto result = benchmark(modelFolder(), {512, 512, 100, 1}, source.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(BenchmarkTest)
#include "BenchmarkTest.moc"
