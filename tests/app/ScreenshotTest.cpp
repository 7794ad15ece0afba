#include "tests/app/CommandCall.h"

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace testing;

/// The window called to draw a picture and leave: it leaves, whatever there is to draw.
class ScreenshotTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(str(name)); }
    QString picture() const { return path("window.png"); }
    Outcome draw(const QStringList& words, const QString& file) const
    {
        return callAs(str(TOKENSCOPE_PROGRAM), words + QStringList{str("--screenshot"), file}, {},
                      str("offscreen"));
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Outcome made = call(generate({str("--prompt"), str("Once upon"), str("--trace"),
                                            path("run.json"), str("--max-new-tokens"), str("3")}));
        QCOMPARE(made.status, 0);
        const Outcome empty =
            call(generate({str("--prompt"), str("Once"), str("--trace"), path("empty.json"),
                           str("--max-new-tokens"), str("0")}));
        QCOMPARE(empty.status, 0);
        QFile broken(path("broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{\"format\": 3}");
        QFile model(path("broken.gguf"));
        QVERIFY(model.open(QIODevice::WriteOnly));
        model.write("GGUF but not really");
    }
    void init() { QFile::remove(picture()); }

    void drawsWhatThereIs_data()
    {
        QTest::addColumn<QStringList>("words");
        const QString steps = str("--steps");
        QTest::newRow("first step") << QStringList{};
        QTest::newRow("some steps") << QStringList{steps, str("3")};
        QTest::newRow("no steps to make")
            << QStringList{str("--max-new-tokens"), str("0"), steps, str("3")};
        QTest::newRow("prompt longer than the context")
            << QStringList{str("--prompt"), str("word ").repeated(2000), steps, str("2")};
        QTest::newRow("trace") << QStringList{path("run.json")};
        QTest::newRow("trace and steps") << QStringList{path("run.json"), steps, str("1")};
        QTest::newRow("trace and steps beyond its end")
            << QStringList{path("run.json"), steps, str("9")};
        QTest::newRow("trace of no steps") << QStringList{path("empty.json"), steps, str("2")};
        QTest::newRow("two traces") << QStringList{path("run.json"), path("run.json")};
        QTest::newRow("traces of which one has no steps")
            << QStringList{path("run.json"), path("empty.json"), steps, str("9")};
        QTest::newRow("four traces")
            << QStringList{path("run.json"), path("run.json"), path("run.json"), path("run.json")};
        QTest::newRow("model and trace")
            << QStringList{str(TOKENSCOPE_RESOURCES "/model"), path("run.json"), steps, str("1")};
    }
    void drawsWhatThereIs()
    {
        QFETCH(QStringList, words);
        const Outcome outcome =
            draw(words + QStringList{str("--size"), str("1000x700")}, picture());
        QVERIFY2(outcome.status == 0, outcome.err);
        QCOMPARE(QImage(picture()).size(), QSize(1000, 700));
    }

    void leavesWithOneLineWhereItCannotDraw_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("fault");
        QTest::newRow("broken trace")
            << QStringList{path("broken.json")} << picture() << 1 << QByteArray("broken.json");
        QTest::newRow("broken model")
            << QStringList{path("broken.gguf")} << picture() << 1 << QByteArray("broken.gguf");
        QTest::newRow("empty prompt")
            << QStringList{str("--prompt"), QString()} << picture() << 1 << QByteArray("prompt");
        QTest::newRow("trace and prompt")
            << QStringList{path("run.json"), str("--prompt"), str("Once")} << picture() << 2
            << QByteArray("--prompt");
        QTest::newRow("five traces")
            << QStringList{path("run.json"), path("run.json"), path("run.json"), path("run.json"),
                           path("run.json")}
            << picture() << 1 << QByteArray("two to four");
        QTest::newRow("two traces, one broken")
            << QStringList{path("run.json"), path("broken.json")} << picture() << 1
            << QByteArray("broken.json");
        QTest::newRow("no name") << QStringList{} << QString() << 2 << QByteArray("--screenshot");
        QTest::newRow("no such folder")
            << QStringList{} << path("no/such/window.png") << 1 << QByteArray("no/such/window.png");
        QTest::newRow("folder") << QStringList{} << m_folder.path() << 1
                                << QByteArray("is a folder");
        QTest::newRow("full device")
            << QStringList{} << str("/dev/full") << 1 << QByteArray("/dev/full: cannot be written");
    }
    void leavesWithOneLineWhereItCannotDraw()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, file);
        QFETCH(int, status);
        QFETCH(QByteArray, fault);
        const Outcome outcome = draw(words, file);
        QCOMPARE(outcome.status, status);
        QVERIFY2(oneErrorLine(outcome).contains(fault), outcome.err);
        QVERIFY(!QFile::exists(picture()));
    }
};

QTEST_GUILESS_MAIN(ScreenshotTest)
#include "ScreenshotTest.moc"
