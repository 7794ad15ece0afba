#include "ui/PromptPanel.h"

#include "ui/RenderedPromptDialog.h"
#include "ui/StyleProperty.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace ui {
namespace {

QToolButton* makeLink(const QString& text, const QString& toolTip)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setProperty("link", true);
    button->hide();
    return button;
}

} // namespace

PromptPanel::PromptPanel(QWidget* parent)
    : QWidget(parent), m_theme(Theme::light()), m_edit(new PromptEdit(this)),
      m_chat(new QCheckBox(this)), m_special(new QCheckBox(tr("Special tokens"), this)),
      m_rendered(makeLink(tr("Rendered…"), tr("See and change the prompt as the chat template "
                                              "writes it"))),
      m_undo(makeLink(tr("Undo"), tr("Go back to your message and the model's own template"))),
      m_state(new QLabel(this)), m_start(new QPushButton(tr("Start"), this))
{
    m_edit->setPlaceholderText(tr("Type how the text begins"));
    m_edit->setAccessibleName(tr("Prompt"));
    m_special->setToolTip(tr("Take special tokens written in the prompt, such as <|endoftext|>, as "
                             "such; else they are plain text"));
    m_state->setProperty("role", QStringLiteral("hint"));
    m_state->setWordWrap(true);
    m_start->setAccessibleName(tr("Start with this prompt"));
    m_start->setToolTip(tr("Read the prompt into the model (Ctrl+Enter)"));

    auto* options = new QHBoxLayout;
    options->setSpacing(10);
    options->addWidget(m_chat);
    options->addWidget(m_special);
    options->addWidget(m_rendered);
    options->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_state, 1);
    row->addWidget(m_undo);
    row->addWidget(m_start);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_edit);
    column->addLayout(options);
    column->addLayout(row);

    connect(m_edit, &QPlainTextEdit::textChanged, this, &PromptPanel::requestChanged);
    connect(m_chat, &QCheckBox::toggled, this, &PromptPanel::requestChanged);
    connect(m_special, &QCheckBox::toggled, this, &PromptPanel::requestChanged);
    connect(m_edit, &PromptEdit::submitted, this, &PromptPanel::submit);
    connect(m_start, &QPushButton::clicked, this, &PromptPanel::submit);
    connect(m_rendered, &QToolButton::clicked, this, &PromptPanel::openRendering);
    connect(m_undo, &QToolButton::clicked, this, &PromptPanel::undoRendering);
    refresh();
}

void PromptPanel::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_edit->fitLines();
    if (m_dialog)
        m_dialog->setTheme(theme);
}

PromptRequest PromptPanel::request() const
{
    const bool chat = m_chat->isChecked();
    // The template's own special tokens are parsed, those among the user's words never.
    return {prompt(), chat, !chat && m_special->isChecked()};
}

QString PromptPanel::prompt() const
{
    return m_edit->toPlainText();
}

void PromptPanel::setRequest(const PromptRequest& request)
{
    if (request == this->request())
        return;
    {
        const QSignalBlocker chatBlocker(m_chat);
        const QSignalBlocker specialBlocker(m_special);
        const QSignalBlocker editBlocker(m_edit);
        m_chat->setChecked(request.chat);
        if (!request.chat)
            m_special->setChecked(request.parseSpecial);
        if (request.text != prompt())
            m_edit->setPlainText(request.text);
    }
    m_edit->fitLines();
    requestChanged();
}

void PromptPanel::setPrompt(const QString& text)
{
    PromptRequest changed = request();
    changed.text = text;
    setRequest(changed);
}

void PromptPanel::setStarted(const PromptRequest& request)
{
    if (m_beforeEdit && request != this->request())
        m_beforeEdit.reset(); // another run
    m_started = request;
    setRequest(request);
    refresh();
}

void PromptPanel::setCanStart(bool canStart)
{
    m_canStart = canStart;
    refresh();
}

void PromptPanel::setEditable(bool editable)
{
    m_edit->setReadOnly(!editable);
    refresh();
}

bool PromptPanel::isEdited() const
{
    return request() != m_started;
}

QString PromptPanel::stateText() const
{
    return m_state->text();
}

// ---------------------------------------------------------------- chat

