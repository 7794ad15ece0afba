#include "ModelTesting.h"
#include "engine/io/SafetensorsFile.h"
#include "engine/io/Sha256.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

using namespace engine;
using tests::GgufWriter;

class ModelFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path at(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

private Q_SLOTS:
    void opensAGgufFileAFolderAndAFileInsideIt()
    {
        const Result<ModelFile> gguf = openModel(tests::modelData("llama-f16.gguf"));
        QVERIFY(gguf);
        QVERIFY(gguf->gguf != nullptr);
        QCOMPARE(gguf->path, tests::modelData("llama-f16.gguf"));
        const Result<ModelFile> folder = openModel(tests::modelData("llama-f16"));
        QVERIFY(folder);
        QVERIFY(folder->gguf == nullptr);
        const Result<ModelFile> inside =
            openModel(tests::modelData("llama-f16") / "model.safetensors");
        QVERIFY(inside);
        QCOMPARE(inside->path, tests::modelData("llama-f16"));
    }

    void readsThePartForTextOfAModelThatSeesPictures()
    {
        const std::filesystem::path plain = tests::modelData("gemma3-f32");
        const Result<SafetensorsFile> given = SafetensorsFile::open(plain / "model.safetensors");
        QVERIFY(given);
        tests::SafetensorsWriter tensors;
        for (const NamedTensor& tensor : given->tensors()) {
            const std::span<const std::byte> bytes = tensor.view.bytes;
            tensors.tensor("language_model." + tensor.name, "F32",
                           {tensor.view.shape.begin(), tensor.view.shape.end()},
                           {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        tensors.tensor("vision_tower.encoder.layers.0.weight", "F32", {1}, std::string(4, '\0'));
        std::filesystem::create_directory(at("pictures"));
        tests::writeFile(at("pictures") / "model.safetensors", tensors.bytes());
        tests::writeFile(at("pictures") / "config.json",
                         R"({"model_type": "gemma3", "vision_config": {"hidden_size": 8},
                             "text_config": )" +
                             tests::readFile(plain / "config.json") + "}");
        const Transformer whole = tests::openTransformer(at("pictures"));
        const Transformer text = tests::openTransformer(plain);
        const std::vector<TokenId> ids = tests::someTokens(text, 20);
        QVERIFY(tests::equalToTheBit(tests::forward(whole, ids, *whole.newState(1)),
                                     tests::forward(text, ids, *text.newState(1))));
    }

    void aSplitModelIsTheWholeOne()
    {
        const std::vector<std::filesystem::path> paths =
            tests::writeSplitLlama(m_folder.path().toStdString(), "split", 3);
        tests::writeFile(at("whole.gguf"), tests::tinyLlamaGguf());
        const Transformer whole = tests::openTransformer(at("whole.gguf"));
        const std::vector<TokenId> ids = tests::someTokens(whole, 5);
        const std::vector<float> expected = tests::forward(whole, ids, *whole.newState(1));
        std::string bytes;
        for (const std::filesystem::path& path : paths)
            bytes += tests::readFile(path);
        for (const std::filesystem::path& path : paths) {
            const Result<ModelFile> file = openModel(path);
            QVERIFY2(file, file ? "" : file.error().message.c_str());
            QVERIFY(file->gguf->string("general.name"));
            QCOMPARE(file->weights.fingerprint(), Sha256::of(std::string_view(bytes)));
            const ModelInfo info = describe(file->path, file->config, file->weights);
            QCOMPARE(info.path, path.string());
            QCOMPARE(info.tensorTypes, (std::map<std::string, int>{{"F32", 21}}));
            const Transformer split = tests::openTransformer(path);
            QVERIFY(tests::equalToTheBit(tests::forward(split, ids, *split.newState(1)), expected));
        }
    }

    void namesTheMixtureAsTheFileDoes_data()
    {
        QTest::addColumn<int>("fileType");
        QTest::addColumn<bool>("halves");
        QTest::addColumn<std::string>("name");
        // llama_ftype: 1 is F16, 7 Q8_0, 15 Q4_K_M.
        QTest::newRow("a mixture") << 15 << false << std::string("Q4_K_M");
        QTest::newRow("a plain type") << 7 << false << std::string("Q8_0");
        QTest::newRow("no name") << -1 << false << std::string("Q8_0");
        QTest::newRow("an unknown name") << 999 << false << std::string("Q8_0");
        QTest::newRow("a name left over from before quantization")
            << 1 << false << std::string("Q8_0");
        QTest::newRow("a mixture's name on halves") << 15 << true << std::string("F16");
        QTest::newRow("halves") << 1 << true << std::string("F16");
    }

    void namesTheMixtureAsTheFileDoes()
    {
        QFETCH(const int, fileType);
        QFETCH(const bool, halves);
        QFETCH(const std::string, name);
        GgufWriter writer;
        writer.text("general.architecture", "llama")
            .integer("llama.block_count", 1)
            .integer("llama.context_length", 32)
            .integer("llama.embedding_length", 32)
            .integer("llama.feed_forward_length", 32)
            .integer("llama.attention.head_count", 1)
            .real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
        if (fileType >= 0)
            writer.integer("general.file_type", static_cast<std::uint32_t>(fileType));
        const auto matrix = [&](const std::string& base, std::uint64_t rows) {
            writer.tensor(base + ".weight", {rows, 32}, halves ? GgufWriter::F16 : GgufWriter::Q8_0,
                          std::string(rows * (halves ? 64 : 34), '\0'));
        };
        const auto norm = [&](const std::string& base) {
            writer.tensor(base + ".weight", {32}, GgufWriter::F32, std::string(128, '\0'));
        };
        matrix("token_embd", 16);
        for (const char* base :
             {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"})
            matrix(std::string("blk.0.") + base, 32);
        norm("blk.0.attn_norm");
        norm("blk.0.ffn_norm");
        norm("output_norm");
        tests::writeFile(at("named.gguf"), writer.bytes());
        const Result<ModelFile> file = openModel(at("named.gguf"));
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        QCOMPARE(describe(file->path, file->config, file->weights).quantization, name);
    }

    void describesTheModel()
    {
        const Result<ModelFile> file = openModel(tests::modelData("llama-q8_0.gguf"));
        QVERIFY(file);
        const ModelInfo info = describe(file->path, file->config, file->weights);
        QCOMPARE(info.name, std::string("tiny llama"));
        QCOMPARE(info.architecture, std::string("llama"));
        QCOMPARE(info.quantization, std::string("Q8_0"));
        // Two embeddings, two layers of 7 matrices and 2 norms, and the last norm.
        QCOMPARE(info.tensorTypes, (std::map<std::string, int>{{"F32", 5}, {"Q8_0", 16}}));
        const std::int64_t norms = 5 * 32;
        const std::int64_t layer = 32 * 32 + 2 * 16 * 32 + 32 * 32 + 3 * 64 * 32;
        const std::int64_t matrices = 2 * 272 * 32 + 2 * layer;
        QCOMPARE(info.parameters, norms + matrices);
        const double bits = static_cast<double>(32 * norms) + 8.5 * static_cast<double>(matrices);
        QCOMPARE(info.bitsPerWeight, bits / static_cast<double>(info.parameters));
        QCOMPARE(info.layers, 2);
        QCOMPARE(info.width, 32);
        QCOMPARE(info.heads, 4);
        QCOMPARE(info.kvHeads, 2);
        QCOMPARE(info.contextLength, 320);
        QCOMPARE(info.vocabularySize, 272);
        QVERIFY(info.sha256.empty());
    }

    void namesAFolderThatDoesNotNameItself()
    {
        const Result<ModelFile> file = openModel(tests::modelData("qwen3-f32"));
        QVERIFY(file);
        const std::filesystem::path slashed = tests::modelData("qwen3-f32") / "";
        QCOMPARE(describe(file->path, file->config, file->weights).name, std::string("qwen3-f32"));
        QCOMPARE(describe(slashed, file->config, file->weights).name, std::string("qwen3-f32"));
        QCOMPARE(describe("models/Llama-3.2-1B", file->config, file->weights).name,
                 std::string("Llama-3.2-1B"));
    }

    // Every place at which a download or a copy can end.
    void refusesEveryShorterModelFile()
    {
        const std::string whole = tests::tinyLlamaGguf();
        for (std::size_t size = 0; size + 28 < whole.size(); size += size < 1600 ? 1 : 13) {
            tests::writeFile(at("cut.gguf"), whole.substr(0, size));
            const Result<ModelFile> file = openModel(at("cut.gguf"));
            QVERIFY2(!file, qPrintable(QString::number(size)));
            QVERIFY(file.error().message.starts_with(at("cut.gguf").string() + ": "));
        }
        tests::writeFile(at("cut.gguf"), whole);
        QVERIFY(openModel(at("cut.gguf")));
    }

    void saysWhatIsWrongWithAPath()
    {
        const Result<ModelFile> missing = openModel(at("missing.gguf"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::FileNotFound);
        QVERIFY(missing.error().message.starts_with(at("missing.gguf").string()));
        const Result<ModelFile> noConfig = openModel(at(""));
        QVERIFY(!noConfig);
        QCOMPARE(noConfig.error().code, ErrorCode::FileNotFound);
        QVERIFY(noConfig.error().message.find("config.json") != std::string::npos);
        tests::writeFile(at("text.txt"), "hello");
        const Result<ModelFile> text = openModel(at("text.txt"));
        QVERIFY(!text);
        QVERIFY(text.error().message.find("GGUF") != std::string::npos);
    }

    void survivesEveryDamagedByteOfTheDirectory()
    {
        const std::string whole = tests::tinyLlamaGguf();
        const std::size_t directory = whole.size() - 21 * 32;
        for (std::size_t i = 0; i < std::min<std::size_t>(directory, 1600); ++i) {
            std::string bytes = whole;
            bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
            tests::writeFile(at("damaged.gguf"), bytes);
            Result<ModelFile> file = openModel(at("damaged.gguf"));
            if (!file)
                continue;
            // What opens can be run: it gives logits, or says why it does not.
            const Transformer model(std::move(file->config), std::move(file->weights));
            const std::vector<TokenId> ids = {TokenId{1}, TokenId{2}};
            const auto logits = model.forward(ids, *model.newState(1), std::stop_token());
            QVERIFY(logits || !logits.error().message.empty());
        }
    }
};

QTEST_APPLESS_MAIN(ModelFileTest)
#include "ModelFileTest.moc"
