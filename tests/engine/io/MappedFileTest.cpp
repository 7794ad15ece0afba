#include "engine/io/MappedFile.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>

using namespace engine;

class MappedFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path at(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

private Q_SLOTS:
    void holdsExactlyTheBytesOfTheFile()
    {
        tests::writeFile(at("some"), std::string("a\0b", 3));
        Result<MappedFile> file = MappedFile::open(at("some"));
        QVERIFY(file);
        QCOMPARE(file->bytes().size(), std::size_t{3});
        QCOMPARE(file->bytes()[2], std::byte{'b'});
        const std::byte* address = file->bytes().data();
        const MappedFile moved = std::move(*file);
        QCOMPARE(moved.bytes().data(), address);
        QVERIFY(file->bytes().empty());
    }

    void givesNoBytesForAnEmptyFile()
    {
        tests::writeFile(at("empty"), "");
        const Result<MappedFile> file = MappedFile::open(at("empty"));
        QVERIFY(file);
        QVERIFY(file->bytes().empty());
    }

    void saysWhatCannotBeOpened()
    {
        const Result<MappedFile> missing = MappedFile::open(at("missing"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::FileNotFound);
        QVERIFY(missing.error().message.starts_with(at("missing").string()));
        const Result<MappedFile> folder = MappedFile::open(at(""));
        QVERIFY(!folder);
        QCOMPARE(folder.error().code, ErrorCode::FileUnreadable);
    }

    void doesNotWaitForTheOtherEndOfANamedPipe()
    {
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        const Result<MappedFile> pipe = MappedFile::open(at("pipe"));
        QVERIFY(!pipe);
        QCOMPARE(pipe.error().code, ErrorCode::FileUnreadable);
    }
};

QTEST_APPLESS_MAIN(MappedFileTest)
#include "MappedFileTest.moc"
