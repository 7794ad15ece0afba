#include "engine/generation/TraceFile.h"

#include "tests/engine/generation/TraceTesting.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace engine;
using namespace testing;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

class TraceFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void writesAndReadsAFile()
    {
        QVERIFY(bool(writeTrace(unusualRun(), file())));
        QCOMPARE(contentOf(file()), traceJson(unusualRun()));
        const auto run = readTrace(file());
        QVERIFY(bool(run));
        QCOMPARE(traceJson(*run), traceJson(unusualRun()));
        QCOMPARE(filesIn(folder()), std::size_t{1});
    }

    void replacesAFileAndKeepsItsPermissions()
    {
        std::ofstream(file()) << "old";
        fs::permissions(file(),
                        fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
        QVERIFY(bool(writeTrace(plainRun(1), file())));
        QCOMPARE(contentOf(file()), traceJson(plainRun(1)));
        QVERIFY(fs::status(file()).permissions() ==
                (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
    }

    void givesANewFileTheUsualPermissions()
    {
        const mode_t mask = ::umask(022);
        QVERIFY(bool(writeTrace(plainRun(0), file())));
        ::umask(mask);
        struct stat status = {};
        QCOMPARE(::stat(file().c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0644U);
    }

    void followsASymbolicLink()
    {
        std::ofstream(file()) << "old";
        const fs::path link = folder() / "link.json";
        fs::create_symlink(file(), link);
        QVERIFY(bool(writeTrace(plainRun(1), link)));
        QVERIFY(fs::is_symlink(link));
        QCOMPARE(contentOf(file()), traceJson(plainRun(1)));
    }

    void writesToADevice()
    {
        QVERIFY(bool(writeTrace(plainRun(1), "/dev/null")));
        QVERIFY(fs::is_character_file("/dev/null"));
    }

    void leavesTheOldFileWholeWhereItCannotWrite()
    {
        const auto result = writeTrace(plainRun(1), folder() / "no" / "such.json");
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::FileWriteFailed);
        QVERIFY(result.error().message.find("such.json") != std::string::npos);
        if (::geteuid() == 0)
            return; // root writes into any folder
        std::ofstream(file()) << "old";
        fs::permissions(folder(), fs::perms::owner_read | fs::perms::owner_exec);
        const auto second = writeTrace(plainRun(1), file());
        fs::permissions(folder(), fs::perms::owner_all);
        QVERIFY(!second);
        QCOMPARE(contentOf(file()), std::string("old"));
        QCOMPARE(filesIn(folder()), std::size_t{1});
    }

    void doesNotWriteOverAFolder()
    {
        const auto result = writeTrace(plainRun(1), folder());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::FileWriteFailed);
        QCOMPARE(filesIn(folder()), std::size_t{0});
    }

    void tellsWhatItCannotRead()
    {
        QCOMPARE(readTrace(file()).error().code, ErrorCode::FileNotFound);
        QCOMPARE(readTrace(folder()).error().code, ErrorCode::FileUnreadable);
        std::ofstream(file()) << "{";
        const auto run = readTrace(file());
        QCOMPARE(run.error().code, ErrorCode::BadFormat);
        QVERIFY(run.error().message.find(file().string()) == 0);
    }

    void readsFromAPipe()
    {
        const fs::path pipe = folder() / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::jthread writer([&] { std::ofstream(pipe) << traceJson(plainRun(2)); });
        const auto run = readTrace(pipe);
        QVERIFY(bool(run));
        QCOMPARE(run->steps.size(), std::size_t{2});
    }

private:
    fs::path folder() const { return m_folder->path().toStdString(); }
    fs::path file() const { return folder() / "run.tokenscope.json"; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(TraceFileTest)
#include "TraceFileTest.moc"
