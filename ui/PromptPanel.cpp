#include "ui/PromptPanel.h"

#include "ui/StyleProperty.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTextBlock>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui {

PromptEdit::PromptEdit(QWidget* parent) : QPlainTextEdit(parent)
{
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QPlainTextEdit::textChanged, this, &PromptEdit::fitLines);
}

void PromptEdit::fitLines()
{
    int lines = 0;
    for (QTextBlock block = document()->begin(); block.isValid() && lines < 4;
         block = block.next()) {
        // A block is laid out only once it is shown; asking for its rectangle lays it out.
        (void)blockBoundingRect(block);
        lines += std::max(1, block.layout()->lineCount());
    }
    lines = std::clamp(lines, 2, 4);
    const int frame = 2 * static_cast<int>(document()->documentMargin()) + 10;
    setFixedHeight(static_cast<int>(std::ceil(lines * fontMetrics().lineSpacing())) + frame);
}

void PromptEdit::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && event->modifiers().testFlag(Qt::ControlModifier))
        Q_EMIT submitted();
    else
        QPlainTextEdit::keyPressEvent(event);
}

void PromptEdit::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->ignore();
    else
        QPlainTextEdit::dragEnterEvent(event);
}

void PromptEdit::dragMoveEvent(QDragMoveEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->ignore();
    else
        QPlainTextEdit::dragMoveEvent(event);
}

void PromptEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fitLines();
}

PromptPanel::PromptPanel(QWidget* parent)
    : QWidget(parent), m_edit(new PromptEdit(this)), m_state(new QLabel(this)),
      m_start(new QPushButton(tr("Start"), this))
{
    m_edit->setPlaceholderText(tr("Type how the text begins"));
    m_edit->setAccessibleName(tr("Prompt"));
    m_state->setProperty("role", QStringLiteral("hint"));
    m_start->setAccessibleName(tr("Start with this prompt"));
    m_start->setToolTip(tr("Read the prompt into the model (Ctrl+Enter)"));

    auto* row = new QHBoxLayout;
    row->addWidget(m_state, 1);
    row->addWidget(m_start);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_edit);
    column->addLayout(row);

    connect(m_edit, &QPlainTextEdit::textChanged, this, &PromptPanel::refresh);
    connect(m_edit, &PromptEdit::submitted, this, &PromptPanel::submit);
    connect(m_start, &QPushButton::clicked, this, &PromptPanel::submit);
    refresh();
}

QString PromptPanel::prompt() const
{
    return m_edit->toPlainText();
}

void PromptPanel::setPrompt(const QString& text)
{
    if (text != prompt())
        m_edit->setPlainText(text);
}

void PromptPanel::setStartedPrompt(const QString& text)
{
    m_started = text;
    setPrompt(text);
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
    return prompt() != m_started;
}

void PromptPanel::submit()
{
    if (m_start->isEnabled())
        Q_EMIT promptSubmitted(prompt());
}

void PromptPanel::refresh()
{
    const bool waiting = isEdited() && !prompt().isEmpty();
    m_start->setEnabled(m_canStart && !prompt().isEmpty() && !m_edit->isReadOnly());
    if (m_edit->isReadOnly())
        m_state->setText(tr("Recorded in the trace"));
    else if (waiting)
        m_state->setText(m_started.isEmpty() ? tr("Not started yet")
                                             : tr("Edited, not started yet"));
    else
        m_state->setText(tr("Ctrl+Enter starts"));
    setStyleProperty(m_start, "primary", waiting);
}

} // namespace ui
