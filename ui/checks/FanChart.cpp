#include "ui/checks/FanChart.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double scalePx = 52;
constexpr double headPx = 20;
constexpr double stepsPx = 18;
constexpr double upperShare = 0.36;

} // namespace

FanChart::FanChart(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    setMouseTracking(true);
    setAccessibleName(tr("Agreement of the seeds with greedy, and how likely each text is"));
}

void FanChart::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void FanChart::setFan(const engine::SeedFan& fan)
{
    m_fan = fan;
    m_marked.reset();
    double least = -1;
    const auto lower = [&least](const engine::FanPath& path) {
        for (const double value : path.logProbability)
            least = std::min(least, value);
    };
    lower(fan.greedy);
    for (const engine::FanPath& path : fan.seeds)
        lower(path);
    const double part = std::pow(10.0, std::floor(std::log10(-least))) / 4;
    m_least = -std::ceil(-least / part) * part;
    QStringList shares;
    for (int step = 0; step < stepCount(); ++step)
        shares << tr("step %1: %2 %").arg(step).arg(std::lround(100 * fan.agreeingShare(step)));
    setAccessibleDescription(tr("Agreeing with greedy: %1").arg(shares.join(QStringLiteral(", "))));
    update();
}

void FanChart::markSeed(std::optional<std::size_t> index)
{
    m_marked = index;
    update();
}

QSize FanChart::minimumSizeHint() const
{
    return {m_theme.px(320), m_theme.px(220)};
}

int FanChart::stepCount() const
{
    std::size_t count = m_fan.greedy.picks.size();
    for (const engine::FanPath& path : m_fan.seeds)
        count = std::max(count, path.picks.size());
    return static_cast<int>(count);
}

QRectF FanChart::upper() const
{
    const double room = height() - m_theme.px(2 * headPx + stepsPx);
    return {m_theme.px(scalePx) * 1.0, m_theme.px(headPx) * 1.0,
            width() - m_theme.px(scalePx + 12) * 1.0, room * upperShare};
}

QRectF FanChart::lower() const
{
    const QRectF above = upper();
    const double top = above.bottom() + m_theme.px(headPx);
    return {above.left(), top, above.width(), height() - m_theme.px(stepsPx) - top};
}

double FanChart::xOf(int step) const
{
    const QRectF area = upper();
    return area.left() + area.width() * (step + 0.5) / std::max(stepCount(), 1);
}

int FanChart::stepAt(double x) const
{
    const QRectF area = upper();
    const int step = static_cast<int>(std::floor((x - area.left()) / area.width() * stepCount()));
    return step >= 0 && step < stepCount() ? step : -1;
}

void FanChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (stepCount() == 0)
        return;
    painter.setFont(m_theme.uiFont(11, QFont::DemiBold));
    painter.setPen(m_theme.mutedText);
    const double lift = m_theme.px(6);
    painter.drawText(QPointF(upper().left(), upper().top() - lift),
                     tr("SEEDS STILL AGREEING WITH GREEDY"));
    painter.drawText(QPointF(lower().left(), lower().top() - lift),
                     tr("LOG-PROBABILITY SO FAR · THICK: GREEDY"));
    paintShares(painter);
    paintPaths(painter);
    paintSteps(painter);
}

void FanChart::paintShares(QPainter& painter) const
{
    const QRectF area = upper();
    const QFont font = m_theme.monoFont(10.5);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = area.bottom() - area.height() * share;
        painter.setPen(QPen(m_theme.grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const QString text = QString::number(share * 100) + QStringLiteral(" %");
        painter.setPen(m_theme.mutedText);
        painter.drawText(QPointF(area.left() - m_theme.px(6) - metrics.horizontalAdvance(text),
                                 y + metrics.ascent() / 2 - 1),
                         text);
    }
    const double slot = area.width() / stepCount();
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.kept);
    for (int step = 0; step < stepCount(); ++step) {
        const double height = area.height() * m_fan.agreeingShare(step);
        painter.drawRect(
            QRectF(xOf(step) - slot * 0.35, area.bottom() - height, slot * 0.7, height));
    }
}

void FanChart::paintPaths(QPainter& painter) const
{
    const QRectF area = lower();
    const QFont font = m_theme.monoFont(10.5);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = area.top() + area.height() * share;
        painter.setPen(QPen(m_theme.grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const QString text =
            QString::number(m_least * share, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
        painter.setPen(m_theme.mutedText);
        painter.drawText(QPointF(area.left() - m_theme.px(6) - metrics.horizontalAdvance(text),
                                 y + metrics.ascent() / 2 - 1),
                         text);
    }
    for (std::size_t i = 0; i < m_fan.seeds.size(); ++i)
        if (i != m_marked)
            paintPath(painter, m_fan.seeds[i], QPen(m_theme.kept, 1));
    paintPath(painter, m_fan.greedy, QPen(m_theme.text, m_theme.px(3)));
    if (m_marked && *m_marked < m_fan.seeds.size())
        paintPath(painter, m_fan.seeds[*m_marked],
                  QPen(m_theme.picked, m_theme.px(2), Qt::DashLine, Qt::FlatCap));
}

void FanChart::paintPath(QPainter& painter, const engine::FanPath& path, const QPen& pen) const
{
    const QRectF area = lower();
    QPolygonF line;
    for (std::size_t step = 0; step < path.logProbability.size(); ++step)
        line << QPointF(xOf(static_cast<int>(step)),
                        area.top() + area.height() * path.logProbability[step] / m_least);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void FanChart::paintSteps(QPainter& painter) const
{
    const QFontMetricsF metrics(painter.font());
    const double slot = upper().width() / stepCount();
    const double room = metrics.horizontalAdvance(QString::number(stepCount())) * 1.8;
    const int every = std::max(1, static_cast<int>(std::ceil(room / slot)));
    painter.setPen(m_theme.mutedText);
    for (int step = 0; step < stepCount(); step += every) {
        const QString text = QString::number(step);
        painter.drawText(QPointF(xOf(step) - metrics.horizontalAdvance(text) / 2,
                                 lower().bottom() + metrics.ascent() + m_theme.px(3)),
                         text);
    }
}

void FanChart::mouseMoveEvent(QMouseEvent* event)
{
    if (const int step = stepAt(event->position().x()); step >= 0)
        Q_EMIT stepHovered(step);
}

} // namespace ui
