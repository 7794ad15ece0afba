#include "engine/io/Json.h"
#include "engine/tokenizer/ChatTemplate.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"
#include "tests/peers/tokenizer/HostileTexts.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

const QString kScripts = QStringLiteral(TOKENSCOPE_PEER_SCRIPTS);
const QString kVocabularies = QStringLiteral(TOKENSCOPE_VOCABULARIES);

/// Runs a program and gives what it wrote; `reason` says why there is nothing.
QByteArray outputOf(const QString& program, const QStringList& arguments, QString& reason)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted()) {
        reason = program + u" cannot be started"_qs;
        return {};
    }
    process.waitForFinished(600000);
    if (process.exitCode() != 0)
        reason = program + u": "_qs +
                 QString::fromUtf8(process.readAllStandardError()).trimmed().section(u'\n', -1);
    return process.readAllStandardOutput();
}

/// Debian's Python, since its modules are Debian's too.
QByteArray python(const QStringList& arguments, QString& reason)
{
    return outputOf(QStringLiteral("/usr/bin/python3"), arguments, reason);
}

QString joined(const QJsonArray& ids)
{
    QStringList shown;
    for (const QJsonValue& id : ids)
        shown << QString::number(id.toInt());
    return shown.join(QLatin1Char(','));
}

} // namespace

/// The tokenizers and chat templates against the programs that define them, on texts that are made
/// up afresh (with a fixed seed). A program that is not there skips its test, with the reason.
class ProgramPeersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QString ignored;
        outputOf(QStringLiteral("/bin/sh"),
                 {QStringLiteral(TOKENSCOPE_FETCH_VOCABULARIES), kVocabularies}, ignored);
        if (!ignored.isEmpty())
            qWarning("Some vocabularies are missing: %s", qPrintable(ignored));
    }

    void givesTheIdsOfSentencePiece_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bpe-bytes", "bpe-defined", "unigram", "unigram-bytes"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void givesTheIdsOfSentencePiece()
    {
        QFETCH(QString, name);
        static QTemporaryDir folder;
        const QString cases = folder.filePath(QStringLiteral("cases.json"));
        QString reason;
        if (!QFile::exists(cases))
            python({kScripts + u"/make_sentencepiece.py"_qs, folder.path(), u"--texts"_qs,
                    u"2000"_qs, u"--seed"_qs, u"7"_qs},
                   reason);
        if (!reason.isEmpty())
            QSKIP(qPrintable(u"SentencePiece is missing: "_qs + reason));
        QFile file(cases);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray pairs =
            QJsonDocument::fromJson(file.readAll()).object()[u"models"_qs][name].toArray();
        QCOMPARE(pairs.size(), 2000);
        const auto tokenizer = loadTokenizer(folder.filePath(name).toStdString());
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        for (const QJsonValue& pair : pairs)
            QCOMPARE(
                show((*tokenizer)
                         ->encode(pair[0].toString().toStdString(), {.addSpecialTokens = false})),
                joined(pair[1].toArray()));
    }

    void givesTheIdsOfHuggingFace_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama3", "qwen3", "gemma3"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void givesTheIdsOfHuggingFace()
    {
        QFETCH(QString, name);
        const QString program = kVocabularies + u"/huggingface/tokenizers.mjs"_qs;
        const QString place = kVocabularies + u"/"_qs + name;
        if (!QFile::exists(program) || !QDir(place).exists())
            QSKIP("@huggingface/tokenizers or the vocabulary is missing");
        std::mt19937 random(23);
        QJsonArray texts;
        for (int i = 0; i < 1500; ++i)
            texts << text(hostileText(random));
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("texts.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(texts).toJson());
        file.close();
        QString reason;
        const QByteArray written = outputOf(
            QStringLiteral("node"),
            {kScripts + u"/huggingface_ids.mjs"_qs, program, place, file.fileName()}, reason);
        if (!reason.isEmpty())
            QSKIP(qPrintable(reason));
        const QJsonArray ids = QJsonDocument::fromJson(written).array();
        QCOMPARE(ids.size(), texts.size());
        const auto tokenizer = loadTokenizer(place.toStdString());
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        for (qsizetype i = 0; i < texts.size(); ++i)
            QVERIFY2(show((*tokenizer)
                              ->encode(texts[i].toString().toStdString(),
                                       {.addSpecialTokens = false, .parseSpecial = true})) ==
                         joined(ids[i].toArray()),
                     qPrintable(texts[i].toString()));
    }

    void writesWhatJinjaWrites()
    {
        const QDir folder(kVocabularies + u"/templates"_qs);
        const QStringList names = folder.entryList({u"*.jinja"_qs}, QDir::Files, QDir::Name);
        if (names.isEmpty())
            QSKIP("the templates are missing");
        const QString subject = u" Hi <b>é\n"_qs;
        QStringList arguments = {kScripts + u"/make_jinja_cases.py"_qs, u"--text"_qs, subject,
                                 u"--files"_qs};
        for (const QString& name : names)
            arguments << folder.filePath(name);
        QString reason;
        const QByteArray written = python(arguments, reason);
        if (!reason.isEmpty())
            QSKIP(qPrintable(u"Jinja is missing: "_qs + reason));
        const QJsonArray expected = QJsonDocument::fromJson(written).array();
        QCOMPARE(expected.size(), names.size());
        int equal = 0;
        for (qsizetype i = 0; i < names.size(); ++i) {
            QFile file(folder.filePath(names[i]));
            QVERIFY(file.open(QIODevice::ReadOnly));
            TokenizerInfo info;
            info.chatTemplate = file.readAll().toStdString();
            info.specialTokens = {{"bos", {{1}, "<s>", TokenKind::Control}},
                                  {"eos", {{2}, "</s>", TokenKind::Control}}};
            const auto prompt = chatPrompt(info, subject.toStdString(), {2024, 7, 26});
            if (!prompt) { // plainly, which is as good as Jinja only where that has nothing either
                qInfo("%s: %s", qPrintable(names[i]), prompt.error().message.c_str());
                continue;
            }
            QVERIFY2(!expected[i].isNull(), qPrintable(names[i]));
            QVERIFY2(text(prompt->text) == expected[i].toString(), qPrintable(names[i]));
            ++equal;
        }
        QVERIFY2(equal >= 55, qPrintable(QString::number(equal)));
    }
};

QTEST_GUILESS_MAIN(ProgramPeersTest)
#include "ProgramPeersTest.moc"
