#include "ModelTesting.h"
#include "engine/io/Sha256.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <functional>

using namespace engine;
using tests::GgufWriter;
using tests::TinyTensor;

namespace {

using Change = std::function<void(std::vector<TinyTensor>&)>;

TinyTensor& named(std::vector<TinyTensor>& tensors, std::string_view name)
{
    for (TinyTensor& tensor : tensors)
        if (tensor.name == name)
            return tensor;
    qFatal("no such tensor");
}

Change without(const std::string& name)
{
    return [name](std::vector<TinyTensor>& tensors) {
        std::erase_if(tensors, [&](const TinyTensor& tensor) { return tensor.name == name; });
    };
}

Change reshaped(const std::string& name, std::vector<std::uint64_t> shape)
{
    return [name, shape](std::vector<TinyTensor>& tensors) {
        std::size_t count = 1;
        for (const std::uint64_t size : shape)
            count *= static_cast<std::size_t>(size);
        named(tensors, name).shape = shape;
        named(tensors, name).values.resize(count);
    };
}

} // namespace

Q_DECLARE_METATYPE(Change)

class ModelWeightsTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    Result<ModelFile> gguf(const Change& change) const
    {
        std::vector<TinyTensor> tensors = tests::tinyLlamaTensors();
        change(tensors);
        GgufWriter writer = tests::tinyLlamaMetadata();
        for (const TinyTensor& tensor : tensors)
            writer.tensor(tensor.name, tensor.shape, GgufWriter::F32,
                          tests::floatBytes(tensor.values));
        tests::writeFile(folder() / "test.gguf", writer.bytes());
        return openModel(folder() / "test.gguf");
    }

    Result<ModelFile> huggingFace(const Change& change, const std::string& config) const
    {
        std::vector<TinyTensor> tensors = tests::tinyLlamaTensors();
        change(tensors);
        tests::SafetensorsWriter writer;
        for (const TinyTensor& tensor : tensors)
            writer.tensor(tests::huggingFaceName(tensor.name), "F32", tensor.shape,
                          tests::floatBytes(tensor.values));
        tests::writeFile(folder() / "model.safetensors", writer.bytes());
        tests::writeFile(folder() / "config.json", config);
        return openModel(folder());
    }

    static constexpr auto unchanged = [](std::vector<TinyTensor>&) {};

