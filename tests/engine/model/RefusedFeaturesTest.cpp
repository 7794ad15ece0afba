#include "engine/model/RefusedFeatures.h"

#include "ConfigTesting.h"

using namespace engine;
using tests::GgufWriter;

class RefusedFeaturesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesFieldsThatChangeTheNumbers_data()
    {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* fields, const char* words) {
            QTest::newRow(fields) << QByteArray(fields) << QString::fromLatin1(words);
        };
        row(R"("num_local_experts": 8)", "num_local_experts: mixture-of-experts models are not "
                                         "supported, found 8 experts");
        row(R"("num_experts": 2)", "num_experts");
        row(R"("logit_scale": 0.5)", "logit_scale: found 0.5");
        row(R"("logits_scaling": 8)", "logits_scaling");
        row(R"("embedding_multiplier": 12.0)", "embedding_multiplier");
        row(R"("residual_multiplier": 0.22)", "residual_multiplier");
        row(R"("attention_multiplier": 0.1)", "attention_multiplier");
        row(R"("query_pre_attn_scalar": 4)", "query_pre_attn_scalar");
        row(R"("final_logit_softcapping": 30.0)", "final_logit_softcapping");
        row(R"("attn_logit_softcapping": 50.0)", "attn_logit_softcapping");
        row(R"("clip_qkv": 8.0)", "clip_qkv");
        row(R"("alibi": true)", "alibi: found true");
        row(R"("is_causal": false)", "is_causal: found false");
        row(R"("use_bidirectional_attention": true)", "use_bidirectional_attention");
        row(R"("partial_rotary_factor": 0.5)", "partial_rotary_factor");
        row(R"("use_qk_norm": true)", "use_qk_norm");
        row(R"("no_rope_layers": [1, 0])", "no_rope_layers");
        row(R"("scale_attn_weights": false)", "scale_attn_weights");
        row(R"("scale_attn_by_inverse_layer_idx": true)", "scale_attn_by_inverse_layer_idx");
    }

    void refusesFieldsThatChangeTheNumbers()
    {
        QFETCH(const QByteArray, fields);
        QFETCH(const QString, words);
        tests::verifyRefused(tests::configFromJson(tests::configWith(fields.toStdString())),
                             ErrorCode::UnsupportedFeature, words);
    }

    void takesTheirNeutralValues()
    {
        const Result<ModelConfig> read = tests::configFromJson(tests::configWith(
            R"("num_experts": 0, "logit_scale": 1.0, "final_logit_softcapping": null,
               "partial_rotary_factor": 1.0, "is_causal": true, "alibi": false,
               "scale_attn_weights": true, "pretraining_tp": 2, "use_cache": true)"));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
    }

    void refusesHyperparametersOfAGgufFile_data()
    {
        QTest::addColumn<GgufWriter>("writer");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* words, const GgufWriter& writer) {
            QTest::newRow(words) << writer << QString::fromLatin1(words);
        };
        const auto base = tests::tinyLlamaMetadata;
        row("expert_count: mixture-of-experts models are not supported, found 8 experts",
            base().integer("llama.expert_count", 8));
        row("attention.causal: found false", base().boolean("llama.attention.causal", false));
        row("attention.clamp_kqv", base().real("llama.attention.clamp_kqv", 8));
        row("logit_scale", base().real("llama.logit_scale", 0.5F));
        row("final_logit_softcapping", base().real("llama.final_logit_softcapping", 30));
        row("value_length", base()
                                .integer("llama.attention.key_length", 4)
                                .integer("llama.attention.value_length", 2));
        row("llama.attention.key_length_swa", base().integer("llama.attention.key_length_swa", 2));
        row("llama.rope.dimension_sections: this hyperparameter is not known",
            base().integers("llama.rope.dimension_sections", {1, 1, 0, 0}));
        row("llama.something_new: this hyperparameter is not known",
            base().real("llama.something_new", 1));
    }

    void refusesHyperparametersOfAGgufFile()
    {
        QFETCH(const GgufWriter, writer);
        QFETCH(const QString, words);
        tests::verifyRefused(tests::configFromGguf(writer), ErrorCode::UnsupportedFeature, words);
    }

    void takesWhatDoesNotMatter()
    {
        const Result<ModelConfig> read =
            tests::configFromGguf(tests::tinyLlamaMetadata()
                                      .integer("llama.vocab_size", 16)
                                      .integer("llama.expert_count", 0)
                                      .text("llama.tensor_data_layout", "Meta AI original pth")
                                      .integer("llama.rope.dimension_count", 4)
                                      .boolean("llama.attention.causal", true)
                                      .real("other.something_new", 1));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(RefusedFeaturesTest)
#include "RefusedFeaturesTest.moc"
