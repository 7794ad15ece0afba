#include "../ConfigTesting.h"

using namespace engine;

class GptNeoXTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocksAreParallelUnlessTheFileSaysOtherwise()
    {
        const auto json = [](const std::string& fields) {
            return tests::configFromJson(tests::configWith(
                R"("model_type": "gpt_neox", "layer_norm_eps": 1e-5, "hidden_act": "gelu",
                   "rotary_pct": 1.0)" +
                fields));
        };
        QVERIFY(json("") && json("")->parallelResidual);
        QVERIFY(json(", \"use_parallel_residual\": true")->parallelResidual);
        QVERIFY(!json(", \"use_parallel_residual\": false")->parallelResidual);
        tests::verifyRefused(json(", \"use_parallel_residual\": 7"), ErrorCode::BadFormat,
                             QStringLiteral("use_parallel_residual"));
        const Result<ModelConfig> gguf = tests::configFromGguf(
            tests::metadataOf("gptneox").boolean("gptneox.use_parallel_residual", false));
        QVERIFY(gguf && !gguf->parallelResidual);
    }

    void theMatrixOfQkvIsOrderedByHeadsInFoldersOnly()
    {
        const Result<ModelConfig> gguf = tests::configFromGguf(tests::metadataOf("gptneox"));
        QVERIFY(gguf);
        QCOMPARE(static_cast<int>(gguf->qkvOrder), static_cast<int>(QkvOrder::Blocks));
        const Result<ModelConfig> folder = tests::configFromJson(tests::configWith(
            R"("model_type": "gpt_neox", "layer_norm_eps": 1e-5, "hidden_act": "gelu",
               "rotary_pct": 1.0)"));
        QVERIFY(folder);
        QCOMPARE(static_cast<int>(folder->qkvOrder), static_cast<int>(QkvOrder::PerHead));
    }
};

QTEST_APPLESS_MAIN(GptNeoXTest)
#include "GptNeoXTest.moc"
