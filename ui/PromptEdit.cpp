#include "ui/PromptEdit.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QTextBlock>
#include <QTextLayout>

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

} // namespace ui
