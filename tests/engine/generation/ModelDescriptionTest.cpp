#include "engine/generation/ModelDescription.h"

#include "engine/generation/FingerprintCache.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace testing;

class ModelDescriptionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysTheSameAsTheModelItself()
    {
        const auto description = need(ModelDescription::read(modelFolder()));
        QVERIFY(description.notes() == bundledModel()->notes());
        QVERIFY(description.tokenizer() == bundledModel()->tokenizerInfo());
        QVERIFY(description.tokenizerFault().empty());
        ModelInfo info = bundledModel()->info();
        info.sha256.clear();
        QVERIFY(description.info() == info);
        QCOMPARE(need(description.fingerprint(FingerprintCache(), {})),
                 bundledModel()->fingerprint());
    }

    void describesAFileWithoutATokenizer()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path =
            folder.filePath(QStringLiteral("bare.gguf")).toStdString();
        tests::writeFile(path, tests::tinyLlamaGguf());
        const auto description = need(ModelDescription::read(path));
        QVERIFY(!description.tokenizer());
        QVERIFY(description.tokenizerFault().find("bare.gguf") != std::string::npos);
        QCOMPARE(description.info().layers, 2);
        QVERIFY(description.notes().stopTokens.empty());
        QCOMPARE(description.notes().fileBytes, std::filesystem::file_size(path));
    }

    void refusesWhatIsNoModel()
    {
        const auto description = ModelDescription::read("/no/such/model.gguf");
        QVERIFY(!description);
        QCOMPARE(description.error().code, ErrorCode::FileNotFound);
    }
};

QTEST_APPLESS_MAIN(ModelDescriptionTest)
#include "ModelDescriptionTest.moc"
