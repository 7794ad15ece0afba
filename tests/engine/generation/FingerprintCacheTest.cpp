#include "engine/generation/FingerprintCache.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

using namespace engine;
namespace fs = std::filesystem;

namespace {

std::string digest(char c)
{
    return std::string(64, c);
}

std::vector<FileStamp> stamps(const std::string& path, std::int64_t time = 1)
{
    return {{path, 10, time, 2}};
}

} // namespace

class FingerprintCacheTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void remembersByPathSizeAndTimes()
    {
        cache().remember(stamps("/a"), digest('a'));
        QCOMPARE(cache().find(stamps("/a")).value_or(""), digest('a'));
        for (const FileStamp& other : {FileStamp{"/b", 10, 1, 2}, FileStamp{"/a", 11, 1, 2},
                                       FileStamp{"/a", 10, 2, 2}, FileStamp{"/a", 10, 1, 3}})
            QVERIFY(!cache().find({other}));
    }

    void aModelOfSeveralFilesIsKnownByAllOfThem()
    {
        const std::vector<FileStamp> both = {{"/a", 1, 1, 1}, {"/b", 2, 2, 2}};
        cache().remember(both, digest('c'));
        QVERIFY(cache().find(both));
        QVERIFY(!cache().find({both[0]}));
        QVERIFY(!cache().find({both[0], {"/b", 2, 3, 2}}));
    }

    void aNewDigestOfAFileTakesThePlaceOfTheOld()
    {
        cache().remember(stamps("/a", 1), digest('a'));
        const auto size = fs::file_size(cache().file());
        cache().remember(stamps("/a", 2), digest('b'));
        QCOMPARE(fs::file_size(cache().file()), size);
        QVERIFY(!cache().find(stamps("/a", 1)));
        QCOMPARE(cache().find(stamps("/a", 2)).value_or(""), digest('b'));
    }

    void staysBoundedAndForgetsTheOldest()
    {
        const auto most = static_cast<int>(FingerprintCache::mostEntries);
        for (int i = 0; i < most + 3; ++i)
            cache().remember(stamps("/model" + std::to_string(i)), digest('d'));
        QVERIFY(!cache().find(stamps("/model2")));
        QVERIFY(cache().find(stamps("/model3")));
        QVERIFY(cache().find(stamps("/model" + std::to_string(most + 2))));
        QVERIFY(fs::file_size(cache().file()) < 256 * 210);
    }

    void whatIsDamagedIsPassedOver()
    {
        cache().remember(stamps("/a"), digest('a'));
        cache().remember(stamps("/b"), digest('b'));
        const std::string good = tests::readFile(cache().file());
        std::string flipped = good;
        flipped[flipped.find(digest('a'))] = 'c';
        tests::writeFile(cache().file(), flipped);
        QVERIFY(!cache().find(stamps("/a")));
        QVERIFY(cache().find(stamps("/b")));
        for (const std::string& text :
             {std::string(), std::string("\0\1\2", 3), std::string(5'000'000, 'x'),
              good.substr(0, good.size() / 2), "another format\n" + good}) {
            tests::writeFile(cache().file(), text);
            QVERIFY(!cache().find(stamps("/b")));
        }
        cache().remember(stamps("/c"), digest('c'));
        QVERIFY(cache().find(stamps("/c")));
    }

    void withoutAFolderItRemembersNothing()
    {
        const FingerprintCache none;
        none.remember(stamps("/a"), digest('a'));
        QVERIFY(!none.find(stamps("/a")) && none.file().empty());
        const FingerprintCache nowhere("/proc/no/such/folder");
        nowhere.remember(stamps("/a"), digest('a'));
        QVERIFY(!nowhere.find(stamps("/a")));
    }

    void writersAtOnceLeaveAWholeFile()
    {
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([this, t] {
                    for (int i = 0; i < 20; ++i)
                        cache().remember(stamps("/t" + std::to_string(t)), digest('e'));
                });
        }
        int known = 0;
        for (int t = 0; t < 4; ++t)
            known += cache().find(stamps("/t" + std::to_string(t))).has_value();
        QVERIFY(known >= 1);
    }

    void aStampChangesWithTheFile()
    {
        const fs::path file = fs::path(m_folder->path().toStdString()) / "model.gguf";
        QVERIFY(!stampOf(file));
        tests::writeFile(file, "one");
        const auto first = stampOf(file);
        QVERIFY(first && first->size == 3 && fs::path(first->path).is_absolute());
        QCOMPARE(*stampOf(file), *first);
        // Other bytes of the same size, and the modification time put back: the change time tells.
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        tests::writeFile(file, "two");
        const timespec back[2] = {{0, UTIME_OMIT},
                                  {first->modifiedNanoseconds / 1'000'000'000,
                                   first->modifiedNanoseconds % 1'000'000'000}};
        QCOMPARE(::utimensat(AT_FDCWD, file.c_str(), back, 0), 0);
        const auto second = stampOf(file);
        QCOMPARE(second->modifiedNanoseconds, first->modifiedNanoseconds);
        QVERIFY(*second != *first);
    }

private:
    FingerprintCache cache() const
    {
        return FingerprintCache(fs::path(m_folder->path().toStdString()) / "made" / "here");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(FingerprintCacheTest)
#include "FingerprintCacheTest.moc"
