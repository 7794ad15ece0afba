#include "ui/FileDialogs.h"

#include <QTest>

class FileDialogsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aConfigFileStandsForItsFolder();
};

void FileDialogsTest::aConfigFileStandsForItsFolder()
{
    QCOMPARE(ui::modelPath(QStringLiteral("/models/pocket/config.json")),
             QStringLiteral("/models/pocket"));
    QCOMPARE(ui::modelPath(QStringLiteral("/models/my config.json.gguf")),
             QStringLiteral("/models/my config.json.gguf"));
    QCOMPARE(ui::modelPath(QStringLiteral("/models/pocket/model.safetensors.index.json")),
             QStringLiteral("/models/pocket"));
    QCOMPARE(ui::modelPath(QStringLiteral("/models/pocket/model.safetensors")),
             QStringLiteral("/models/pocket/model.safetensors"));
    QCOMPARE(ui::modelPath(QString()), QString());
}

QTEST_APPLESS_MAIN(FileDialogsTest)
#include "FileDialogsTest.moc"
