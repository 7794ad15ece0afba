#include "engine/model/RopeConfig.h"

#include "ConfigTesting.h"

#include <cmath>

using namespace engine;
using tests::GgufWriter;

namespace {

const auto fromJson = tests::configFromJson;
const auto fromGguf = tests::configFromGguf;
const auto with = tests::configWith;

bool near(double found, double expected)
{
    return std::abs(found / expected - 1) < 1e-7; // GGUF's numbers are single precision
}

} // namespace

// The tiny llama has heads of 4: two pairs, of frequencies 1 and 1/100. Its context is 32.
class RopeConfigTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void honoursScalingInEitherSpelling()
    {
        const Result<ModelConfig> older =
            fromJson(with(R"("rope_scaling": {"type": "linear", "factor": 4.0})"));
        QVERIFY(older);
        QCOMPARE(older->ropes.front().frequencies[0], 0.25);
        const Result<ModelConfig> newer = fromJson(with(
            R"("rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 16.0})"));
        QVERIFY(newer);
        QCOMPARE(newer->ropes.front().frequencies, (std::vector<double>{0.5, 0.125}));
        const Result<ModelConfig> none =
            fromJson(with(R"("rope_scaling": {"rope_type": "default"})"));
        QVERIFY(none);
        QCOMPARE(none->ropes.front().frequencies[0], 1.0);
        QCOMPARE(none->ropes.front().attentionFactor, 1.0);
    }

    void readsSettingsOfEachKindOfLayer()
    {
        const Result<ModelConfig> read = fromJson(with(
            R"("model_type": "gemma3_text", "sliding_window": 8, "num_hidden_layers": 6, "head_dim": 4,
               "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 16.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 4.0}})"));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->ropes.at(0).frequencies[1], 0.125);
        QCOMPARE(read->ropes.at(1).frequencies[1], 0.5);
    }

    void honoursLinearScalingAndFactorsOfAGgufFile()
    {
        const Result<ModelConfig> linear = fromGguf(tests::tinyLlamaMetadata()
                                                        .text("llama.rope.scaling.type", "linear")
                                                        .real("llama.rope.scaling.factor", 4.0F));
        QVERIFY(linear);
        QCOMPARE(linear->ropes.front().frequencies, (std::vector<double>{0.25, 0.0025}));
        const std::vector<float> factors = {1.0F, 8.0F};
        const Result<ModelConfig> factored = fromGguf(tests::tinyLlamaMetadata().tensor(
            "rope_freqs.weight", {2}, GgufWriter::F32, tests::floatBytes(factors)));
        QVERIFY(factored);
        QCOMPARE(factored->ropes.front().frequencies, (std::vector<double>{1.0, 0.01 / 8}));
    }

    // Original context 8: pair 0 turns 8 / (2 pi) = 1.27 times in it, so both pairs lie beyond the
    // bound of 32 turns; once turns pair 0.1, so pair 1 is scaled in full.
    void readsYarnFromBothFormats()
    {
        const double length = 0.1 * std::log(4.0) + 1;
        const Result<ModelConfig> json = fromJson(with(R"("rope_scaling": {"rope_type": "yarn",
            "factor": 4.0, "original_max_position_embeddings": 8})"));
        QVERIFY(json);
        QVERIFY(near(json->ropes.front().frequencies[0], 1));
        QVERIFY(near(json->ropes.front().frequencies[1], 0.0025));
        QVERIFY(near(json->ropes.front().attentionFactor, length));
        const Result<ModelConfig> gguf =
            fromGguf(tests::tinyLlamaMetadata()
                         .text("llama.rope.scaling.type", "yarn")
                         .real("llama.rope.scaling.factor", 4.0F)
                         .integer("llama.rope.scaling.original_context_length", 8));
        QVERIFY(gguf);
        QCOMPARE(gguf->ropes.front().frequencies, json->ropes.front().frequencies);
        QVERIFY(near(gguf->ropes.front().attentionFactor, length));
    }

    void takesYarnsLengtheningFromTheFile()
    {
        const auto lengthening = [](const std::string& fields) {
            return fromJson(with(R"("rope_scaling": {"rope_type": "yarn", "factor": 4.0, )" +
                                 fields + "}"))
                ->ropes.front()
                .attentionFactor;
        };
        QCOMPARE(lengthening(R"("attention_factor": 1.25)"), 1.25);
        QCOMPARE(lengthening(R"("mscale": 0.5, "mscale_all_dim": 0.5)"), 1.0);
        QVERIFY(near(lengthening(R"("mscale": 2, "mscale_all_dim": 1)"),
                     (0.2 * std::log(4.0) + 1) / (0.1 * std::log(4.0) + 1)));
    }

    void readsLongRopeFromBothFormats()
    {
        const double length = std::sqrt(1 + std::log(4.0) / std::log(8.0));
        const Result<ModelConfig> json = fromJson(
            with(R"("model_type": "phi3", "original_max_position_embeddings": 8, "rope_scaling":
                {"type": "su", "short_factor": [1, 2], "long_factor": [4, 5]})"));
        QVERIFY2(json, json ? "" : json.error().message.c_str());
        QCOMPARE(json->shortContext, 8);
        QCOMPARE(json->ropes.front().frequencies, (std::vector<double>{1, 0.01 / 2}));
        QCOMPARE(json->ropes.front().longFrequencies, (std::vector<double>{0.25, 0.01 / 5}));
        QVERIFY(near(json->ropes.front().attentionFactor, length));
        const std::vector<float> shortFactors = {1, 2};
        const std::vector<float> longFactors = {4, 5};
        const Result<ModelConfig> gguf =
            fromGguf(tests::metadataOf("phi3")
                         .integer("phi3.rope.scaling.original_context_length", 8)
                         .real("phi3.rope.scaling.attn_factor", static_cast<float>(length))
                         .tensor("rope_factors_short.weight", {2}, GgufWriter::F32,
                                 tests::floatBytes(shortFactors))
                         .tensor("rope_factors_long.weight", {2}, GgufWriter::F32,
                                 tests::floatBytes(longFactors)));
        QVERIFY2(gguf, gguf ? "" : gguf.error().message.c_str());
        QCOMPARE(gguf->shortContext, 8);
        QCOMPARE(gguf->ropes.front().frequencies, json->ropes.front().frequencies);
        QCOMPARE(gguf->ropes.front().longFrequencies, json->ropes.front().longFrequencies);
        QVERIFY(near(gguf->ropes.front().attentionFactor, length));
    }

    void readsThetaAndTheShareThatTurnsByTheirNames()
    {
        const Result<ModelConfig> read =
            fromJson(with(R"("model_type": "gpt_neox", "layer_norm_eps": 1e-5, "hidden_act": "gelu",
                "hidden_size": 16, "rotary_pct": 0.5, "rotary_emb_base": 25)"));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->ropes.front().frequencies, (std::vector<double>{1, 0.2}));
    }

    void refusesWhatItDoesNotKnow_data()
    {
        QTest::addColumn<QByteArray>("scaling");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* scaling, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << QByteArray(scaling) << code << QString::fromLatin1(words);
        };
        const ErrorCode bad = ErrorCode::BadFormat;
        const ErrorCode unsupported = ErrorCode::UnsupportedFeature;
        row("dynamic", R"({"type": "dynamic", "factor": 2.0})", unsupported, "\"dynamic\"");
        row("ntk", R"({"rope_type": "ntk", "factor": 2.0})", unsupported,
            "supported: linear, llama3, yarn, longrope");
        row("sections of pictures", R"({"type": "default", "mrope_section": [1, 1]})", unsupported,
            "\"mrope_section\"");
        row("part of a head", R"({"rope_type": "default", "partial_rotary_factor": 0.5})",
            unsupported, "partial_rotary_factor");
        row("no factor", R"({"type": "linear"})", bad, "factor");
        row("yarn without its factor", R"({"type": "yarn"})", bad, "factor");
        row("llama3 without its numbers", R"({"rope_type": "llama3", "factor": 8.0})", bad,
            "low_freq_factor");
        row("llama3 turned around", R"({"rope_type": "llama3", "factor": 8.0,
            "low_freq_factor": 4, "high_freq_factor": 1, "original_max_position_embeddings": 8})",
            bad, "high_freq_factor");
        row("longrope without factors", R"({"type": "longrope", "factor": 2.0})", bad,
            "short_factor: expected 2 numbers");
        row("longrope with too few", R"({"type": "longrope", "factor": 2.0, "short_factor": [1, 1],
            "long_factor": [1]})",
            bad, "long_factor: expected 2 numbers, one for each pair, found 1");
        row("a factor of zero", R"({"type": "longrope", "factor": 2.0, "short_factor": [1, 0],
            "long_factor": [1, 1]})",
            bad, "above 0");
    }

    void refusesWhatItDoesNotKnow()
    {
        QFETCH(const QByteArray, scaling);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        tests::verifyRefused(fromJson(with("\"rope_scaling\": " + scaling.toStdString())), code,
                             words);
    }

    void refusesSettingsOfLayersThatNothingTellsApart()
    {
        tests::verifyRefused(
            fromJson(with(R"("model_type": "mistral", "sliding_window": 4, "rope_parameters": {
                "full_attention": {"rope_theta": 16.0}, "sliding_attention": {"rope_theta": 4.0}})")),
            ErrorCode::UnsupportedFeature, QStringLiteral("rope_theta of their own"));
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
        row("an unknown kind", base().text("llama.rope.scaling.type", "ntk"), unsupported,
            "\"ntk\"");
        row("yarn of another strength",
            base()
                .text("llama.rope.scaling.type", "yarn")
                .real("llama.rope.scaling.factor", 4)
                .real("llama.rope.scaling.yarn_ext_factor", 0.5F),
            unsupported, "yarn_ext_factor");
        row("longrope without factors", base().text("llama.rope.scaling.type", "longrope"),
            ErrorCode::MissingTensor, "rope_factors_long.weight is missing");
        const std::vector<float> three = {1, 1, 1};
        row("factors of another shape",
            base().tensor("rope_freqs.weight", {3}, GgufWriter::F32, tests::floatBytes(three)),
            ErrorCode::BadShape, "test.gguf: tensor rope_freqs.weight: expected shape [2], found");
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
        tests::verifyRefused(fromGguf(writer), code, words);
    }
};

QTEST_APPLESS_MAIN(RopeConfigTest)
#include "RopeConfigTest.moc"
