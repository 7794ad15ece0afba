#include "ui/ChartLegend.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double fontPx = 11;
constexpr double gapPx = 14;

void paintMark(QPainter& painter, const QRectF& box, const LegendEntry& entry)
{
    const double inset = box.width() / 5;
    switch (entry.mark) {
    case LegendEntry::Mark::Square:
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.colour);
        painter.drawRoundedRect(box, 2, 2);
        break;
    case LegendEntry::Mark::Hatch:
        painter.setPen(QPen(entry.colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.drawLine(box.bottomLeft() + QPointF(1, -1), box.topRight() + QPointF(-1, 1));
        painter.drawLine(QPointF(box.left() + 1, box.center().y()),
                         QPointF(box.center().x(), box.top() + 1));
        painter.drawLine(QPointF(box.center().x(), box.bottom() - 1),
                         QPointF(box.right() - 1, box.center().y()));
        break;
    case LegendEntry::Mark::Outline:
        painter.setPen(QPen(entry.colour, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    case LegendEntry::Mark::Line:
        painter.setPen(QPen(entry.colour, 2));
        painter.drawLine(QPointF(box.left() - inset * 2, box.center().y()),
                         QPointF(box.right(), box.center().y()));
        break;
    case LegendEntry::Mark::Dot:
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.colour);
        painter.drawEllipse(box.adjusted(inset / 2, inset / 2, -inset / 2, -inset / 2));
        break;
    case LegendEntry::Mark::Ring:
        painter.setPen(QPen(entry.colour, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(
            box.adjusted(inset / 2 + 1, inset / 2 + 1, -inset / 2 - 1, -inset / 2 - 1));
        break;
    }
}

} // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChartLegend::setTheme(const Theme& theme)
{
    m_theme = theme;
    updateGeometry();
    update();
}

void ChartLegend::setEntries(std::vector<LegendEntry> entries)
{
    m_entries = std::move(entries);
    updateGeometry();
    update();
}

double ChartLegend::entryWidth(const LegendEntry& entry) const
{
    return m_theme.px(16 + gapPx) +
           QFontMetricsF(m_theme.uiFont(fontPx)).horizontalAdvance(entry.words);
}

QSize ChartLegend::sizeHint() const
{
    double width = 0;
    for (const LegendEntry& entry : m_entries)
        width += entryWidth(entry);
    return {static_cast<int>(std::ceil(width)), m_theme.px(18)};
}

QSize ChartLegend::minimumSizeHint() const
{
    return {0, m_theme.px(18)};
}

void ChartLegend::paintEvent(QPaintEvent*)
{
    std::size_t shown = m_entries.size();
    double total = sizeHint().width();
    while (shown > 0 && total > width() + m_theme.px(gapPx))
        total -= entryWidth(m_entries[--shown]);

    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = m_theme.uiFont(fontPx);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    double x = width() - total + m_theme.px(gapPx);
    const double middle = height() / 2.0;
    for (std::size_t i = 0; i < shown; ++i) {
        const LegendEntry& entry = m_entries[i];
        const double size = m_theme.px(10);
        paintMark(painter, QRectF(x, std::round(middle - size / 2), size, size), entry);
        painter.setPen(m_theme.mutedText);
        painter.drawText(
            QPointF(x + m_theme.px(16), middle + (metrics.ascent() - metrics.descent()) / 2),
            entry.words);
        x += entryWidth(entry);
    }
}

} // namespace ui
