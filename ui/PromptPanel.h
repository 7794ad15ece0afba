#pragma once

#include "engine/api/ModelNotes.h"
#include "engine/api/PromptRendering.h"
#include "ui/PromptEdit.h"
#include "ui/PromptRequest.h"
#include "ui/Theme.h"

#include <QPointer>
#include <QWidget>

#include <optional>

class QCheckBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace ui {

class RenderedPromptDialog;

/// The prompt, how it is read (as a chat message, with special tokens), and its Start button. Says
/// so while it is not what the run began with. A chat prompt can be seen and changed as the
/// template renders it: changed, it becomes the prompt itself, read without the template and with
/// special tokens parsed, until the change is undone. Thread: GUI.
class PromptPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PromptPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    PromptRequest request() const;
    QString prompt() const;
    void setRequest(const PromptRequest& request); ///< as if typed: not started yet
    void setPrompt(const QString& text);           ///< the text of it alone
    void setStarted(const PromptRequest& request); ///< what the run on screen began with
    void setCanStart(bool canStart);               ///< whether there is a model to start with
    void setEditable(bool editable);
    bool isEdited() const; ///< the request differs from the started one

    void setChatSupport(const engine::ChatSupport& support);
    /// The answer to renderingRequested: of the request as it is now, or why there is none.
    void showRendering(const PromptRequest& request, const engine::PromptRendering& rendering);
    void showRenderingFault(const PromptRequest& request, const QString& fault);
    void openRendering();

    PromptEdit* editor() const { return m_edit; }
    QPushButton* startButton() const { return m_start; }
    QCheckBox* chatBox() const { return m_chat; }
    QCheckBox* specialBox() const { return m_special; }
    QToolButton* renderedButton() const { return m_rendered; }
    QToolButton* undoButton() const { return m_undo; }
    RenderedPromptDialog* renderedDialog() const; ///< null while it is closed
    QString stateText() const;

Q_SIGNALS:
    void promptSubmitted(const ui::PromptRequest& request);
    void renderingRequested(const ui::PromptRequest& request);

private:
    void submit();
    void submitRendering(const QString& text);
    void undoRendering();
    void requestChanged();
    void refresh();

    Theme m_theme;
    PromptEdit* m_edit;
    QCheckBox* m_chat;
    QCheckBox* m_special;
    QToolButton* m_rendered;
    QToolButton* m_undo;
    QLabel* m_state;
    QPushButton* m_start;
    QPointer<RenderedPromptDialog> m_dialog;
    PromptRequest m_started;
    engine::ChatSupport m_support;
    /// What a changed rendering was made from, while it is the prompt.
    std::optional<PromptRequest> m_beforeEdit;
    bool m_canStart = false;
};

} // namespace ui
