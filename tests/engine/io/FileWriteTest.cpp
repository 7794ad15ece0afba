#include "engine/io/FileWrite.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace engine;
namespace fs = std::filesystem;

// What a trace needs of it (permissions, links, devices, folders) is held in TraceFileTest.
class FileWriteTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesAnyBytesAndReplacesThem()
    {
        const std::string bytes("a\0b\xFF\n", 5);
        QVERIFY(bool(writeWhole(path(), bytes)));
        QCOMPARE(tests::readFile(path()), bytes);
        QVERIFY(bool(writeWhole(path(), "")));
        QCOMPARE(tests::readFile(path()), std::string());
    }

    void aReaderNeverSeesHalfOfIt()
    {
        const std::string a(300'000, 'a');
        const std::string b(200'000, 'b');
        QVERIFY(bool(writeWhole(path(), a)));
        std::atomic<bool> done{false};
        std::jthread writer([&] {
            for (int i = 0; i < 20; ++i)
                (void)writeWhole(path(), i % 2 == 0 ? b : a);
            done = true;
        });
        while (!done) {
            const std::string seen = tests::readFile(path());
            QVERIFY(seen == a || seen == b);
        }
    }

    void saysWhichFileItCannotWrite()
    {
        const auto result = writeWhole(path() / "below", "x");
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::FileWriteFailed);
        QVERIFY(result.error().message.find("below") != std::string::npos);
    }

    void checksBeforehandWhetherItCouldWrite()
    {
        QTemporaryDir fresh;
        const fs::path folder = fresh.path().toStdString();
        const fs::path file = folder / "file";
        const auto entries = [&folder] {
            return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
        };
        QVERIFY(bool(checkWritable(file)));
        QCOMPARE(entries(), 0);
        QVERIFY(bool(writeWhole(file, "old")));
        QVERIFY(bool(checkWritable(file)));
        QCOMPARE(tests::readFile(file), std::string("old"));
        QVERIFY(bool(checkWritable("/dev/null")));
        for (const fs::path& wrong : {folder / "no" / "such", folder, file / "below-a-file",
                                      folder / std::string(300, 'n')}) {
            const auto result = checkWritable(wrong);
            QVERIFY2(!result, wrong.c_str());
            QCOMPARE(result.error().code, ErrorCode::FileWriteFailed);
            QVERIFY(result.error().message.find(wrong.string()) == 0);
            QVERIFY(!writeWhole(wrong, "x"));
        }
        QCOMPARE(entries(), 1);
    }

private:
    fs::path path() const { return fs::path(m_folder.path().toStdString()) / "file"; }
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(FileWriteTest)
#include "FileWriteTest.moc"
