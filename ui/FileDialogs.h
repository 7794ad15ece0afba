#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace ui {

/// Asks for files and remembers the folder of the last answer. Each returns an empty path when the
/// user changes their mind.
class FileDialogs
{
public:
    explicit FileDialogs(QWidget* parent) : m_parent(parent) {}

    QString modelToOpen(); ///< a file, or the folder of a chosen config.json
    QString modelFolderToOpen();
    QString traceToOpen();
    QStringList tracesToCompare();
    QString traceToSave();

private:
    QString remembered(const QString& path);

    QWidget* m_parent;
    QString m_folder;
};

/// A Hugging Face model is a folder; its config.json, or the index of its weights, is what can be
/// picked in a file dialog and stands for it.
QString modelPath(const QString& chosen);

} // namespace ui
