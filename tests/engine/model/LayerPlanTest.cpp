#include "engine/model/LayerPlan.h"

#include "ConfigTesting.h"

using namespace engine;
using tests::GgufWriter;
using tests::windowsOf;

namespace {

const auto fromJson = tests::configFromJson;
const auto fromGguf = tests::configFromGguf;
const auto with = tests::configWith;

using Windows = std::vector<int>;

} // namespace

// The tiny llama has two layers and a context of 32.
class LayerPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followsTheFieldsOfAConfigJson_data()
    {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<Windows>("windows");
        const auto row = [](const char* name, const char* fields, const Windows& windows) {
            QTest::newRow(name) << QByteArray(fields) << windows;
        };
        row("mistral", R"("model_type": "mistral", "sliding_window": 16)", {16, 16});
        row("mistral without", R"("model_type": "mistral", "sliding_window": null)", {0, 0});
        row("as long as the context", R"("model_type": "mistral", "sliding_window": 32)", {0, 0});
        row("one that llama does not use", R"("sliding_window": 16)", {0, 0});
        row("one switched on", R"("use_sliding_window": true, "sliding_window": 16)", {16, 16});
        row("qwen, switched off",
            R"("model_type": "qwen2", "use_sliding_window": false, "sliding_window": 4)", {0, 0});
        row("qwen, from a layer on", R"("model_type": "qwen2", "use_sliding_window": true,
            "sliding_window": 4, "max_window_layers": 1)",
            {0, 4});
        row("qwen, by layers", R"("model_type": "qwen3", "use_sliding_window": true,
            "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"])",
            {4, 0});
        row("gemma2", R"("model_type": "gemma2", "num_hidden_layers": 4, "sliding_window": 8)",
            {8, 0, 8, 0});
        row("gemma3", R"("model_type": "gemma3_text", "num_hidden_layers": 7, "sliding_window": 8)",
            {8, 8, 8, 8, 8, 0, 8});
        row("gemma3 with a pattern", R"("model_type": "gemma3_text", "num_hidden_layers": 4,
            "sliding_window": 8, "sliding_window_pattern": 3)",
            {8, 8, 0, 8});
        row("phi3", R"("model_type": "phi3", "sliding_window": 8)", {8, 8});
        row("olmo2 has none", R"("model_type": "olmo2", "sliding_window": 8)", {0, 0});
        row("olmo3", R"("model_type": "olmo3", "num_hidden_layers": 5, "sliding_window": 8)",
            {8, 8, 8, 0, 8});
    }

    void followsTheFieldsOfAConfigJson()
    {
        QFETCH(const QByteArray, fields);
        QFETCH(const Windows, windows);
        const Result<ModelConfig> read = fromJson(with(fields.toStdString()));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(windowsOf(*read), windows);
    }

    void followsTheKeysOfAGgufFile_data()
    {
        QTest::addColumn<GgufWriter>("writer");
        QTest::addColumn<Windows>("windows");
        const auto row = [](const char* name, const GgufWriter& writer, const Windows& windows) {
            QTest::newRow(name) << writer << windows;
        };
        row("none", tests::tinyLlamaMetadata(), {0, 0});
        row("every layer", tests::tinyLlamaMetadata().integer("llama.attention.sliding_window", 16),
            {16, 16});
        row("zero is none", tests::metadataOf("phi3").integer("phi3.attention.sliding_window", 0),
            {0, 0});
        row("gemma2's own",
            tests::metadataOf("gemma2").integer("gemma2.attention.sliding_window", 4), {4, 0});
        row("gemma3's own",
            tests::metadataOf("gemma3", 7).integer("gemma3.attention.sliding_window", 4),
            {4, 4, 4, 4, 4, 0, 4});
        row("a period",
            tests::metadataOf("gemma3", 4)
                .integer("gemma3.attention.sliding_window", 4)
                .integer("gemma3.attention.sliding_window_pattern", 3),
            {4, 4, 0, 4});
        row("a list",
            tests::metadataOf("olmo2", 3)
                .integer("olmo2.attention.sliding_window", 4)
                .integers("olmo2.attention.sliding_window_pattern", {0, 1, 1}),
            {0, 4, 4});
    }

    void followsTheKeysOfAGgufFile()
    {
        QFETCH(const GgufWriter, writer);
        QFETCH(const Windows, windows);
        const Result<ModelConfig> read = fromGguf(writer);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(windowsOf(*read), windows);
    }

    void turnsLayersWithAWindowAsTheirArchitectureDoes()
    {
        const Result<ModelConfig> gemma3 =
            fromGguf(tests::metadataOf("gemma3", 6)
                         .integer("gemma3.attention.sliding_window", 40)
                         .real("gemma3.rope.freq_base", 1e6F)
                         .real("gemma3.rope.freq_base_swa", 16));
        QVERIFY2(gemma3, gemma3 ? "" : gemma3.error().message.c_str());
        QCOMPARE(windowsOf(*gemma3), Windows(6, 0)); // longer than the context
        QCOMPARE(tests::ropesOf(*gemma3), (std::vector<int>{1, 1, 1, 1, 1, 0}));
        QCOMPARE(gemma3->ropes.at(1).frequencies[1], 0.25);
        const Result<ModelConfig> olmo3 =
            fromJson(with(R"("model_type": "olmo3", "num_hidden_layers": 4, "sliding_window": 8,
                "rope_scaling": {"type": "linear", "factor": 2})"));
        QVERIFY(olmo3);
        QCOMPARE(tests::ropesOf(*olmo3), (std::vector<int>{1, 1, 1, 0}));
        QCOMPARE(olmo3->ropes.at(0).frequencies[0], 0.5);
        QCOMPARE(olmo3->ropes.at(1).frequencies[0], 1.0);
        const Result<ModelConfig> mistral =
            fromJson(with(R"("model_type": "mistral", "sliding_window": 8)"));
        QVERIFY(mistral);
        QCOMPARE(tests::ropesOf(*mistral), (std::vector<int>{0, 0}));
    }

    void refusesWhatItDoesNotKnow()
    {
        const ErrorCode unsupported = ErrorCode::UnsupportedFeature;
        tests::verifyRefused(
            fromJson(with(R"("layer_types": ["full_attention", "linear_attention"])")), unsupported,
            QStringLiteral("\"linear_attention\" is not supported"));
        tests::verifyRefused(fromJson(with(R"("layer_types": ["full_attention"])")),
                             ErrorCode::BadFormat, QStringLiteral("each of the 2 layers, found 1"));
        tests::verifyRefused(
            fromJson(with(R"("layer_types": ["full_attention", "sliding_attention"],
                "sliding_window": 4)")),
            unsupported, QStringLiteral("model_type llama"));
        tests::verifyRefused(fromJson(with(R"("model_type": "mistral", "sliding_window": 0)")),
                             ErrorCode::BadFormat, QStringLiteral("sliding_window"));
        tests::verifyRefused(fromGguf(tests::metadataOf("gemma3").integers(
                                 "gemma3.attention.sliding_window_pattern", {1})),
                             ErrorCode::BadFormat, QStringLiteral("each of the 2 layers, found 1"));
    }
};

QTEST_APPLESS_MAIN(LayerPlanTest)
#include "LayerPlanTest.moc"
