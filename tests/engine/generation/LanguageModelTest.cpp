#include "engine/generation/LanguageModel.h"

#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
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
        std::vector<const std::string*> seen(4);
        {
            std::vector<std::jthread> threads;
            for (const std::string*& place : seen)
                threads.emplace_back([&place, &model] { place = &model->fingerprint(); });
        }
        QVERIFY(std::all_of(seen.begin(), seen.end(),
                            [&](const std::string* digest) { return digest == seen[0]; }));
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
};

QTEST_APPLESS_MAIN(LanguageModelTest)
#include "LanguageModelTest.moc"
