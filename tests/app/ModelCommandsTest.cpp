#include "tests/support/ChatModelFolder.h"
#include "tests/support/ModelWriters.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <thread>

namespace {

struct Outcome
{
    int status = -1;
    QByteArray out;
    QByteArray err;

    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

QString str(const char* text)
{
    return QString::fromUtf8(text);
}

std::vector<int> idsOf(const QJsonArray& array)
{
    std::vector<int> ids;
    for (const auto& id : array)
        ids.push_back(id.toInt());
    return ids;
}

} // namespace

/// What the commands make of the files beside a model's weights: chat template, suggested settings,
/// stop tokens, warnings, fingerprints.
class ModelCommandsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_cache;
    std::unique_ptr<tests::ChatModelFolder> m_model;

    Outcome call(const QStringList& words) const
    {
        QProcess process;
        QProcessEnvironment environment;
        environment.insert(str("PATH"), qEnvironmentVariable("PATH"));
        environment.insert(str("XDG_CACHE_HOME"), m_cache->path());
        environment.insert(str("ASAN_OPTIONS"), qEnvironmentVariable("ASAN_OPTIONS"));
        process.setProcessEnvironment(environment);
        process.start(str(TOKENSCOPE_PROGRAM), words);
        process.closeWriteChannel();
        if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit)
            return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }
    QStringList onModel(const char* command, const QStringList& more = {}) const
    {
        return QStringList{str(command), str("--model"), m_model->path()} + more;
    }

