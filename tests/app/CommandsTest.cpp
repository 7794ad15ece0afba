#include "tests/app/CommandCall.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace testing;

namespace {

QJsonObject reference()
{
    QFile file(str(TOKENSCOPE_RESOURCES "/model/reference.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

/// A trace without what may differ between two equal runs.
QJsonObject withoutTimings(QJsonObject trace)
{
    QJsonArray steps = trace[str("steps")].toArray();
    for (auto&& step : steps) {
        QJsonObject object = step.toObject();
        object.remove(str("milliseconds"));
        step = object;
    }
    trace[str("steps")] = steps;
    return trace;
}

} // namespace

class CommandsTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(str(name)); }
    void writeFile(const QString& name, const QByteArray& content) const
    {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

private Q_SLOTS:
    void versionIsOneLine()
    {
        const Outcome outcome = call({str("--version")});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.startsWith("tokenscope "));
        QCOMPARE(outcome.out.count('\n'), 1);
    }

    void everyCommandHasHelp_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"generate", "tokenize", "detokenize", "inspect", "diff"})
            QTest::newRow(command) << str(command);
    }
    void everyCommandHasHelp()
    {
        QFETCH(QString, command);
        const Outcome outcome = call({command, str("--help")});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("--"));
        QVERIFY(outcome.err.isEmpty());
    }

    void greedyTextIsThatOfTheReference()
    {
        const QJsonArray items = reference()[str("items")].toArray();
        QVERIFY(!items.isEmpty());
        for (const auto& item : items) {
            const QString prompt = item.toObject()[str("prompt")].toString();
            const QString continuation = item.toObject()[str("greedy25_text")].toString();
            const Outcome outcome = call(generate({str("--prompt"), prompt}));
            QCOMPARE(outcome.status, 0);
            QCOMPARE(QString::fromUtf8(outcome.out), prompt + continuation + QLatin1Char('\n'));
        }
    }

    void jsonTraceHasWhatTheFormatSays()
    {
        const Outcome outcome = call(
            generate({str("--prompt"), str("Once upon a time"), str("--max-new-tokens"), str("3"),
                      str("--decoding"), str("sample"), str("--seed"), str("42"), str("--top-k"),
                      str("5"), str("--format"), str("json"), str("--top"), str("7")}));
        QCOMPARE(outcome.status, 0);
        const QJsonObject trace = outcome.json();
        QCOMPARE(trace[str("format")].toString(), str("tokenscope-trace"));
        QCOMPARE(trace[str("version")].toInt(), 1);
        const QJsonObject inputs = trace[str("inputs")].toObject();
        for (const char* input : {"context", "model", "tokenizer"})
            QCOMPARE(inputs[str(input)].toObject()[str("sha256")].toString().size(), 64);
        QCOMPARE(inputs[str("settings")].toObject()[str("top_k")].toInt(), 5);
        const QJsonArray steps = trace[str("steps")].toArray();
        QCOMPARE(steps.size(), 3);
        const QJsonObject step = steps[0].toObject();
        QCOMPARE(step[str("rule")].toString(), str("sample"));
        QVERIFY(step[str("candidates")].toArray().size() >= 7);
        const QJsonObject draw = step[str("draw")].toObject();
        QVERIFY(draw[str("low")].toDouble() <= draw[str("u")].toDouble());
        QVERIFY(draw[str("u")].toDouble() < draw[str("high")].toDouble());
        QCOMPARE(step[str("candidates")].toArray()[5].toObject()[str("removed_by")].toString(),
                 str("top-k"));
        QCOMPARE(trace[str("stop")].toObject()[str("reason")].toString(), str("max-new-tokens"));
        QCOMPARE(trace[str("output")].toObject()[str("ids")].toArray().size(), 3);
    }

    void seedDrawIsThePublishedUniform()
    {
        // Values of the contract: seed 0, step 0 and seed 42, step 3.
        const auto uOf = [](const QString& seed, int step) {
            const Outcome outcome = call(generate(
                {str("--prompt"), str("Once upon"), str("--decoding"), str("sample"), str("--seed"),
                 seed, str("--max-new-tokens"), str("4"), str("--format"), str("json")}));
            return outcome.json()[str("steps")]
                .toArray()[step]
                .toObject()[str("draw")]
                .toObject()[str("u")]
                .toDouble();
        };
        QCOMPARE(uOf(str("0"), 0), 0.8805201978886142);
        QCOMPARE(uOf(str("42"), 3), 0.6706398529302326);
    }

    void jsonlHasAHeaderALineAStepAndAnEnd()
    {
        const Outcome outcome =
            call(generate({str("--prompt"), str("One day"), str("--max-new-tokens"), str("4"),
                           str("--format"), str("jsonl")}));
        QCOMPARE(outcome.status, 0);
        const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 6);
        QVERIFY(QJsonDocument::fromJson(lines[0]).object().contains(str("inputs")));
        for (int i = 0; i < 4; ++i)
            QCOMPARE(QJsonDocument::fromJson(lines[i + 1]).object()[str("index")].toInt(), i);
        QVERIFY(QJsonDocument::fromJson(lines[5]).object().contains(str("stop")));
    }

    void tracesAreEqualForOneAndTwoThreads()
    {
        const auto traceWith = [](const QString& threads) {
            return withoutTimings(
                call(generate({str("--prompt"), str("The sun was shining"), str("--decoding"),
                               str("sample"), str("--seed"), str("7"), str("--threads"), threads,
                               str("--format"), str("json")}))
                    .json());
        };
        const QJsonObject one = traceWith(str("1"));
        QCOMPARE(one[str("steps")].toArray().size(), 25);
        QVERIFY(one == traceWith(str("2")));
    }

    void runsReportsThatAllCameOutTheSame()
    {
        const Outcome outcome =
            call(generate({str("--prompt"), str("Lily"), str("--runs"), str("3"), str("--decoding"),
                           str("sample"), str("--seed"), str("5")}));
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.out.contains("3 runs: all came out the same"), outcome.out);
    }

    void tokenizeAndDetokenizeAreInverse()
    {
        const QString text = str("A cat – “naïve”,\n\ttabs 🚀 漢字 <|endoftext|> end");
        const Outcome ids = call({str("tokenize"), str("--text"), text});
        QCOMPARE(ids.status, 0);
        QCOMPARE(ids.out.count('\n'), 1);
        const Outcome back =
            call({str("detokenize"), str("--ids"), QString::fromLatin1(ids.out.trimmed())});
        QCOMPARE(back.status, 0);
        QCOMPARE(back.out, text.toUtf8());
    }

    void tokenizeJsonNamesTokensCharactersAndWords()
    {
        const Outcome outcome = call(
            {str("tokenize"), str("--text"), str("Once upon 漢"), str("--format"), str("json")});
        const QJsonObject json = outcome.json();
        QCOMPARE(json[str("characters")].toInt(), 11);
        QCOMPARE(json[str("words")].toInt(), 3);
        const QJsonObject first = json[str("tokens")].toArray()[0].toObject();
        QCOMPARE(first[str("text")].toString(), str("Once"));
        QCOMPARE(first[str("bytes")].toString(), str("4f6e6365"));
        QCOMPARE(first[str("origin")].toString(), str("prompt"));
    }

    void specialTokensInTextArePlainUnlessAskedFor()
    {
        const Outcome plain = call({str("tokenize"), str("--text"), str("<|endoftext|>")});
        const Outcome special =
            call({str("tokenize"), str("--text"), str("<|endoftext|>"), str("--parse-special")});
        QVERIFY(plain.out.count(',') > 2);
        QCOMPARE(special.out.count(','), 0);
    }

    void tokenizeReadsAFileAndStandardInput()
    {
        writeFile(path("text.txt"), "Once upon\n");
        const Outcome fromFile = call({str("tokenize"), str("--file"), path("text.txt")});
        const Outcome fromInput = call({str("tokenize"), str("--file"), str("-")}, "Once upon\n");
        QCOMPARE(fromFile.status, 0);
        QCOMPARE(fromFile.out, fromInput.out);
    }

    // The file's 4.73 bits are counted in QuantizedModelTest.
    void inspectSaysHowAModelIsQuantized()
    {
        const QString model = str(TOKENSCOPE_TEST_DATA "/quantization/mixture.gguf");
        const Outcome outcome = call({str("inspect"), str("--model"), model});
        QCOMPARE(outcome.status, 0);
        for (const char* line :
             {"quantization Q4_K_M", "bits per weight 4.73", "IQ4_XS × 1, Q2_K × 1, "})
            QVERIFY2(outcome.out.simplified().contains(line), outcome.out);
    }

    void inspectJsonSaysWhatTheModelIs()
    {
        const QJsonObject json = call({str("inspect"), str("--format"), str("json")}).json();
        for (const char* key :
             {"name", "architecture", "parameters", "bits_per_weight", "tensor_types", "layers",
              "width", "heads", "kv_heads", "context_length", "vocabulary", "tokenizer",
              "special_tokens", "chat_template", "model_sha256", "tokenizer_sha256"})
            QVERIFY2(json.contains(str(key)), key);
        QFile config(str(TOKENSCOPE_RESOURCES "/model/config.json"));
        QVERIFY(config.open(QIODevice::ReadOnly));
        const QJsonObject model = QJsonDocument::fromJson(config.readAll()).object();
        QCOMPARE(json[str("vocabulary")].toInt(), model[str("vocab_size")].toInt());
        QCOMPARE(json[str("layers")].toInt(), model[str("num_hidden_layers")].toInt());
        QCOMPARE(json[str("model_sha256")].toString().size(), 64);
    }

    void diffNamesTheInputAndTheStage()
    {
        const auto trace = [this](const char* name, const QStringList& more) {
            return call(generate(QStringList{str("--prompt"), str("Once upon a time"),
                                             str("--decoding"), str("sample"), str("--trace"),
                                             path(name)} +
                                 more))
                .status;
        };
        QCOMPARE(trace("a.json", {str("--seed"), str("1")}), 0);
        QCOMPARE(trace("b.json", {str("--seed"), str("2")}), 0);
        const QJsonObject json =
            call({str("diff"), path("a.json"), path("b.json"), str("--format"), str("json")})
                .json();
        QCOMPARE(json[str("same")].toBool(), false);
        QCOMPARE(json[str("inputs")].toObject()[str("settings")].toString(), str("different"));
        QCOMPARE(json[str("inputs")].toObject()[str("model")].toString(), str("same"));
        QCOMPARE(json[str("parted")].toObject()[str("stage")].toString(), str("draw"));
        QVERIFY(json[str("sentence")].toString().size() > 30);
        const QJsonObject self =
            call({str("diff"), path("a.json"), path("a.json"), str("--format"), str("json")})
                .json();
        QCOMPARE(self[str("same")].toBool(), true);
        QVERIFY(self[str("parted")].isNull());
    }

    void stopReasons_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("reason");
        const QString many = str("600");
        QTest::newRow("length") << QStringList{str("--max-new-tokens"), str("2")}
                                << str("max-new-tokens");
        QTest::newRow("none at all")
            << QStringList{str("--max-new-tokens"), str("0")} << str("max-new-tokens");
        QTest::newRow("text") << QStringList{str("--stop"), str("."), str("--max-new-tokens"), many}
                              << str("stop-text");
        QTest::newRow("context") << QStringList{str("--ignore-stop-tokens"),
                                                str("--max-new-tokens"), many}
                                 << str("context-full");
    }
    void stopReasons()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, reason);
        const Outcome outcome = call(generate(
            QStringList{str("--prompt"), str("Once upon a time"), str("--format"), str("json")} +
            words));
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.json()[str("stop")].toObject()[str("reason")].toString(), reason);
    }

    void interruptEndsTheRunAsCancelledAndKeepsTheTrace()
    {
        QProcess process;
        process.start(QStringLiteral(TOKENSCOPE_PROGRAM),
                      generate({str("--prompt"), str("Once"), str("--ignore-stop-tokens"),
                                str("--max-new-tokens"), str("500"), str("--format"), str("jsonl"),
                                str("--threads"), str("1"), str("--trace"), path("cut.json")}));
        QVERIFY(process.waitForStarted());
        while (process.readAllStandardOutput().count('\n') < 2 && process.waitForReadyRead(20000)) {
        }
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QFile trace(path("cut.json"));
        QVERIFY(trace.open(QIODevice::ReadOnly));
        const QString reason = QJsonDocument::fromJson(trace.readAll())
                                   .object()[str("stop")]
                                   .toObject()[str("reason")]
                                   .toString();
        // A very fast machine may have filled the context before the signal came.
        QVERIFY2(reason == str("cancelled") || reason == str("context-full"), qPrintable(reason));
    }

    void wrongWordsExitWithTwo_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no prompt") << generate({});
        QTest::newRow("two prompts")
            << generate({str("--prompt"), str("a"), str("--prompt-ids"), str("1")});
        QTest::newRow("unknown option") << generate({str("--prompt"), str("a"), str("--what")});
        QTest::newRow("unknown command") << QStringList{str("generated")};
        QTest::newRow("bad number")
            << generate({str("--prompt"), str("a"), str("--temperature"), str("warm")});
        QTest::newRow("negative temperature")
            << generate({str("--prompt"), str("a"), str("--temperature"), str("-1")});
        QTest::newRow("not a number")
            << generate({str("--prompt"), str("a"), str("--temperature"), str("nan")});
        QTest::newRow("top-p above one")
            << generate({str("--prompt"), str("a"), str("--top-p"), str("1.5")});
        QTest::newRow("negative seed")
            << generate({str("--prompt"), str("a"), str("--seed"), str("-3")});
        QTest::newRow("seed beyond 64 bits")
            << generate({str("--prompt"), str("a"), str("--seed"), str("18446744073709551616")});
        QTest::newRow("unknown stage")
            << generate({str("--prompt"), str("a"), str("--order"), str("top-q")});
        QTest::newRow("stage twice")
            << generate({str("--prompt"), str("a"), str("--order"), str("top-k,top-k")});
        QTest::newRow("ids that are words") << generate({str("--prompt-ids"), str("1,two")});
        QTest::newRow("unknown format")
            << QStringList{str("inspect"), str("--format"), str("yaml")};
        QTest::newRow("diff of one") << QStringList{str("diff"), str("a.json")};
    }
    void wrongWordsExitWithTwo()
    {
        QFETCH(QStringList, words);
        const Outcome outcome = call(words);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(!oneErrorLine(outcome).isEmpty(), outcome.err);
        QVERIFY(outcome.out.isEmpty());
    }

    void brokenFilesGiveOneLineThatNamesThem_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("words");
        const auto model = [](const QString& file) {
            return QStringList{str("inspect"), str("--model"), file};
        };
        const QString gguf = path("broken.gguf");
        writeFile(gguf, QByteArray("GGUF\3\0\0\0\1\0", 10));
        QTest::newRow("truncated GGUF") << str("broken.gguf") << model(gguf);
        writeFile(path("magic.gguf"), QByteArray(64, 'x'));
        QTest::newRow("wrong magic") << str("magic.gguf") << model(path("magic.gguf"));
        writeFile(path("empty.gguf"), "");
        QTest::newRow("empty file") << str("empty.gguf") << model(path("empty.gguf"));
        QByteArray counts("GGUF\3\0\0\0", 8);
        counts += QByteArray(16, '\xff');
        writeFile(path("counts.gguf"), counts);
        QTest::newRow("sizes that overflow") << str("counts.gguf") << model(path("counts.gguf"));
        QTest::newRow("no such file") << str("nowhere") << model(path("nowhere.gguf"));
        QDir(m_folder.path()).mkpath(str("bare"));
        QTest::newRow("folder without a model") << str("bare") << model(path("bare"));
        writeFile(path("trace.json"), "not a trace");
        QTest::newRow("trace that is not JSON")
            << str("trace.json")
            << QStringList{str("diff"), path("trace.json"), path("trace.json")};
        QTest::newRow("server") << str("http://localhost:1") << model(str("http://localhost:1"));
    }
    void brokenFilesGiveOneLineThatNamesThem()
    {
        QFETCH(QString, file);
        QFETCH(QStringList, words);
        const Outcome outcome = call(words);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(oneErrorLine(outcome).contains(file.toUtf8()), outcome.err);
        QVERIFY(outcome.out.isEmpty());
    }

    void modelFolderMayBeDamagedInEveryPart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content"); // null: the file is taken away
        QTest::addColumn<QByteArray>("fault");
        QTest::newRow("no config")
            << str("config.json") << QByteArray() << QByteArray("config.json");
        QTest::newRow("no weights")
            << str("model.safetensors") << QByteArray() << QByteArray("safetensors");
        QTest::newRow("unknown architecture")
            << str("config.json") << QByteArray(R"({"model_type": "mamba"})")
            << QByteArray("mamba");
        QTest::newRow("empty config")
            << str("config.json") << QByteArray("") << QByteArray("config.json");
        QTest::newRow("weights cut short")
            << str("model.safetensors") << QByteArray("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)
            << QByteArray("model.safetensors");
        QTest::newRow("tokenizer not JSON")
            << str("tokenizer.json") << QByteArray("{\"model\": [") << QByteArray("tokenizer.json");
    }
    void modelFolderMayBeDamagedInEveryPart()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, fault);
        QTemporaryDir folder;
        for (const char* part : {"config.json", "generation_config.json", "model.safetensors",
                                 "tokenizer.json", "tokenizer_config.json"})
            QVERIFY(QFile::copy(str(TOKENSCOPE_RESOURCES "/model/") + str(part),
                                folder.filePath(str(part))));
        QVERIFY(QFile::remove(folder.filePath(name)));
        if (!content.isNull())
            writeFile(folder.filePath(name), content);
        const Outcome outcome = call({str("inspect"), str("--model"), folder.path()});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(oneErrorLine(outcome).contains(fault), outcome.err);
    }

    void windowWithoutADisplayIsRefusedInOneSentence()
    {
        const Outcome outcome = call({});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(oneErrorLine(outcome).contains("no display"), outcome.err);
    }

    void traceThatCannotBeWrittenIsAnError()
    {
        const Outcome outcome =
            call(generate({str("--prompt"), str("Once"), str("--max-new-tokens"), str("1"),
                           str("--trace"), path("no/such/folder/t.json")}));
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains("no/such/folder"), outcome.err);
    }
};

QTEST_GUILESS_MAIN(CommandsTest)
#include "CommandsTest.moc"
