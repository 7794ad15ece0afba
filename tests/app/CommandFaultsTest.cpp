#include "tests/app/CommandCall.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace testing;

/// What is wrong with a call's words, files and streams is said in one line, never passed over.
class CommandFaultsTest : public QObject
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
    static QStringList tokenize(const QString& file)
    {
        return {str("tokenize"), str("--file"), file};
    }

private Q_SLOTS:
    void textThatCannotBeReadIsNamed_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("place");
        const auto prompt = [](const QString& file) {
            return generate({str("--prompt-file"), file});
        };
        QTest::newRow("failing read")
            << tokenize(str("/proc/self/mem")) << QByteArray("/proc/self/mem: cannot be read: ");
        QTest::newRow("failing read of a prompt")
            << prompt(str("/proc/self/mem")) << QByteArray("/proc/self/mem: cannot be read: ");
        QTest::newRow("folder") << tokenize(m_folder.path())
                                << (m_folder.path() + str(": cannot be read: ")).toUtf8();
        QTest::newRow("no such file")
            << tokenize(path("nowhere.txt")) << QByteArray("nowhere.txt: cannot be read: ");
        writeFile(path("latin1.txt"), "caf\xe9");
        QTest::newRow("not UTF-8")
            << prompt(path("latin1.txt")) << QByteArray("latin1.txt: expected UTF-8");
        QTest::newRow("not UTF-8, tokenized")
            << tokenize(path("latin1.txt")) << QByteArray("latin1.txt: ");
    }
    void textThatCannotBeReadIsNamed()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, place);
        const Outcome outcome = call(words);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(oneErrorLine(outcome).contains(place), outcome.err);
        QVERIFY(outcome.out.isEmpty());
    }

    void standardInputThatCannotBeReadIsNotEmpty_data()
    {
        QTest::addColumn<QString>("redirection");
        QTest::newRow("closed") << str("<&-");
        QTest::newRow("folder") << str("</");
    }
    void standardInputThatCannotBeReadIsNotEmpty()
    {
        QFETCH(QString, redirection);
        for (const QStringList& words :
             {tokenize(str("-")), generate({str("--prompt-file"), str("-")})}) {
            const Outcome outcome = callRedirected(redirection, words);
            QCOMPARE(outcome.status, 1);
            QVERIFY2(oneErrorLine(outcome).contains("standard input: cannot be read: "),
                     outcome.err);
        }
    }

    void aPipeIsReadToItsEnd()
    {
        const Outcome outcome =
            callAs(str("sh"), {str("-c"),
                               str("mkfifo \"$1\"; printf 'Once upon' > \"$1\" & exec \"$0\" "
                                   "tokenize --file \"$1\""),
                               str(TOKENSCOPE_PROGRAM), path("pipe")});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.out, call({str("tokenize"), str("--text"), str("Once upon")}).out);
    }

    void outputThatCannotBeWrittenIsAFailure_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("help") << QStringList{str("--help")};
        QTest::newRow("help of a command") << generate({str("--help")});
        QTest::newRow("version") << QStringList{str("--version")};
        QTest::newRow("ids") << QStringList{str("tokenize"), str("--text"), str("a")};
        QTest::newRow("run") << generate({str("--prompt"), str("a"), str("--max-new-tokens"),
                                          str("1"), str("--format"), str("json")});
    }
    void outputThatCannotBeWrittenIsAFailure()
    {
        QFETCH(QStringList, words);
        for (const QString& redirection : {str(">/dev/full"), str(">&-")}) {
            const Outcome outcome = callRedirected(redirection, words);
            QCOMPARE(outcome.status, 1);
            QVERIFY2(outcome.err.contains("tokenscope: error: standard output cannot be written: "),
                     outcome.err);
        }
    }

    void emptyValuesAreRefusedByName_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("option");
        for (const char* option :
             {"--trace", "--model", "--order", "--top-k", "--temperature", "--format"}) {
            QTest::newRow(option) << generate({str("--prompt"), str("a"), str(option), QString()})
                                  << QByteArray(option);
            QTest::addRow("%s=", option)
                << generate(
                       {str("--prompt"), str("a"), str(option) + QLatin1Char('='), str("--chat")})
                << QByteArray(option);
        }
        QTest::newRow("--prompt-file")
            << generate({str("--prompt-file"), QString()}) << QByteArray("--prompt-file");
        QTest::newRow("--file") << tokenize(QString()) << QByteArray("--file");
        QTest::newRow("diff") << QStringList{str("diff"), QString(), str("b.json")}
                              << QByteArray("A");
        QTest::newRow("--screenshot")
            << QStringList{str("--screenshot"), QString()} << QByteArray("--screenshot");
    }
    void emptyValuesAreRefusedByName()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, option);
        const Outcome outcome = call(words);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(oneErrorLine(outcome).contains("error: " + option + ": expected a value"),
                 outcome.err);
    }

    void anEmptyTextIsAText()
    {
        const Outcome outcome = call({str("tokenize"), str("--text="), str("--format=json")});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.json()[str("ids")].isArray());
    }

    void numbersAreDecimalWholeWordsInANamedRange_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("range");
        const QByteArray counts("a whole number from 0 to 9223372036854775807");
        for (const char* value : {"0x10", "99999999999999999999", "1e3", "-1", "+5", " 5", "5x"})
            QTest::newRow(value) << str("--top-k") << str(value) << counts;
        for (const char* value : {"nan", "inf", "1e999", "0x1p3", "warm", "-0.5"})
            QTest::newRow(value) << str("--temperature") << str(value)
                                 << QByteArray("a number from 0 to ");
        QTest::newRow("top-p") << str("--top-p") << str("1.5")
                               << QByteArray("a number from 0 to 1,");
        QTest::newRow("seed") << str("--seed") << str("18446744073709551616")
                              << QByteArray("a whole number from 0 to 18446744073709551615,");
        QTest::newRow("threads") << str("--threads") << str("0")
                                 << QByteArray("a whole number from 1 to 1024,");
        QTest::newRow("runs") << str("--runs") << str("0")
                              << QByteArray("a whole number from 1 to 1000000,");
        QTest::newRow("top") << str("--top") << str("0") << QByteArray("a whole number from 1 to ");
    }
    void numbersAreDecimalWholeWordsInANamedRange()
    {
        QFETCH(QString, option);
        QFETCH(QString, value);
        QFETCH(QByteArray, range);
        const Outcome outcome = call(generate({str("--prompt"), str("a"), option, value}));
        QCOMPARE(outcome.status, 2);
        QVERIFY2(oneErrorLine(outcome).contains(option.toUtf8() + ": expected " + range),
                 outcome.err);
        QVERIFY2(outcome.err.contains('"' + value.toUtf8() + '"'), outcome.err);
    }

    void numbersAreTakenAsWritten()
    {
        const Outcome outcome = call(generate(
            {str("--prompt"), str("a"), str("--max-new-tokens"), str("0"), str("--temperature"),
             str("2.5e-1"), str("--top-k"), str("010"), str("--top-p"), str(".5"), str("--seed"),
             str("18446744073709551615"), str("--format"), str("json")}));
        QCOMPARE(outcome.status, 0);
        const QJsonObject settings =
            outcome.json()[str("inputs")].toObject()[str("settings")].toObject();
        QCOMPARE(settings[str("temperature")].toDouble(), 0.25);
        QCOMPARE(settings[str("top_k")].toInt(), 10);
        QCOMPARE(settings[str("top_p")].toDouble(), 0.5);
        QVERIFY(outcome.out.contains("18446744073709551615"));
    }

    void traceThatCannotBeWrittenIsFoundBeforeTheRun_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("no such folder") << path("no/such/folder/t.json");
        QTest::newRow("folder") << m_folder.path();
        writeFile(path("file"), "x");
        QTest::newRow("below a file") << path("file/t.json");
    }
    void traceThatCannotBeWrittenIsFoundBeforeTheRun()
    {
        QFETCH(QString, file);
        const Outcome outcome =
            call(generate({str("--prompt"), str("Once"), str("--trace"), file}));
        QCOMPARE(outcome.status, 1);
        QVERIFY2(oneErrorLine(outcome).contains(file.toUtf8()), outcome.err);
        QVERIFY(outcome.out.isEmpty()); // nothing has been generated
    }

    void anOldTraceIsNotTouchedByAFailedCall()
    {
        writeFile(path("old.json"), "old");
        const Outcome outcome =
            call(generate({str("--prompt="), str("--trace"), path("old.json")}));
        QCOMPARE(outcome.status, 1);
        QFile file(path("old.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
    }

    void interruptedRunsAreSaidNotToHaveBeenCompared()
    {
        QProcess process;
        process.start(str(TOKENSCOPE_PROGRAM),
                      generate({str("--prompt"), str("Once"), str("--ignore-stop-tokens"),
                                str("--max-new-tokens"), str("500"), str("--format"), str("jsonl"),
                                str("--threads"), str("1"), str("--runs"), str("1000000")}));
        QVERIFY(process.waitForStarted());
        QVERIFY(process.waitForReadyRead(60000));
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(err.contains("of 1000000; the runs were not compared"), err);
    }

    void diffSaysWhichSettingsATraceDoesNotGive()
    {
        const QString file = path("run.json");
        QCOMPARE(call(generate({str("--prompt"), str("Once"), str("--max-new-tokens"), str("1"),
                                str("--trace"), file}))
                     .status,
                 0);
        QFile trace(file);
        QVERIFY(trace.open(QIODevice::ReadOnly));
        writeFile(path("bare.json"), trace.readAll().replace("\"top_k\"", "\"top_q\""));
        const QJsonObject json =
            call({str("diff"), file, path("bare.json"), str("--format"), str("json")}).json();
        QVERIFY(json[str("sentence")].toString().contains(
            str("The second trace does not give top_k, taken to be at the default.")));
    }
};

QTEST_GUILESS_MAIN(CommandFaultsTest)
#include "CommandFaultsTest.moc"
