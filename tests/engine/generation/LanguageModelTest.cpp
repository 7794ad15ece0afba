#include "engine/generation/LanguageModel.h"

#include "engine/generation/TraceFile.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <thread>

using namespace engine;
using namespace testing;
namespace fs = std::filesystem;

namespace {

/// A copy of the bundled model's folder in which a test may spoil something; large files are
/// linked.
class FolderCopy
{
public:
    FolderCopy()
    {
        for (const auto& entry : fs::directory_iterator(modelFolder())) {
            if (!entry.is_regular_file())
                continue;
            const fs::path target = path() / entry.path().filename();
            if (entry.path().extension() == ".safetensors")
                fs::create_symlink(entry.path(), target);
            else
                fs::copy_file(entry.path(), target);
        }
    }
    fs::path path() const { return m_folder.path().toStdString(); }

    void write(const char* name, const std::string& text) const
    {
        fs::remove(path() / name);
        std::ofstream(path() / name) << text;
    }
    std::string read(const char* name) const
    {
        std::ifstream file(path() / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    QTemporaryDir m_folder;
};

Error errorOf(const fs::path& path)
{
    const auto model = LanguageModel::load(path);
    return model ? Error{ErrorCode::BadFormat, "loaded without an error"} : model.error();
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// A GGUF file whose vocabulary of 16 is padded behind the 13 tokens of its tokenizer.
std::string paddedGguf()
{
    std::vector<std::string> pieces = {"<unk>", "<s>", "</s>", "\u2581"};
    std::vector<std::int32_t> types = {2, 3, 3, 1}; // unknown, control, control, normal
    for (char letter = 'a'; pieces.size() < 13; ++letter) {
        pieces.emplace_back(1, letter);
        types.push_back(1);
    }
    while (pieces.size() < 16) {
        pieces.push_back("[PAD" + std::to_string(pieces.size()) + "]");
        types.push_back(5); // unused
    }
    tests::GgufWriter writer = tests::tinyLlamaMetadata();
    writer.text("tokenizer.ggml.model", "llama")
        .texts("tokenizer.ggml.tokens", pieces)
        .integers("tokenizer.ggml.token_type", types)
        .reals("tokenizer.ggml.scores", std::vector<float>(16, 0.0F));
    for (const tests::TinyTensor& tensor : tests::tinyLlamaTensors())
        writer.tensor(tensor.name, tensor.shape, tests::GgufWriter::F32,
                      tests::floatBytes(tensor.values));
    return writer.bytes();
}

} // namespace

class LanguageModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensAFolderAndAFileInside()
    {
        const auto folder = LanguageModel::load(modelFolder());
        QVERIFY2(bool(folder), folder ? "" : folder.error().message.c_str());
        const ModelInfo info = (*folder)->info();
        QVERIFY(info.vocabularySize >= (*folder)->tokenizer().vocabularySize());
        QVERIFY(info.parameters > 0 && info.layers > 0 && !info.quantization.empty());
        const auto file = LanguageModel::load(modelFolder() / "model.safetensors");
        QVERIFY2(bool(file), file ? "" : file.error().message.c_str());
        QCOMPARE((*file)->info().parameters, info.parameters);
        QCOMPARE((*file)->fingerprint(), (*folder)->fingerprint());
    }

    void tellsItsDigestOnceItHasBeenComputed()
    {
        const auto model = need(LanguageModel::load(modelFolder()));
        QVERIFY(model->info().sha256.empty());
        QCOMPARE(model->fingerprint().size(), std::size_t{64});
        QCOMPARE(model->info().sha256, model->fingerprint());
        QVERIFY(!model->tokenizerInfo().sha256.empty());
    }

    void computesItsDigestOnceForSeveralThreads()
    {
        const auto model = need(LanguageModel::load(modelFolder()));
        std::vector<std::string> seen(4);
        {
            std::vector<std::jthread> threads;
            for (std::string& place : seen)
                threads.emplace_back([&place, &model] { place = model->fingerprint(); });
        }
        QVERIFY(std::all_of(seen.begin(), seen.end(),
                            [&](const std::string& digest) { return digest == seen[0]; }));
        QCOMPARE(seen[0].size(), std::size_t{64});
    }

    void stopsAtWhatTheGenerationConfigNames()
    {
        FolderCopy folder;
        std::string config = folder.read("generation_config.json");
        const auto at = config.find("\"eos_token_id\"");
        QVERIFY(at != std::string::npos);
        const auto end = config.find_first_of(",}", at);
        config.replace(at, end - at, "\"eos_token_id\": [11, 13]");
        folder.write("generation_config.json", config);
        const auto model = need(LanguageModel::load(folder.path()));
        for (const int id : {11, 13})
            QVERIFY(std::find(model->stopTokens().begin(), model->stopTokens().end(),
                              TokenId{id}) != model->stopTokens().end());
    }

    void givesIdsThatTheTokenizerCannotNameNoText()
    {
        const TokenId beyond{bundledModel()->tokenizer().vocabularySize() + 3};
        const TokenPiece piece = bundledModel()->tokenizer().piece(beyond);
        QVERIFY(piece.bytes.empty() && piece.kind == TokenKind::Unused && piece.id == beyond);
    }

    void listsTheIdsThatTheTokenizerCanName()
    {
        QVERIFY(bundledModel()->namedIds().empty());
        const auto model = need(LanguageModel::load(paddedModel()));
        std::vector<std::int32_t> expected(13);
        std::iota(expected.begin(), expected.end(), 0);
        QCOMPARE(model->namedIds(), expected);
    }

    void neverPicksAnIdThatTheTokenizerCannotName()
    {
        const auto model = need(LanguageModel::load(paddedModel()));
        RunConfig config;
        config.maxNewTokens = 20;
        config.ignoreStopTokens = true;
        config.sampling.rule = DecodingRule::Sample;
        config.sampling.temperature = 100; // near flat: three of sixteen would come up often
        auto session =
            need(GenerationSession::start(model, std::vector<TokenId>{TokenId{5}}, config, 1));
        while (!session.stopReason()) {
            const Step step = need(session.step({}));
            QVERIFY(step.picked.value < 13);
            const StageTrace& mask = step.stages.at(0);
            QCOMPARE(mask.stage, SamplingStage::UnnamedIds);
            QCOMPARE(mask.before - mask.after, 3);
            double masked = 0;
            for (const int id : {13, 14, 15})
                masked += step.find(TokenId{id})->probability;
            QVERIFY(std::abs(mask.removedProbability - masked) < 1e-14);
        }
        QCOMPARE(session.run().steps.size(), std::size_t{20});
        const fs::path trace = fs::path(m_folder.path().toStdString()) / "padded.tokenscope.json";
        QVERIFY(bool(writeTrace(session.run(), trace)));
        const Run again = need(readTrace(trace));
        QCOMPARE(again.steps.at(3).stages, session.run().steps.at(3).stages);
    }

    void refusesWhatIsNotThere()
    {
        const Error error = errorOf("/no/such/model.gguf");
        QCOMPARE(error.code, ErrorCode::FileNotFound);
        QVERIFY(contains(error.message, "/no/such/model.gguf"));
        QCOMPARE(errorOf("").code, ErrorCode::FileNotFound);
    }

    void refusesACompletionsServer()
    {
        for (const char* address : {"http://localhost:8080/v1", "https://example.org"}) {
            const Error error = errorOf(address);
            QCOMPARE(error.code, ErrorCode::UnsupportedFeature);
            QVERIFY(contains(error.message, "completions servers are not supported"));
            QVERIFY(contains(error.message, address));
        }
    }

    void refusesAFolderWithoutAConfig()
    {
        const QTemporaryDir empty;
        const Error error = errorOf(empty.path().toStdString());
        QCOMPARE(error.code, ErrorCode::FileNotFound);
        QVERIFY(contains(error.message, "config.json"));
    }

    void refusesAFolderWithoutATokenizer()
    {
        FolderCopy folder;
        fs::remove(folder.path() / "tokenizer.json");
        const Error error = errorOf(folder.path());
        QCOMPARE(error.code, ErrorCode::MissingTokenizer);
        QVERIFY(contains(error.message, folder.path().string()));
    }

    void refusesAFolderWithoutWeights()
    {
        FolderCopy folder;
        fs::remove(folder.path() / "model.safetensors");
        QVERIFY(!contains(errorOf(folder.path()).message, "loaded"));
    }

    void refusesATokenizerLargerThanTheModel()
    {
        FolderCopy folder;
        std::string text = folder.read("tokenizer.json");
        const auto at = text.find("\"added_tokens\"");
        QVERIFY(at != std::string::npos);
        const auto bracket = text.find('[', at);
        const int size = bundledModel()->transformer().config().vocabularySize;
        text.insert(bracket + 1,
                    "{\"id\": " + std::to_string(size) +
                        ", \"content\": \"<|more|>\", \"single_word\": false, \"lstrip\": false, "
                        "\"rstrip\": false, \"normalized\": false, \"special\": true},");
        folder.write("tokenizer.json", text);
        const Error error = errorOf(folder.path());
        QCOMPARE(error.code, ErrorCode::BadFormat);
        QVERIFY2(contains(error.message, "they do not belong together"), error.message.c_str());
        QVERIFY(contains(error.message, std::to_string(size + 1)));
    }

    void refusesAnEmptyFileAndOneThatIsNoModel()
    {
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "some.gguf";
        std::ofstream(path).flush();
        QVERIFY(contains(errorOf(path).message, "some.gguf"));
        std::ofstream(path) << "Once upon a time there was a text file.";
        const Error error = errorOf(path);
        QVERIFY(contains(error.message, "some.gguf"));
        QVERIFY(!contains(error.message, "loaded"));
    }

private:
    fs::path paddedModel() const
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / "padded.gguf";
        tests::writeFile(path, paddedGguf());
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(LanguageModelTest)
#include "LanguageModelTest.moc"
