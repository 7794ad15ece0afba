#include "ConfigTesting.h"

#include <cmath>

using namespace engine;
using tests::GgufWriter;

namespace {

const auto fromJson = tests::configFromJson;
const auto fromGguf = tests::configFromGguf;
const auto with = tests::configWith;

} // namespace

class ModelConfigTest : public QObject
{
    Q_OBJECT

    static void refusedRows()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
    }

private Q_SLOTS:
    void readsTheKeysOfAGgufFile()
    {
        const Result<ModelConfig> config = fromGguf(tests::tinyLlamaMetadata());
        QVERIFY(config);
        QCOMPARE(config->architecture->name, std::string_view("llama"));
        QCOMPARE(config->name, std::string("tiny"));
        QCOMPARE(config->vocabularySize, 16);
        QCOMPARE(config->width, 8);
        QCOMPARE(config->layers, 2);
        QCOMPARE(config->heads, 2);
        QCOMPARE(config->kvHeads, 1);
        QCOMPARE(config->headDim, 4);
        QCOMPARE(config->feedForwardWidth, 12);
        QCOMPARE(config->contextLength, 32);
        QVERIFY(std::abs(config->normEpsilon - 1e-5) < 1e-11);
        QCOMPARE(config->ropePairs, RopePairs::Adjacent);
        QCOMPARE(config->ropes.front().frequencies, (std::vector<double>{1.0, 0.01}));
        QVERIFY(!config->tiedEmbeddings);
    }

    void readsTheFieldsOfAConfigJson()
    {
        const Result<ModelConfig> config =
            fromJson(with(R"("head_dim": 6, "rope_theta": 8, "tie_word_embeddings": false)"));
        QVERIFY(config);
        QCOMPARE(config->vocabularySize, 16);
        QCOMPARE(config->headDim, 6);
        QCOMPARE(config->ropePairs, RopePairs::Halves);
        QCOMPARE(config->ropes.front().frequencies.size(), std::size_t{3});
        QVERIFY(std::abs(config->ropes.front().frequencies[1] - 0.5) < 1e-15);
        QCOMPARE(config->tiedEmbeddings, std::optional(false));
    }

    void readsTheFieldsOfGpt2()
    {
        const std::string config = R"({"model_type": "gpt2", "vocab_size": 11, "n_embd": 12,
            "n_layer": 1, "n_head": 3, "n_positions": 5, "n_inner": null,
            "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"})";
        const Result<ModelConfig> read = fromJson(config);
        QVERIFY(read);
        QCOMPARE(read->feedForwardWidth, 48);
        QCOMPARE(read->kvHeads, 3);
        QCOMPARE(read->headDim, 4);
        QVERIFY(read->ropes.empty());
    }

    void readsTheFieldsOfAModelThatSeesPictures()
    {
        // As the larger Gemma 3 models have it: what is left out is what the family has.
        const Result<ModelConfig> read = fromJson(
            R"({"model_type": "gemma3", "vision_config": {"hidden_size": 7}, "text_config": {
                "model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240,
                "num_hidden_layers": 34, "sliding_window": 1024,
                "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}})");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->architecture->name, std::string_view("gemma3"));
        QCOMPARE(read->width, 2560);
        QCOMPARE(read->heads, 8);
        QCOMPARE(read->kvHeads, 4);
        QCOMPARE(read->headDim, 256);
        QCOMPARE(read->vocabularySize, 262208);
        QCOMPARE(read->contextLength, 131072);
        QCOMPARE(read->normEpsilon, 1e-6);
        QCOMPARE(read->plan[4].window, 1024);
        QCOMPARE(read->plan[5].window, 0);
        QCOMPARE(read->ropes.at(0).frequencies[0], 1.0 / 8);
        QCOMPARE(read->ropes.at(1).frequencies[0], 1.0);
        QVERIFY(std::abs(read->ropes[0].frequencies[64] - 1e-3 / 8) < 1e-15);
        QVERIFY(std::abs(read->ropes[1].frequencies[64] - 1e-2) < 1e-15);
    }

    void readsTheFieldsOfPhi3()
    {
        const Result<ModelConfig> read =
            fromJson(with(R"("model_type": "phi3", "head_dim": 8, "partial_rotary_factor": 0.75)"));
        QVERIFY(read);
        QCOMPARE(read->ropes.front().frequencies.size(), std::size_t{3});
    }

    void knowsActivationsByTheirNames_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("activation");
        const auto row = [](const char* name, Activation activation) {
            QTest::newRow(name) << QByteArray(name) << static_cast<int>(activation);
        };
        row("silu", Activation::Silu);
        row("gelu", Activation::GeluErf);
        row("gelu_new", Activation::GeluTanh);
        row("gelu_fast", Activation::GeluTanh);
        row("gelu_pytorch_tanh", Activation::GeluTanh);
    }

    void knowsActivationsByTheirNames()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const int, activation);
        const Result<ModelConfig> read =
            fromJson(with("\"hidden_act\": \"" + name.toStdString() + "\""));
        QVERIFY(read);
        QCOMPARE(static_cast<int>(read->activation), activation);
    }

    void readsAnAttentionScaleOfAGgufFile()
    {
        const Result<ModelConfig> usual = fromGguf(tests::tinyLlamaMetadata());
        QVERIFY(usual);
        QCOMPARE(usual->attentionScale, 0.5);
        const Result<ModelConfig> other =
            fromGguf(tests::tinyLlamaMetadata().real("llama.attention.scale", 0.25F));
        QVERIFY(other);
        QCOMPARE(other->attentionScale, 0.25);
    }

    void readsWhetherThereAreBiases()
    {
        const Result<ModelConfig> read =
            fromJson(with(R"("attention_bias": true, "mlp_bias": false)"));
        QVERIFY(read);
        QCOMPARE(read->attentionBias, std::optional(true));
        QCOMPARE(read->feedForwardBias, std::optional(false));
        QVERIFY(!fromJson(tests::tinyLlamaConfig())->attentionBias);
    }

    void refusesConfigJson_data()
    {
        refusedRows();
        const auto row = [](const char* name, const char* fields, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(with(fields)) << code
                                << QString::fromLatin1(words);
        };
        const ErrorCode bad = ErrorCode::BadFormat;
        const ErrorCode unsupported = ErrorCode::UnsupportedFeature;
        row("an unknown architecture", R"("model_type": "mamba")", ErrorCode::UnknownArchitecture,
            "architecture \"mamba\" is not supported (supported: gpt2, llama, mistral, gpt_neox");
        row("no architecture", R"("model_type": null)", ErrorCode::UnknownArchitecture,
            "architecture \"\"");
        row("no layers", R"("num_hidden_layers": 0)", bad, "num_hidden_layers");
        row("too many layers", R"("num_hidden_layers": 268435456)", bad, "65536 layers");
        row("a width that is text", R"("hidden_size": "8")", bad, "hidden_size");
        row("heads that do not share evenly",
            R"("num_attention_heads": 4, "num_key_value_heads": 3)", bad, "found 4 and 3");
        row("an odd head", R"("head_dim": 3)", bad, "even");
        row("heads too large together", R"("num_attention_heads": 200000000, "head_dim": 200000000,
            "num_key_value_heads": 1)",
            bad, "too large");
        row("a head too large", R"("head_dim": 65538)", bad, "65536, found 65538");
        row("no epsilon", R"("rms_norm_eps": 0)", bad, "rms_norm_eps");
        row("theta below zero", R"("rope_theta": -1)", bad, "rope_theta");
        row("a part of another architecture", R"("text_config": {"model_type": "mamba"})",
            ErrorCode::UnknownArchitecture, "\"mamba\"");
        row("another activation", R"("hidden_act": "relu")", unsupported, "\"relu\"");
        row("packed weights", R"("quantization_config": {"quant_method": "gptq"})", unsupported,
            "gptq");
        row("an activation without a gate", R"("model_type": "gpt_neox", "layer_norm_eps": 1e-5,
            "hidden_act": "silu")",
            unsupported, "\"silu\"");
        row("a pair that is cut", R"("model_type": "phi3", "head_dim": 8,
            "partial_rotary_factor": 0.4)",
            bad, "found 3");
        row("heads that do not turn", R"("model_type": "phi3", "partial_rotary_factor": 0.1)", bad,
            "found 0");
    }

    void refusesConfigJson()
    {
        QFETCH(const QByteArray, config);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        tests::verifyRefused(fromJson(config.toStdString()), code, words);
    }

    void refusesGgufMetadata_data()
    {
        QTest::addColumn<GgufWriter>("writer");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const GgufWriter& writer, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << writer << code << QString::fromLatin1(words);
        };
        const auto base = tests::tinyLlamaMetadata;
        row("an unknown architecture", GgufWriter().text("general.architecture", "mamba"),
            ErrorCode::UnknownArchitecture,
            "architecture \"mamba\" is not supported (supported: gpt2, llama, gptneox");
        row("no architecture", GgufWriter(), ErrorCode::UnknownArchitecture, "architecture \"\"");
        row("missing keys", GgufWriter().text("general.architecture", "llama"),
            ErrorCode::BadFormat, "llama.embedding_length");
        row("too many rotary dimensions", base().integer("llama.rope.dimension_count", 6),
            ErrorCode::BadFormat, "rotary dimensions");
    }

    void refusesGgufMetadata()
    {
        QFETCH(const GgufWriter, writer);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        tests::verifyRefused(fromGguf(writer), code, words);
    }
};

QTEST_APPLESS_MAIN(ModelConfigTest)
#include "ModelConfigTest.moc"
