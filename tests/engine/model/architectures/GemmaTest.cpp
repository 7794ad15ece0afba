#include "../ConfigTesting.h"

#include <cmath>

using namespace engine;

namespace {

Result<ModelConfig> gemma(const std::string& type, const std::string& fields)
{
    return tests::configFromJson(
        tests::configWith("\"model_type\": \"" + type + "\", \"sliding_window\": 8" + fields));
}

} // namespace

class GemmaTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scalesScoresByTheFieldOfAConfigJson()
    {
        QCOMPARE(gemma("gemma2", ", \"query_pre_attn_scalar\": 144")->attentionScale, 1.0 / 12);
        QCOMPARE(gemma("gemma3_text", ", \"query_pre_attn_scalar\": 64")->attentionScale, 0.125);
        QCOMPARE(gemma("gemma2", "")->attentionScale, 1.0 / 16); // 256, the family's own
    }

    // Gemma 2 27B has 46 layers and 4608 / 32 = 144 a head, Gemma 3 27B 62 layers and 5376 / 32.
    void scalesScoresOfAGgufFileByItsSizes()
    {
        const auto scale = [](const char* name, std::uint32_t layers) {
            const std::string prefix = std::string(name) + ".";
            const Result<ModelConfig> read =
                tests::configFromGguf(tests::metadataOf(name, layers)
                                          .integer(prefix + "attention.key_length", 16)
                                          .integer(prefix + "attention.value_length", 16));
            return read ? read->attentionScale : 0;
        };
        QCOMPARE(scale("gemma2", 26), 0.25);
        QCOMPARE(scale("gemma2", 46), 0.5); // width 8, 2 heads
        QCOMPARE(scale("gemma3", 46), 0.25);
        QCOMPARE(scale("gemma3", 62), 0.5);
    }

    void capsLogitsAsTheFileSays()
    {
        const Result<ModelConfig> given =
            gemma("gemma2", ", \"attn_logit_softcapping\": 5.0, \"final_logit_softcapping\": null");
        QVERIFY(given);
        QCOMPARE(given->attentionSoftCap, 5.0);
        QCOMPARE(given->logitSoftCap, 0.0);
        const Result<ModelConfig> usual = gemma("gemma2", "");
        QVERIFY(usual);
        QCOMPARE(usual->attentionSoftCap, 50.0);
        QCOMPARE(usual->logitSoftCap, 30.0);
        const Result<ModelConfig> newer = gemma("gemma3_text", "");
        QVERIFY(newer);
        QCOMPARE(newer->attentionSoftCap, 0.0);
        QCOMPARE(newer->logitSoftCap, 0.0);
        const Result<ModelConfig> gguf = tests::configFromGguf(
            tests::metadataOf("gemma2").real("gemma2.attn_logit_softcapping", 5));
        QVERIFY(gguf);
        QCOMPARE(gguf->attentionSoftCap, 5.0);
        QCOMPARE(gguf->logitSoftCap, 30.0);
    }

    void refusesACapBelowZero()
    {
        tests::verifyRefused(gemma("gemma3_text", ", \"final_logit_softcapping\": -1"),
                             ErrorCode::BadFormat, QStringLiteral("final_logit_softcapping"));
    }
};

QTEST_APPLESS_MAIN(GemmaTest)
#include "GemmaTest.moc"
