#pragma once

#include "engine/api/PromptRendering.h"
#include "ui/Theme.h"

#include <QDialog>
#include <QTimer>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace ui {

class RenderingHighlighter;

/// A chat prompt as the model's template renders it, to be seen and changed. Special tokens, the
/// template's text and the user's words are told apart by style as well as by colour. Thread: GUI.
class RenderedPromptDialog : public QDialog
{
    Q_OBJECT

public:
    explicit RenderedPromptDialog(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setCanStart(bool canStart);

    /// What the template writes now. Shown unless the text has been edited.
    void setTemplateRendering(const engine::PromptRendering& rendering);
    /// How the edited `text` is read; passed over when the text is another by now.
    void setEditedRendering(const QString& text, const engine::PromptRendering& rendering);
    void setFault(const QString& fault);
    bool isEdited() const;

    QPlainTextEdit* editor() const { return m_edit; }
    QPushButton* startButton() const { return m_start; }
    QPushButton* resetButton() const { return m_reset; }
    QString noticeText() const; ///< how the text is read
    QString countText() const;  ///< its tokens

Q_SIGNALS:
    void editedRenderingRequested(const QString& text);
    void startRequested(const QString& editedText);
    void templateStartRequested(); ///< the text is as the template writes it

private:
    void textChanged();
    void draw(const engine::PromptRendering& rendering);
    void start();
    void reset();
    void refresh();

    QPlainTextEdit* m_edit;
    RenderingHighlighter* m_highlighter;
    QLabel* m_notice;
    QLabel* m_count;
    QLabel* m_legend;
    QPushButton* m_reset;
    QPushButton* m_start;
    QTimer m_askAgain; ///< once typing has paused
    engine::PromptRendering m_template;
    QString m_templateText;
    QString m_fault;
    Theme m_theme;
    bool m_canStart = false;
};

} // namespace ui
