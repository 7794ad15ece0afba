#pragma once

#include "ui/Theme.h"

#include <QPlainTextEdit>
#include <QWidget>

class QLabel;
class QPushButton;

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

/// The prompt and its Start button. Says so while the text is not the one that the run began with.
/// Thread: GUI.
class PromptPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PromptPanel(QWidget* parent = nullptr);

    QString prompt() const;
    void setPrompt(const QString& text);        ///< as if typed: not started yet
    void setStartedPrompt(const QString& text); ///< what the run on screen began with
    void setCanStart(bool canStart);            ///< whether there is a model to start with
    void setEditable(bool editable);
    bool isEdited() const; ///< the text differs from the started one

    PromptEdit* editor() const { return m_edit; }
    QPushButton* startButton() const { return m_start; }

Q_SIGNALS:
    void promptSubmitted(const QString& text);

private:
    void submit();
    void refresh();

    PromptEdit* m_edit;
    QLabel* m_state;
    QPushButton* m_start;
    QString m_started;
    bool m_canStart = false;
};

} // namespace ui