void PromptPanel::setChatSupport(const engine::ChatSupport& support)
{
    if (support != m_support)
        m_beforeEdit.reset(); // another model, whose template may differ
    m_support = support;
    if (!support.usable)
        m_chat->setChecked(false);
    refresh();
}

RenderedPromptDialog* PromptPanel::renderedDialog() const
{
    return m_dialog;
}

void PromptPanel::openRendering()
{
    if (!m_dialog) {
        m_dialog = new RenderedPromptDialog(window());
        m_dialog->setTheme(m_theme);
        m_dialog->setCanStart(m_start->isEnabled());
        connect(m_dialog, &RenderedPromptDialog::editedRenderingRequested, this,
                [this](const QString& text) {
                    Q_EMIT renderingRequested({text, false, true});
                });
        connect(m_dialog, &RenderedPromptDialog::startRequested, this,
                &PromptPanel::submitRendering);
        connect(m_dialog, &RenderedPromptDialog::templateStartRequested, this,
                &PromptPanel::submit);
        m_dialog->show();
    }
    m_dialog->raise();
    m_dialog->activateWindow();
    Q_EMIT renderingRequested(request());
}

void PromptPanel::showRendering(const PromptRequest& request,
                                const engine::PromptRendering& rendering)
{
    if (!m_dialog)
        return;
    if (request.chat)
        m_dialog->setTemplateRendering(rendering);
    else
        m_dialog->setEditedRendering(request.text, rendering);
}

void PromptPanel::showRenderingFault(const PromptRequest&, const QString& fault)
{
    if (m_dialog)
        m_dialog->setFault(fault);
}

/// The changed rendering becomes the prompt: then what the window shows is what a trace records and
/// what the commands can be given.
void PromptPanel::submitRendering(const QString& text)
{
    const PromptRequest before = request();
    setRequest({text, false, true});
    m_beforeEdit = before;
    refresh();
    submit();
}

void PromptPanel::undoRendering()
{
    if (m_beforeEdit)
        setRequest(*std::exchange(m_beforeEdit, std::nullopt));
    refresh();
}

// ---------------------------------------------------------------- state

void PromptPanel::submit()
{
    if (m_start->isEnabled())
        Q_EMIT promptSubmitted(request());
}

void PromptPanel::requestChanged()
{
    if (m_chat->isChecked())
        m_beforeEdit.reset();
    refresh();
    if (m_dialog && m_chat->isChecked())
        Q_EMIT renderingRequested(request());
    else if (m_dialog)
        m_dialog->close();
}

void PromptPanel::refresh()
{
    const bool editable = !m_edit->isReadOnly();
    const bool canChat = m_support.usable;
    const bool isChat = m_chat->isChecked();
    const bool hasText = !prompt().isEmpty();
    m_chat->setEnabled(editable && (canChat || isChat));
    m_special->setEnabled(editable);
    m_special->setVisible(!isChat);
    m_rendered->setVisible(isChat && canChat && editable);
    m_undo->setVisible(m_beforeEdit.has_value() && editable);
    const QString reason = QString::fromStdString(m_support.reason);
    m_chat->setText(canChat || reason.isEmpty() ? tr("Chat") : tr("No chat"));
    m_chat->setToolTip(Qt::convertFromPlainText(
        canChat            ? tr("Put the prompt into the model's chat template as one user message")
        : reason.isEmpty() ? tr("No model is open")
                           : reason,
        Qt::WhiteSpaceNormal));
    m_chat->setAccessibleDescription(canChat ? QString() : reason);

    const bool waiting = isEdited() && hasText;
    m_start->setEnabled(m_canStart && hasText && editable);
    if (!editable)
        m_state->setText(tr("Recorded in the trace"));
    else if (m_beforeEdit)
        m_state->setText(tr("Edited rendering: the context as it stands"));
    else if (waiting)
        m_state->setText(m_started.text.isEmpty() ? tr("Not started yet")
                                                  : tr("Edited, not started yet"));
    else
        m_state->setText(tr("Ctrl+Enter starts"));
    setStyleProperty(m_start, "primary", waiting);
    if (m_dialog)
        m_dialog->setCanStart(m_start->isEnabled());
}

} // namespace ui
