#include "ui/stages/StageCard.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTextDocument>

namespace ui {
namespace {

constexpr double paddingPx = 13;
constexpr double headPx = 36;
constexpr double smallPx = 10.5;

} // namespace

StageCard::StageCard(int number, const QString& title, QWidget* parent)
    : QWidget(parent), m_number(number), m_title(title), m_theme(Theme::light())
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Stage %1, %2").arg(number).arg(title));
}

void StageCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    updateGeometry();
    update();
}

void StageCard::setActive(bool active)
{
    m_active = active;
    update();
}

void StageCard::setSubtitle(const QString& subtitle)
{
    m_subtitle = subtitle;
    update();
}

void StageCard::describe(const QString& sentence)
{
    setAccessibleDescription(sentence);
    setToolTip(Qt::convertFromPlainText(sentence, Qt::WhiteSpaceNormal));
    update();
}

QSize StageCard::sizeHint() const
{
    return {m_theme.px(210), m_theme.px(112)};
}

QSize StageCard::minimumSizeHint() const
{
    return {m_theme.px(110), m_theme.px(104)};
}

void StageCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool ringed = m_active || hasFocus();
    const double pen = ringed ? m_theme.px(hasFocus() ? 2 : 1.5) : 1;
    painter.setPen(QPen(ringed ? m_theme.accent : m_theme.border, pen));
    painter.setBrush(m_theme.surface);
    const double inset = pen / 2;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), m_theme.px(10),
                            m_theme.px(10));
    paintHead(painter);
    const double padding = m_theme.px(paddingPx);
    const QRectF area(padding, m_theme.px(headPx), width() - 2 * padding,
                      height() - m_theme.px(headPx) - m_theme.px(9));
    painter.setClipRect(area.adjusted(-1, -1, 1, 1));
    paintContent(painter, area);
}

void StageCard::paintHead(QPainter& painter) const
{
    const double middle = m_theme.px(20);
    const double radius = m_theme.px(9);
    double x = m_theme.px(paddingPx) + radius;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_active ? m_theme.accent : m_theme.promptChip);
    painter.drawEllipse(QPointF(x, middle), radius, radius);
    painter.setFont(m_theme.uiFont(11, QFont::DemiBold));
    painter.setPen(m_active ? m_theme.accentText : m_theme.mutedText);
    painter.drawText(QRectF(x - radius, middle - radius, 2 * radius, 2 * radius), Qt::AlignCenter,
                     QString::number(m_number));
    x += radius + m_theme.px(8);

    const QFont titleFont = m_theme.uiFont(13, QFont::DemiBold);
    const QFontMetricsF metrics(titleFont);
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    painter.setFont(titleFont);
    painter.setPen(m_theme.text);
    painter.drawText(QPointF(x, baseline), m_title);
    x += metrics.horizontalAdvance(m_title) + m_theme.px(8);

    const QFont subtitleFont = m_theme.uiFont(11);
    // A part of it would say less than nothing; the tool tip has the whole story.
    const double room = width() - m_theme.px(paddingPx) - x;
    if (QFontMetricsF(subtitleFont).horizontalAdvance(m_subtitle) > room)
        return;
    painter.setFont(subtitleFont);
    painter.setPen(m_theme.mutedText);
    painter.drawText(QPointF(x, baseline), m_subtitle);
}

QRectF StageCard::aboveBottom(const QRectF& area) const
{
    return area.adjusted(0, 0, 0, -m_theme.px(17));
}

void StageCard::paintBottom(QPainter& painter, const QRectF& area, const QString& left,
                            const QString& right) const
{
    const QFont font = m_theme.monoFont(smallPx);
    const QFontMetricsF metrics(font);
    const double baseline = area.bottom() - metrics.descent();
    const double rightWidth = metrics.horizontalAdvance(right);
    painter.setFont(font);
    painter.setPen(m_theme.mutedText);
    painter.drawText(
        QPointF(area.left(), baseline),
        metrics.elidedText(left, Qt::ElideRight, area.width() - rightWidth - m_theme.px(6)));
    painter.drawText(QPointF(area.right() - rightWidth, baseline), right);
}

void StageCard::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT activated();
}

void StageCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT activated();
    else
        QWidget::keyPressEvent(event);
}

void StageCard::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void StageCard::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace ui