private Q_SLOTS:
    void init()
    {
        m_cache = std::make_unique<QTemporaryDir>();
        m_model = std::make_unique<tests::ChatModelFolder>();
    }

    void chatIsTheTemplateAroundTheWords()
    {
        const Outcome text = call(onModel("tokenize", {str("--chat"), str("--format"), str("text"),
                                                       str("--text"), str("Hi <|im_end|>")}));
        QCOMPARE(text.status, 0);
        QCOMPARE(text.out, QByteArray("<|im_start|>user\nHi <|im_end|><|im_end|>\n"
                                      "<|im_start|>assistant\n"));
        const Outcome tokens =
            call(onModel("tokenize", {str("--chat"), str("--format"), str("json"), str("--text"),
                                      str("Hi <|im_end|>")}));
        int special = 0;
        for (const auto& token : tokens.json()[str("tokens")].toArray())
            special += token.toObject()[str("origin")].toString() == str("special");
        QCOMPARE(special, 3); // not the one among the words
        const Outcome run = call(
            onModel("generate", {str("--chat"), str("--prompt"), str("Hi <|im_end|>"),
                                 str("--max-new-tokens"), str("2"), str("--format"), str("json")}));
        QCOMPARE(run.status, 0);
        const QJsonObject inputs = run.json()[str("inputs")].toObject();
        QCOMPARE(inputs[str("settings")].toObject()[str("chat")].toBool(), true);
        QCOMPARE(idsOf(inputs[str("context")].toObject()[str("ids")].toArray()),
                 idsOf(tokens.json()[str("ids")].toArray()));
        QCOMPARE(inputs[str("context")].toObject()[str("text")].toString(), str("Hi <|im_end|>"));
    }

    void aRenderingAsAPromptGivesTheSameRun()
    {
        const QStringList more{str("--max-new-tokens"), str("8"), str("--format"), str("json")};
        const QByteArray rendered =
            call(onModel("tokenize",
                         {str("--chat"), str("--format"), str("text"), str("--text"), str("Once")}))
                .out;
        const QJsonObject chat =
            call(onModel("generate",
                         QStringList{str("--chat"), str("--prompt"), str("Once")} + more))
                .json();
        const QJsonObject edited =
            call(onModel("generate", QStringList{str("--parse-special"), str("--prompt"),
                                                 QString::fromUtf8(rendered)} +
                                         more))
                .json();
        QCOMPARE(edited[str("output")].toObject(), chat[str("output")].toObject());
        QVERIFY(!chat[str("output")].toObject()[str("ids")].toArray().isEmpty());
    }

    void aTemplateThatIsNotKnownIsRefusedInOneSentence_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("none") << QString() << QByteArray("the model has none");
        QTest::newRow("another") << str("{{ secret(messages) }}") << QByteArray("secret");
    }
    void aTemplateThatIsNotKnownIsRefusedInOneSentence()
    {
        QFETCH(QString, source);
        QFETCH(QByteArray, why);
        m_model->setTemplate(source);
        for (const char* command : {"generate", "tokenize"}) {
            const QString option = str(*command == 'g' ? "--prompt" : "--text");
            const Outcome outcome = call(onModel(command, {str("--chat"), option, str("Hi")}));
            QCOMPARE(outcome.status, 1);
            QCOMPARE(outcome.err.count('\n'), 1);
            QVERIFY2(outcome.err.contains(why), outcome.err);
        }
        const QJsonObject json = call(onModel("inspect", {str("--format"), str("json")})).json();
        QVERIFY(!json[str("chat_usable")].toBool());
        QVERIFY(json[str("chat_unusable")].toString().contains(QString::fromUtf8(why)));
        QCOMPARE(json[str("chat_template")].isNull(), source.isEmpty());
    }

    void inspectSaysWhatTheFilesSuggestAndWhichSaysSo()
    {
        m_model->write("generation_config.json",
                       R"({"do_sample": true, "temperature": 0.6, "top_p": 0.95,
                           "eos_token_id": [270, 271]})");
        const QJsonObject json = call(onModel("inspect", {str("--format"), str("json")})).json();
        const QJsonObject sampling = json[str("sampling_defaults")].toObject();
        QCOMPARE(sampling, (QJsonObject{{str("origin"), str("generation_config.json")},
                                        {str("decoding"), str("sample")},
                                        {str("temperature"), 0.6},
                                        {str("top_p"), 0.95}}));
        QCOMPARE(json[str("stop_tokens")].toArray().size(), 2);
        for (const auto& token : json[str("stop_tokens")].toArray())
            QCOMPARE(token.toObject()[str("origin")].toString(), str("generation_config.json"));
        QVERIFY(json[str("chat_usable")].toBool());
        QCOMPARE(json[str("chat_template")].toString(), tests::chatMlTemplate);
        QVERIFY(json[str("file_bytes")].toInteger() > 10000);
        const QByteArray text = call(onModel("inspect")).out;
        for (const char* part :
             {"sample, temperature 0.6, top-p 0.95 (generation_config.json; not applied by itself)",
              "270 <|im_end|> (generation_config.json)"})
            QVERIFY2(text.contains(part), text);
        // Suggested is not applied.
        const QJsonObject run =
            call(onModel("generate", {str("--prompt"), str("a"), str("--max-new-tokens"), str("1"),
                                      str("--format"), str("json")}))
                .json();
        const QJsonObject settings = run[str("inputs")].toObject()[str("settings")].toObject();
        QCOMPARE(settings[str("decoding")].toString(), str("greedy"));
        QCOMPARE(settings[str("temperature")].toDouble(), 1.0);
    }

    void warningsGoToStandardError()
    {
        m_model->write("generation_config.json", R"({"temperature": "hot"})");
        const QByteArray warning = "tokenscope: warning: generation_config.json: temperature: "
                                   "expected a number from 0 up, found \"hot\"; this setting is "
                                   "not offered\n";
        for (const QStringList& words :
             {onModel("generate", {str("--prompt"), str("a"), str("--max-new-tokens"), str("1")}),
              onModel("tokenize", {str("--text"), str("a")}),
              onModel("detokenize", {str("--ids"), str("1,2")})}) {
            const Outcome outcome = call(words);
            QCOMPARE(outcome.status, 0);
            QVERIFY2(outcome.err.contains(warning), outcome.err);
        }
        const Outcome inspect = call(onModel("inspect", {str("--format"), str("json")}));
        QCOMPARE(inspect.json()[str("warnings")].toArray().size(), 1);
    }

    void inspectTellsOfAModelWithoutATokenizer_data()
    {
        QTest::addColumn<bool>("isGguf");
        QTest::newRow("GGUF file") << true;
        QTest::newRow("folder") << false;
    }
    void inspectTellsOfAModelWithoutATokenizer()
    {
        QFETCH(bool, isGguf);
        QString model = m_model->path();
        if (isGguf) {
            model += str("/bare.gguf");
            tests::writeFile(model.toStdString(), tests::tinyLlamaGguf());
        } else {
            QVERIFY(QFile::remove(model + str("/tokenizer.json")));
        }
        const Outcome outcome =
            call({str("inspect"), str("--model"), model, str("--format"), str("json")});
        QCOMPARE(outcome.status, 0);
        const QJsonObject json = outcome.json();
        for (const char* key :
             {"name", "architecture", "parameters", "bits_per_weight", "tensor_types", "layers",
              "width", "heads", "kv_heads", "context_length", "vocabulary", "tokenizer",
              "special_tokens", "chat_template", "model_sha256", "tokenizer_sha256"})
            QVERIFY2(json.contains(str(key)), key);
        QVERIFY(json[str("tokenizer")].isNull() && json[str("tokenizer_sha256")].isNull());
        QVERIFY(json[str("tokenizer_missing")].toString().contains(model));
        QCOMPARE(json[str("model_sha256")].toString().size(), 64);
        const Outcome text = call({str("inspect"), str("--model"), model});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("none, so the model cannot be run"), text.out);
    }

    void fingerprintsAreRememberedUntilAFileChanges()
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); // see ModelFingerprint
        const auto digest = [this] {
            return call(onModel("inspect", {str("--format"), str("json")}))
                .json()[str("model_sha256")]
                .toString();
        };
        const QString first = digest();
        const std::filesystem::path cache =
            std::filesystem::path(m_cache->path().toStdString()) / "tokenscope" / "fingerprints";
        QVERIFY(tests::readFile(cache).find(first.toStdString()) != std::string::npos);
        QCOMPARE(digest(), first);
        const std::filesystem::path weights = m_model->fsPath() / "model.safetensors";
        std::string bytes = tests::readFile(weights);
        bytes.back() ^= 1;
        tests::writeFile(weights, bytes);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const QString second = digest();
        QVERIFY(second != first && second.size() == 64);
        // The old one's place is taken; a damaged cache is passed over.
        QVERIFY(tests::readFile(cache).find(first.toStdString()) == std::string::npos);
        tests::writeFile(cache, "damaged");
        QCOMPARE(digest(), second);
    }
};

QTEST_APPLESS_MAIN(ModelCommandsTest)
#include "ModelCommandsTest.moc"
