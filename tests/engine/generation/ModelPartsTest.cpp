#include "engine/generation/ModelParts.h"

#include "engine/generation/ModelFingerprint.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ChatModelFolder.h"

#include <QTest>

using namespace engine;
using namespace testing;
namespace fs = std::filesystem;

class ModelPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gathersWhatTheFilesSuggest()
    {
        const std::int64_t before = ModelFingerprint::now();
        const auto parts = need(openParts(modelFolder()));
        QVERIFY(before <= parts.openedNanoseconds &&
                parts.openedNanoseconds <= ModelFingerprint::now());
        QVERIFY(bool(parts.tokenizer));
        // What generation_config.json beside the bundled model says.
        QCOMPARE(parts.notes.sampling.rule, DecodingRule::Sample);
        QCOMPARE(parts.notes.sampling.temperature, 0.8);
        QCOMPARE(parts.notes.sampling.topK, std::int64_t{40});
        QCOMPARE(parts.notes.stopTokens.size(), std::size_t{1});
        QCOMPARE(parts.notes.stopTokens[0].origin, std::string("generation_config.json"));
        QVERIFY(parts.notes.warnings.empty());
        QCOMPARE(parts.notes.fileBytes, fs::file_size(modelFolder() / "config.json") +
                                            fs::file_size(modelFolder() / "model.safetensors"));
    }

    void saysWhetherTheModelCanChat()
    {
        const auto none = need(openParts(modelFolder()));
        QVERIFY(!none.notes.chat.usable && !none.notes.chat.hasTemplate);
        QVERIFY(none.notes.chat.reason.find("the model has none") != std::string::npos);
        tests::ChatModelFolder folder;
        const auto chatMl = need(openParts(folder.fsPath()));
        QVERIFY((chatMl.notes.chat == ChatSupport{true, true, ""}));
        folder.setTemplate(QStringLiteral("{{ secret(messages) }}"));
        const auto unknown = need(openParts(folder.fsPath()));
        QVERIFY(!unknown.notes.chat.usable && unknown.notes.chat.hasTemplate);
        QVERIFY(unknown.notes.chat.reason.find("secret") != std::string::npos);
    }

    void warnsOfSettingsThatMakeNoSense()
    {
        tests::ChatModelFolder folder;
        folder.write("generation_config.json", R"({"temperature": -2})");
        const auto parts = need(openParts(folder.fsPath()));
        QCOMPARE(parts.notes.warnings.size(), std::size_t{1});
        QVERIFY(parts.notes.warnings[0].starts_with("generation_config.json: temperature"));
    }

    void aTokenizerThatIsNotThereIsNoFaultOfTheModel()
    {
        tests::ChatModelFolder folder;
        fs::remove(folder.fsPath() / "tokenizer.json");
        const auto parts = need(openParts(folder.fsPath()));
        QVERIFY(!parts.tokenizer);
        QCOMPARE(parts.tokenizer.error().code, ErrorCode::MissingTokenizer);
        QVERIFY(parts.info.parameters > 0);
    }
};

QTEST_APPLESS_MAIN(ModelPartsTest)
#include "ModelPartsTest.moc"