private Q_SLOTS:
    void findsEveryTensorInBothFormats()
    {
        for (const bool asGguf : {true, false}) {
            const Result<ModelFile> file =
                asGguf ? gguf(unchanged) : huggingFace(unchanged, tests::tinyLlamaConfig());
            QVERIFY(file);
            const ModelWeights& weights = file->weights;
            QCOMPARE(weights.layers().size(), std::size_t{2});
            std::vector<TinyTensor> tensors = tests::tinyLlamaTensors();
            QCOMPARE(weights.layers()[1].feedForwardNorm->weight,
                     named(tensors, "blk.1.ffn_norm.weight").values);
            QCOMPARE(weights.layers()[1].down.weight.outputs(), std::int64_t{8});
            QCOMPARE(weights.layers()[1].down.weight.inputs(), std::int64_t{12});
            const std::string stored =
                tests::floatBytes(named(tensors, "blk.1.ffn_down.weight").values);
            QCOMPARE(std::memcmp(weights.layers()[1].down.weight.view.bytes.data(), stored.data(),
                                 stored.size()),
                     0);
            QVERIFY(weights.output().weight.view.bytes.data() !=
                    weights.tokenEmbedding().bytes.data());
        }
    }

    void countsWhatTheNetworkUses()
    {
        const Result<ModelFile> file = gguf([](std::vector<TinyTensor>& tensors) {
            tensors.push_back({"something.else", {4}, {1, 2, 3, 4}});
        });
        QVERIFY(file);
        const WeightStatistics& statistics = file->weights.statistics();
        QCOMPARE(statistics.parameters,
                 std::int64_t{2 * 16 * 8 + 8 + 2 * (8 + 64 + 32 + 32 + 64 + 8 + 3 * 96)});
        QCOMPARE(statistics.bytes, 4 * statistics.parameters);
        QCOMPARE(statistics.tensorTypes, (std::map<std::string, int>{{"F32", 21}}));
    }

    void sharesTheEmbeddingWhereThereIsNoHead()
    {
        const Result<ModelFile> fromGguf = gguf(without("output.weight"));
        QVERIFY(fromGguf);
        QCOMPARE(fromGguf->weights.output().weight.view.bytes.data(),
                 fromGguf->weights.tokenEmbedding().bytes.data());
        const Result<ModelFile> folderWithout =
            huggingFace(without("output.weight"), tests::tinyLlamaConfig());
        QVERIFY(folderWithout);
        QCOMPARE(folderWithout->weights.output().weight.view.bytes.data(),
                 folderWithout->weights.tokenEmbedding().bytes.data());
    }

    void followsTheConfigurationOnSharing()
    {
        const std::string rest = tests::tinyLlamaConfig().substr(1);
        const Result<ModelFile> tied =
            huggingFace(unchanged, "{\"tie_word_embeddings\": true, " + rest);
        QVERIFY(tied);
        QCOMPARE(tied->weights.output().weight.view.bytes.data(),
                 tied->weights.tokenEmbedding().bytes.data());
        const Result<ModelFile> untied =
            huggingFace(without("output.weight"), "{\"tie_word_embeddings\": false, " + rest);
        QVERIFY(!untied);
        QCOMPARE(untied.error().code, ErrorCode::MissingTensor);
        QVERIFY(untied.error().message.find("lm_head.weight") != std::string::npos);
    }

    void takesABiasWhereTheFileHasOne()
    {
        const std::vector<float> bias = {1, 2, 3, 4};
        const Result<ModelFile> file = gguf([&](std::vector<TinyTensor>& tensors) {
            tensors.push_back({"blk.0.attn_v.bias", {4}, bias});
        });
        QVERIFY(file);
        QCOMPARE(file->weights.layers()[0].qkv[2].bias, bias);
        QVERIFY(file->weights.layers()[1].qkv[2].bias.empty());
    }

    void followsTheConfigurationOnBiases()
    {
        const std::string rest = tests::tinyLlamaConfig().substr(1);
        const Result<ModelFile> required =
            huggingFace(unchanged, "{\"attention_bias\": true, " + rest);
        QVERIFY(!required);
        QVERIFY(required.error().message.find("q_proj.bias is missing") != std::string::npos);
        const Change biased = [](std::vector<TinyTensor>& tensors) {
            tensors.push_back({"blk.0.ffn_down.bias", {8}, std::vector<float>(8, 1)});
        };
        QVERIFY(huggingFace(biased, tests::tinyLlamaConfig()));
        const Result<ModelFile> unwanted = huggingFace(biased, "{\"mlp_bias\": false, " + rest);
        QVERIFY(!unwanted);
        QVERIFY(unwanted.error().message.find("mlp.down_proj.bias is not known") !=
                std::string::npos);
    }

    // Passing over it would compute another network than the file's.
    void refusesATensorOfALayerThatItDoesNotKnow()
    {
        const Result<ModelFile> norm = gguf([](std::vector<TinyTensor>& tensors) {
            tensors.push_back({"blk.1.attn_q_norm.weight", {4}, {1, 1, 1, 1}});
        });
        QVERIFY(!norm);
        QCOMPARE(norm.error().code, ErrorCode::UnsupportedFeature);
        QVERIFY(norm.error().message.find("tensor blk.1.attn_q_norm.weight is not known to "
                                          "architecture llama") != std::string::npos);
        const Result<ModelFile> bias = gguf([](std::vector<TinyTensor>& tensors) {
            tensors.push_back({"output.bias", {16}, std::vector<float>(16, 1)});
        });
        QVERIFY(!bias);
        QVERIFY(bias.error().message.find("output.bias") != std::string::npos);
        // One layer more than the model has, as files for guessing ahead carry them.
        QVERIFY(gguf([](std::vector<TinyTensor>& tensors) {
            tensors.push_back({"blk.2.attn_norm.weight", {8}, std::vector<float>(8, 1)});
        }));
    }

    void addsOneToTheNormsOfGemmasFoldersOnly()
    {
        const Result<ModelFile> folder = openModel(tests::modelData("gemma2-f32"));
        const Result<ModelFile> gguf = openModel(tests::modelData("gemma2-f32.gguf"));
        QVERIFY(folder && gguf);
        QCOMPARE(folder->weights.outputNorm().weight, gguf->weights.outputNorm().weight);
        QCOMPARE(folder->weights.layers()[0].feedForwardPostNorm->weight,
                 gguf->weights.layers()[0].feedForwardPostNorm->weight);
    }

    void takesGateAndUpOutOfOneMatrix()
    {
        const Result<ModelFile> file = openModel(tests::modelData("phi3-f32.gguf"));
        QVERIFY(file);
        const LayerWeights& layer = file->weights.layers()[1];
        QCOMPARE(layer.gate->weight.view.shape, (Shape{20, 12}));
        QCOMPARE(layer.up.weight.view.shape, (Shape{20, 12}));
        QCOMPARE(layer.up.weight.view.bytes.data(),
                 layer.gate->weight.view.bytes.data() + layer.gate->weight.view.bytes.size());
    }

    void refusesMissingTensorsAndWrongShapes_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("gguf");
        QTest::addColumn<QString>("huggingFace");
        const auto row = [](const char* name, const Change& change, ErrorCode code,
                            const char* gguf, const char* huggingFace) {
            QTest::newRow(name) << change << code << QString::fromLatin1(gguf)
                                << QString::fromLatin1(huggingFace);
        };
        for (const TinyTensor& tensor : tests::tinyLlamaTensors())
            if (tensor.name != "output.weight") // without it the embedding is shared
                row(("without " + tensor.name).c_str(), without(tensor.name),
                    ErrorCode::MissingTensor, ("tensor " + tensor.name + " is missing").c_str(),
                    ("tensor " + tests::huggingFaceName(tensor.name) + " is missing").c_str());
        row("a narrow matrix", reshaped("blk.1.attn_q.weight", {8, 4}), ErrorCode::BadShape,
            "tensor blk.1.attn_q.weight: expected shape [8, 8], found [8, 4]",
            "tensor model.layers.1.self_attn.q_proj.weight: expected shape [8, 8], found [8, 4]");
        row("a turned matrix", reshaped("blk.0.ffn_up.weight", {8, 12}), ErrorCode::BadShape,
            "expected shape [12, 8], found [8, 12]", "expected shape [12, 8], found [8, 12]");
        row("a matrix for a vector", reshaped("output_norm.weight", {8, 1}), ErrorCode::BadShape,
            "expected shape [8], found [8, 1]", "expected shape [8], found [8, 1]");
        row("a short head", reshaped("output.weight", {15, 8}), ErrorCode::BadShape,
            "expected shape [16, 8], found [15, 8]", "expected shape [16, 8], found [15, 8]");
    }

    void refusesMissingTensorsAndWrongShapes()
    {
        QFETCH(const Change, change);
        QFETCH(const ErrorCode, code);
        for (const bool asGguf : {true, false}) {
            QFETCH(const QString, gguf);
            QFETCH(const QString, huggingFace);
            const Result<ModelFile> file =
                asGguf ? this->gguf(change) : this->huggingFace(change, tests::tinyLlamaConfig());
            QVERIFY(!file);
            QCOMPARE(file.error().code, code);
            const QString message = QString::fromStdString(file.error().message);
            QVERIFY2(message.contains(asGguf ? gguf : huggingFace), qPrintable(message));
            QVERIFY2(message.startsWith(m_folder.path()), qPrintable(message));
        }
    }

    void namesATypeThatCannotBeRead()
    {
        tests::SafetensorsWriter writer;
        writer.tensor("model.embed_tokens.weight", "I32", {16, 8}, std::string(16 * 8 * 4, '\0'));
        tests::writeFile(folder() / "model.safetensors", writer.bytes());
        tests::writeFile(folder() / "config.json", tests::tinyLlamaConfig());
        const Result<ModelFile> file = openModel(folder());
        QVERIFY(!file);
        QCOMPARE(file.error().code, ErrorCode::UnsupportedFeature);
        QVERIFY(file.error().message.find("type I32 is not supported") != std::string::npos);
    }

    void aGgufFilesFingerprintIsTheDigestOfItsBytes()
    {
        const Result<ModelFile> file = gguf(unchanged);
        QVERIFY(file);
        QCOMPARE(file->weights.fingerprint(),
                 Sha256::of(std::string_view(tests::readFile(folder() / "test.gguf"))));
    }

    void aFoldersFingerprintFollowsItsConfigurationAndWeights()
    {
        const Result<ModelFile> one = huggingFace(unchanged, tests::tinyLlamaConfig());
        QVERIFY(one);
        const std::string first = one->weights.fingerprint();
        QCOMPARE(first.size(), std::size_t{64});
        QCOMPARE(huggingFace(unchanged, tests::tinyLlamaConfig())->weights.fingerprint(), first);
        QVERIFY(huggingFace(unchanged, tests::tinyLlamaConfig() + " ")->weights.fingerprint() !=
                first);
        const Change nudged = [](std::vector<TinyTensor>& tensors) {
            tensors.back().values.back() += 1;
        };
        QVERIFY(huggingFace(nudged, tests::tinyLlamaConfig())->weights.fingerprint() != first);
    }
};

QTEST_APPLESS_MAIN(ModelWeightsTest)
#include "ModelWeightsTest.moc"
