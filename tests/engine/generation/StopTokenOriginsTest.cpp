#include "engine/generation/StopTokenOrigins.h"

#include "engine/io/GgufFile.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ChatModelFolder.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

using Origins = std::map<int, std::string>;

Origins byId(const std::vector<StopToken>& tokens)
{
    Origins origins;
    for (const StopToken& token : tokens)
        origins[token.piece.id.value] = token.origin;
    return origins;
}

} // namespace

class StopTokenOriginsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheFileOfAFolder()
    {
        tests::ChatModelFolder folder; // config.json: 271; tokenizer_config.json: <|im_end|>, 270
        QCOMPARE(origins(folder),
                 (Origins{{270, "the tokenizer's eos token"}, {271, "config.json"}}));
        folder.write("generation_config.json", R"({"eos_token_id": [270, 5]})");
        const Origins named = origins(folder);
        QCOMPARE(named.at(270), std::string("generation_config.json"));
        QCOMPARE(named.at(5), std::string("generation_config.json"));
        folder.write("generation_config.json", R"({"eos_token_id": 270})");
        QCOMPARE(origins(folder).at(270), std::string("generation_config.json"));
    }

    void namesTheKeyOfAGgufFile()
    {
        const std::filesystem::path path = TOKENSCOPE_TEST_DATA "/models/qwen2-f32.gguf";
        const auto file = need(GgufFile::open(path));
        const auto tokenizer = need(loadTokenizer(file));
        const Origins named = byId(stopTokenOrigins(*tokenizer, file));
        QCOMPARE(named.size(), tokenizer->stopTokens().size());
        QCOMPARE(named.at(271), std::string("tokenizer.ggml.eos_token_id"));
    }

private:
    static Origins origins(const tests::ChatModelFolder& folder)
    {
        const auto tokenizer = need(loadTokenizer(folder.fsPath()));
        return byId(stopTokenOrigins(*tokenizer, folder.fsPath()));
    }
};

QTEST_APPLESS_MAIN(StopTokenOriginsTest)
#include "StopTokenOriginsTest.moc"
