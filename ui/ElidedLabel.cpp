#include "ui/ElidedLabel.h"

#include "ui/Theme.h"

#include <QEvent>
#include <QTextDocument>

namespace ui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text)
{
    QString line = text;
    line.replace(QLatin1Char('\n'), QLatin1Char(' '));
    if (line == m_fullText)
        return;
    m_fullText = line;
    QFont font; // only its strategy is set, so the label's font stays otherwise
    font.setStyleStrategy(Theme::withoutLigatures(font, line).styleStrategy());
    setFont(font);
    setAccessibleName(line);
    updateGeometry();
    elide();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode)
{
    m_mode = mode;
    elide();
}

/// Padding and border of the style sheet.
int ElidedLabel::padding() const
{
    return QLabel::sizeHint().width() - fontMetrics().horizontalAdvance(text());
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_fullText) + padding() + 2,
            QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {m_fullText.isEmpty() ? 0 : fontMetrics().averageCharWidth() * 6 + padding(),
            QLabel::minimumSizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        elide();
}

void ElidedLabel::elide()
{
    const QString shown = fontMetrics().elidedText(m_fullText, m_mode, width() - padding());
    if (shown != text())
        setText(shown);
    setToolTip(shown == m_fullText ? QString()
                                   : Qt::convertFromPlainText(m_fullText, Qt::WhiteSpaceNormal));
}

} // namespace ui
