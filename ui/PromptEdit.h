#pragma once

#include <QPlainTextEdit>

namespace ui {

/// A plain text editor of two to four lines. Ctrl+Enter submits, Tab goes on to the next control, a
/// dropped file goes to the window instead of being pasted as its path.
class PromptEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit PromptEdit(QWidget* parent = nullptr);
    void fitLines(); ///< takes the height of its text

Q_SIGNALS:
    void submitted();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace ui
