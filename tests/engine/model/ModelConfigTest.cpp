#include "engine/model/ModelConfig.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>

using namespace engine;
using tests::GgufWriter;

namespace {

const std::vector<float> embedding(16 * 8, 0.5F);

Result<ModelConfig> fromJson(const std::string& text)
{
    const Result<JsonDocument> document = JsonDocument::parse(text, "config.json");
    if (!document)
        return document.error();
    return ModelConfig::read(document->root(), "some/config.json");
}

/// tinyLlamaConfig with more fields, which win over those that are there.
std::string with(const std::string& fields)
{
    std::string config = tests::tinyLlamaConfig();
    // simdjson gives the first of two equal keys, so the new ones go in front.
    return "{" + fields + ", " + config.substr(1);
}

} // namespace

class ModelConfigTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<ModelConfig> fromGguf(GgufWriter writer) const
    {
        writer.tensor("token_embd.weight", {16, 8}, GgufWriter::F32, tests::floatBytes(embedding));
        const std::filesystem::path path =
            std::filesystem::path(m_folder.path().toStdString()) / "test.gguf";
        tests::writeFile(path, writer.bytes());
        const Result<GgufFile> file = GgufFile::open(path);
        return file ? ModelConfig::read(*file) : Result<ModelConfig>(file.error());
    }

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
        QCOMPARE(config->ropeFrequencies, (std::vector<double>{1.0, 0.01}));
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
        QCOMPARE(config->ropeFrequencies.size(), std::size_t{3});
        QVERIFY(std::abs(config->ropeFrequencies[1] - 0.5) < 1e-15);
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
        QVERIFY(read->ropeFrequencies.empty());
    }

    void honoursScalingInEitherSpelling()
    {
        const Result<ModelConfig> older =
            fromJson(with(R"("rope_scaling": {"type": "linear", "factor": 4.0})"));
        QVERIFY(older);
        QCOMPARE(older->ropeFrequencies[0], 0.25);
        const Result<ModelConfig> newer = fromJson(with(
            R"("rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 16.0})"));
        QVERIFY(newer);
        QCOMPARE(newer->ropeFrequencies, (std::vector<double>{0.5, 0.125}));
        const Result<ModelConfig> none =
            fromJson(with(R"("rope_scaling": {"rope_type": "default"})"));
        QVERIFY(none);
        QCOMPARE(none->ropeFrequencies[0], 1.0);
    }

    void honoursLinearScalingAndFactorsOfAGgufFile()
    {
        const Result<ModelConfig> linear = fromGguf(tests::tinyLlamaMetadata()
                                                        .text("llama.rope.scaling.type", "linear")
                                                        .real("llama.rope.scaling.factor", 4.0F));
        QVERIFY(linear);
        QCOMPARE(linear->ropeFrequencies, (std::vector<double>{0.25, 0.0025}));
        const std::vector<float> factors = {1.0F, 8.0F};
        const Result<ModelConfig> factored = fromGguf(tests::tinyLlamaMetadata().tensor(
            "rope_freqs.weight", {2}, GgufWriter::F32, tests::floatBytes(factors)));
        QVERIFY(factored);
        QCOMPARE(factored->ropeFrequencies, (std::vector<double>{1.0, 0.01 / 8}));
    }

    void takesAWindowThatIsOffOrAsLongAsTheContext()
    {
        QVERIFY(fromJson(with(R"("use_sliding_window": false, "sliding_window": 4)")));
        QVERIFY(fromJson(with(R"("model_type": "mistral", "sliding_window": null)")));
        QVERIFY(fromJson(with(R"("model_type": "mistral", "sliding_window": 32)")));
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
            "architecture \"mamba\" is not supported (supported: gpt2, llama, mistral, qwen2");
        row("no architecture", R"("model_type": null)", ErrorCode::UnknownArchitecture,
            "architecture \"\"");
        row("no layers", R"("num_hidden_layers": 0)", bad, "num_hidden_layers");
        row("a width that is text", R"("hidden_size": "8")", bad, "hidden_size");
        row("heads that do not share evenly",
            R"("num_attention_heads": 4, "num_key_value_heads": 3)", bad, "found 4 and 3");
        row("an odd head", R"("head_dim": 3)", bad, "even");
        row("heads too large together", R"("num_attention_heads": 200000000, "head_dim": 200000000,
            "num_key_value_heads": 1)",
            bad, "too large");
        row("no epsilon", R"("rms_norm_eps": 0)", bad, "rms_norm_eps");
        row("theta below zero", R"("rope_theta": -1)", bad, "rope_theta");
        row("yarn", R"("rope_scaling": {"rope_type": "yarn", "factor": 4.0})", unsupported,
            "\"yarn\"");
        row("longrope", R"("rope_scaling": {"type": "longrope"})", unsupported, "\"longrope\"");
        row("dynamic", R"("rope_scaling": {"type": "dynamic", "factor": 2.0})", unsupported,
            "\"dynamic\"");
        row("scaling without a factor", R"("rope_scaling": {"type": "linear"})", bad, "factor");
        row("llama3 without its numbers",
            R"("rope_scaling": {"rope_type": "llama3", "factor": 8.0})", bad, "low_freq_factor");
        row("llama3 turned around", R"("rope_scaling": {"rope_type": "llama3", "factor": 8.0,
            "low_freq_factor": 4, "high_freq_factor": 1, "original_max_position_embeddings": 8})",
            bad, "high_freq_factor");
        row("a sliding window", R"("model_type": "mistral", "sliding_window": 16)", unsupported,
            "window of 16 tokens");
        row("a window switched on", R"("use_sliding_window": true, "sliding_window": 16)",
            unsupported, "window of 16 tokens");
        row("another activation", R"("hidden_act": "relu")", unsupported, "\"relu\"");
        row("packed weights", R"("quantization_config": {"quant_method": "gptq"})", unsupported,
            "gptq");
        row("heads that turn in part", R"("partial_rotary_factor": 0.5)", unsupported,
            "partial_rotary_factor");
    }

    void refusesConfigJson()
    {
        QFETCH(const QByteArray, config);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        const Result<ModelConfig> read = fromJson(config.toStdString());
        QVERIFY(!read);
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(words) && message.startsWith(QStringLiteral("some/config.json")),
                 qPrintable(message));
        QCOMPARE(read.error().code, code);
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
        const ErrorCode unsupported = ErrorCode::UnsupportedFeature;
        row("an unknown architecture", GgufWriter().text("general.architecture", "mamba"),
            ErrorCode::UnknownArchitecture,
            "architecture \"mamba\" is not supported (supported: gpt2, llama, qwen2, qwen3)");
        row("no architecture", GgufWriter(), ErrorCode::UnknownArchitecture, "architecture \"\"");
        row("missing keys", GgufWriter().text("general.architecture", "llama"),
            ErrorCode::BadFormat, "llama.embedding_length");
        row("yarn", base().text("llama.rope.scaling.type", "yarn"), unsupported, "\"yarn\"");
        row("experts", base().integer("llama.expert_count", 8), unsupported, "8 experts");
        row("a sliding window", base().integer("llama.attention.sliding_window", 16), unsupported,
            "window of 16 tokens");
        row("values of another size",
            base()
                .integer("llama.attention.key_length", 4)
                .integer("llama.attention.value_length", 2),
            unsupported, "value_length");
        row("too many rotary dimensions", base().integer("llama.rope.dimension_count", 6),
            ErrorCode::BadFormat, "rotary dimensions");
        const std::vector<float> three = {1, 1, 1};
        row("factors of another shape",
            base().tensor("rope_freqs.weight", {3}, GgufWriter::F32, tests::floatBytes(three)),
            ErrorCode::BadShape, "expected shape [2], found [3]");
        const std::vector<float> zero = {1, 0};
        row("a factor of zero",
            base().tensor("rope_freqs.weight", {2}, GgufWriter::F32, tests::floatBytes(zero)),
            ErrorCode::BadFormat, "rope_freqs.weight");
    }

    void refusesGgufMetadata()
    {
        QFETCH(const GgufWriter, writer);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        const Result<ModelConfig> read = fromGguf(writer);
        QVERIFY(!read);
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(words) && message.contains(QStringLiteral("test.gguf")),
                 qPrintable(message));
        QCOMPARE(read.error().code, code);
    }
};

QTEST_APPLESS_MAIN(ModelConfigTest)
#include "ModelConfigTest.moc"
