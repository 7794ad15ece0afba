#include "ui/ContextText.h"

#include "ui/StepModel.h"
#include "ui/TokenText.h"

#include <QScrollBar>
#include <QTextCursor>

#include <algorithm>

namespace ui {
namespace {

/// What the document makes of a text: it ends a block at every one of these. Kept to one form, so
/// that positions in the text are positions in the document.
QString withPlainNewlines(QString text)
{
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
    text.replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
    // The document's own signs for embedded objects and frames would be more than text.
    text.replace(QChar::ObjectReplacementCharacter, QChar::ReplacementCharacter);
    text.replace(QChar(0xFDD0), QChar::ReplacementCharacter);
    text.replace(QChar(0xFDD1), QChar::ReplacementCharacter);
    return text;
}

} // namespace

ContextText::ContextText(QWidget* parent) : QPlainTextEdit(parent), m_theme(Theme::light())
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setProperty("role", QStringLiteral("reading"));
    setAccessibleName(tr("Context as text"));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(1);
}

void ContextText::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_shown.clear();
    clear();
    reload();
}

void ContextText::fitLines(int lines)
{
    const QFontMetrics metrics(m_theme.uiFont(13));
    const int margins = 2 * static_cast<int>(document()->documentMargin()) + 2;
    setFixedHeight(metrics.lineSpacing() * lines + margins);
    // Four columns: the usual eight leave no room for words in a narrow column.
    setTabStopDistance(4.0 * metrics.horizontalAdvance(QLatin1Char(' ')));
}

void ContextText::setModel(StepModel* steps)
{
    if (m_steps)
        m_steps->disconnect(this);
    m_steps = steps;
    if (m_steps) {
        connect(m_steps, &StepModel::runChanged, this, &ContextText::reload);
        connect(m_steps, &StepModel::stepsChanged, this, &ContextText::reload);
    }
    reload();
}

void ContextText::reload()
{
    std::string promptBytes;
    std::string bytes;
    if (m_steps) {
        for (const engine::ContextToken& token : m_steps->contextTokens()) {
            if (token.piece.kind == engine::TokenKind::Control)
                continue;
            const bool made = token.origin == engine::TokenOrigin::Generated ||
                              token.origin == engine::TokenOrigin::Forced;
            bytes += token.piece.bytes;
            if (!made)
                promptBytes += token.piece.bytes;
        }
    }
    const QString text = withPlainNewlines(decodedText(bytes));
    const auto promptLength =
        std::min(withPlainNewlines(decodedText(promptBytes)).size(), text.size());

    // Only the end that differs is written again: a step adds a word, not a page.
    qsizetype same = 0;
    if (promptLength == m_promptLength) {
        const auto [shownEnd, textEnd] =
            std::mismatch(m_shown.cbegin(), m_shown.cend(), text.cbegin(), text.cend());
        same = shownEnd - m_shown.cbegin();
    }
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.setPosition(static_cast<int>(same), QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    QTextCharFormat format;
    if (same < promptLength) {
        format.setForeground(m_theme.mutedText);
        cursor.insertText(text.mid(same, promptLength - same), format);
        same = promptLength;
    }
    format.setForeground(m_theme.text);
    cursor.insertText(text.mid(same), format);
    m_shown = text;
    m_promptLength = static_cast<int>(promptLength);
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

} // namespace ui
