#include "engine/io/FileError.h"

#include <QtTest/QTest>

class FileErrorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheFileInFrontOfTheFault()
    {
        const engine::Error error =
            engine::fileError(engine::ErrorCode::BadShape, "a/model.gguf", "something is wrong");
        QCOMPARE(error.code, engine::ErrorCode::BadShape);
        QCOMPARE(error.message, std::string("a/model.gguf: something is wrong"));
    }

    void keepsControlCharactersOutOfMessages()
    {
        QCOMPARE(engine::printable("a\x1b[2Jb\n\xff"), std::string("a?[2Jb??"));
    }

    void cutsLongNames()
    {
        QCOMPARE(engine::printable(std::string(1000, 'x')), std::string(120, 'x') + "...");
    }
};

QTEST_APPLESS_MAIN(FileErrorTest)
#include "FileErrorTest.moc"
