#include "ui/why/DrawBar.h"

#include "ui/TokenText.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>

namespace ui {
namespace {

// In px at 100 %: the caption, u with its tip, the bar, the numbers of the edges.
constexpr double captionPx = 16;
constexpr double pointerPx = 17;
constexpr double barPx = 30;
constexpr double edgesPx = 18;

} // namespace

DrawBar::DrawBar(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DrawBar::setTheme(const Theme& theme)
{
    m_theme = theme;
    updateGeometry();
    update();
}

void DrawBar::setBar(const QString& caption, const std::vector<DrawSegment>& segments,
                     std::optional<double> u)
{
    m_caption = caption;
    m_segments = segments;
    m_u = u;
    update();
}

QSize DrawBar::sizeHint() const
{
    return {m_theme.px(400), m_theme.px(captionPx + pointerPx + barPx + edgesPx)};
}

QSize DrawBar::minimumSizeHint() const
{
    return {m_theme.px(160), sizeHint().height()};
}

void DrawBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme.uiFont(11));
    painter.setPen(m_theme.mutedText);
    painter.drawText(QRectF(0, 0, width(), m_theme.px(captionPx)),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, m_caption);
    // Room at both ends for half an edge's number.
    const double side = m_theme.px(2);
    const double top = m_theme.px(captionPx + pointerPx);
    const QRectF bar(side, top, width() - 2 * side, m_theme.px(barPx));
    painter.save();
    QPainterPath rounded;
    rounded.addRoundedRect(bar, m_theme.px(4), m_theme.px(4));
    painter.setClipPath(rounded);
    painter.fillRect(bar, m_theme.promptChip);
    for (const bool picked : {false, true}) // the picked one last, seen even where it is thin
        for (const DrawSegment& segment : m_segments) {
            if (segment.isPicked != picked)
                continue;
            const double least = picked ? m_theme.px(2) : 0;
            const double width = std::max(least, (segment.high - segment.low) * bar.width());
            const double left =
                std::min(bar.left() + segment.low * bar.width(), bar.right() - width);
            paintSegment(painter, QRectF(left, bar.top(), width, bar.height()), segment);
        }
    painter.restore();
    if (m_segments.empty())
        return;
    paintEdges(painter, bar);
    paintPointer(painter, bar);
}

void DrawBar::paintSegment(QPainter& painter, const QRectF& rect, const DrawSegment& segment) const
{
    const QColor fill = segment.isPicked   ? m_theme.picked
                        : !segment.piece   ? m_theme.promptChip
                        : segment.isArgmax ? m_theme.argmax
                                           : m_theme.kept;
    painter.fillRect(rect.adjusted(0, 0, -std::min(1.0, rect.width() / 3), 0), fill);
    const QString text =
        segment.piece ? visibleText(*segment.piece, 12).remove(QChar(0x2423)) : tr("others");
    const QFont font = m_theme.tokenFont(12, text);
    if (QFontMetricsF(font).horizontalAdvance(text) + m_theme.px(6) > rect.width())
        return;
    painter.setFont(font);
    painter.setPen(segment.isArgmax && !segment.isPicked ? m_theme.accentText
                   : segment.isPicked && m_theme.isDark  ? m_theme.pickedPillText
                                                         : m_theme.text);
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, text);
}

/// The numbers of the edges, as many as there is room for: those of the picked slice first.
void DrawBar::paintEdges(QPainter& painter, const QRectF& bar) const
{
    const QFont font = m_theme.monoFont(10.5);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    std::vector<double> edges;
    for (const DrawSegment& segment : m_segments)
        if (segment.isPicked)
            edges.insert(edges.end(), {segment.low, segment.high});
    edges.insert(edges.end(), {0.0, 1.0});
    for (const DrawSegment& segment : m_segments)
        edges.push_back(segment.high);
    std::vector<std::pair<double, double>> taken;
    const double top = bar.bottom() + m_theme.px(2);
    for (const double edge : edges) {
        const double x = bar.left() + edge * bar.width();
        const QString text =
            edge == 0 || edge == 1 ? QString::number(edge) : QString::number(edge, 'f', 3);
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, this->width() - width));
        const double gap = m_theme.px(6);
        if (std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
                return left < other.second + gap && left + width > other.first - gap;
            }))
            continue;
        taken.emplace_back(left, left + width);
        painter.setPen(m_theme.mutedText);
        painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, top + m_theme.px(2)));
        painter.drawText(QPointF(left, top + m_theme.px(2) + metrics.ascent()), text);
    }
}

void DrawBar::paintPointer(QPainter& painter, const QRectF& bar) const
{
    if (!m_u)
        return;
    const double x = bar.left() + *m_u * bar.width();
    const QFont font = m_theme.monoFont(11, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const QString text = QStringLiteral("u = %1").arg(QString::number(*m_u, 'f', 4));
    const double half = m_theme.px(5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.text);
    painter.drawPolygon(QPolygonF() << QPointF(x, bar.top() + m_theme.px(2))
                                    << QPointF(x - half, bar.top() - 1.4 * half)
                                    << QPointF(x + half, bar.top() - 1.4 * half));
    painter.fillRect(QRectF(x - 0.75, bar.top(), 1.5, m_theme.px(8)), m_theme.text);
    // Beside the tip, in a row of its own below the caption.
    const double width = metrics.horizontalAdvance(text);
    double left = x + half + m_theme.px(4);
    if (left + width > this->width())
        left = x - half - m_theme.px(4) - width;
    painter.setFont(font);
    painter.setPen(m_theme.text);
    const double row = m_theme.px(pointerPx);
    painter.drawText(QRectF(left, bar.top() - row, width + 1, row - 1),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

} // namespace ui
