#include "ui/FileDialogs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("FileDialogs", text);
}

} // namespace

QString FileDialogs::modelToOpen()
{
    const QString path = QFileDialog::getOpenFileName(
        m_parent, tr("Open a model"), m_folder,
        tr("Models (*.gguf *.safetensors *.safetensors.index.json config.json);;All files (*)"));
    return modelPath(remembered(path));
}

QString FileDialogs::modelFolderToOpen()
{
    return remembered(
        QFileDialog::getExistingDirectory(m_parent, tr("Open a model folder"), m_folder));
}

QString FileDialogs::traceToOpen()
{
    return remembered(
        QFileDialog::getOpenFileName(m_parent, tr("Open a trace"), m_folder,
                                     tr("Traces (*.tokenscope.json *.json);;All files (*)")));
}

QStringList FileDialogs::tracesToCompare()
{
    const QStringList paths =
        QFileDialog::getOpenFileNames(m_parent, tr("Two to four traces to compare"), m_folder,
                                      tr("Traces (*.tokenscope.json *.json);;All files (*)"));
    if (!paths.isEmpty())
        remembered(paths.first());
    return paths;
}

QString FileDialogs::traceToSave()
{
    const QString suggested = QDir(m_folder).filePath(QStringLiteral("run.tokenscope.json"));
    return remembered(
        QFileDialog::getSaveFileName(m_parent, tr("Save the trace"), suggested,
                                     tr("Traces (*.tokenscope.json);;All files (*)")));
}

QString FileDialogs::remembered(const QString& path)
{
    if (!path.isEmpty())
        m_folder = QFileInfo(path).absolutePath();
    return path;
}

QString modelPath(const QString& chosen)
{
    const QFileInfo info(chosen);
    const bool standsForFolder = info.fileName() == QLatin1String("config.json") ||
                                 info.fileName().endsWith(QLatin1String(".safetensors.index.json"));
    return standsForFolder ? info.absolutePath() : chosen;
}

} // namespace ui
