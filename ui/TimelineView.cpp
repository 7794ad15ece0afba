#include "ui/TimelineView.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QScatterSeries>
#include <QStringList>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int leastRange = 24;
constexpr double headRoom = 1.06; // else points at the top edge are cut through

int rangeFor(int steps)
{
    int range = leastRange;
    while (range < steps)
        range *= 2;
    return range;
}

/// The end of the entropy axis in bits, an even number so that its half can be labelled too.
double entropyMaximumFor(double largest)
{
    for (const double end : {2.0, 4.0, 6.0, 8.0, 12.0, 16.0})
        if (largest <= end)
            return end;
    return 4 * std::ceil(largest / 4);
}

QValueAxis* newAxis(QChart* chart, Qt::Alignment side)
{
    auto* axis = new QValueAxis;
    axis->setTickType(QValueAxis::TicksDynamic); // ticks on round values, whatever the range
    axis->setTickAnchor(0);
    chart->addAxis(axis, side);
    return axis;
}

} // namespace

TimelineView::TimelineView(QWidget* parent)
    : QChartView(new QChart, parent), m_chart(chart()), m_entropy(new QLineSeries),
      m_area(new QAreaSeries(new QLineSeries)), m_picked(new QScatterSeries),
      m_forced(new QScatterSeries)
{
    m_area->upperSeries()->setParent(m_area);
    m_chart->setBackgroundVisible(false);
    m_chart->legend()->hide();
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMinimumSize(0, 0); // else the view can never become smaller again
    m_stepAxis = newAxis(m_chart, Qt::AlignBottom);
    m_entropyAxis = newAxis(m_chart, Qt::AlignLeft);
    m_probabilityAxis = newAxis(m_chart, Qt::AlignRight);
    m_stepAxis->setLabelFormat(QStringLiteral("%d"));
    m_stepAxis->setGridLineVisible(false);
    m_entropyAxis->setLabelFormat(QStringLiteral("%d"));
    m_entropyAxis->setLineVisible(false);
    m_probabilityAxis->setLabelFormat(QStringLiteral("%d %%"));
    m_probabilityAxis->setLineVisible(false);
    m_probabilityAxis->setGridLineVisible(false);
    m_probabilityAxis->setRange(0, 100 * headRoom);
    m_probabilityAxis->setTickInterval(50);
    for (QAbstractSeries* series :
         {static_cast<QAbstractSeries*>(m_area), static_cast<QAbstractSeries*>(m_entropy)}) {
        m_chart->addSeries(series);
        series->attachAxis(m_stepAxis);
        series->attachAxis(m_entropyAxis);
    }
    for (QXYSeries* series :
         {static_cast<QXYSeries*>(m_picked), static_cast<QXYSeries*>(m_forced)}) {
        m_chart->addSeries(series);
        series->attachAxis(m_stepAxis);
        series->attachAxis(m_probabilityAxis);
    }
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus); // the arrow keys step through the run wherever the focus is
    setMinimumSize(240, 60);
    setAccessibleName(tr("Entropy and probability of the pick over the steps"));
    refreshAxes();
    setTheme(Theme::light());
}

void TimelineView::setTheme(const Theme& theme)
{
    m_theme = theme;
    QColor fill = theme.gain;
    fill.setAlphaF(0.65F);
    m_area->setBrush(fill);
    m_area->setPen(Qt::NoPen);
    m_entropy->setPen(QPen(theme.accent, theme.px(2)));
    m_picked->setColor(theme.picked);
    m_picked->setBorderColor(theme.surface);
    m_picked->setMarkerSize(theme.px(8));
    m_forced->setColor(theme.surface);
    m_forced->setPen(QPen(theme.picked, theme.px(2)));
    m_forced->setMarkerSize(theme.px(8));
    for (QValueAxis* axis : {m_stepAxis, m_entropyAxis, m_probabilityAxis}) {
        axis->setLabelsFont(theme.monoFont(10));
        axis->setLabelsBrush(theme.mutedText);
        axis->setLinePen(QPen(theme.border, 1));
        axis->setGridLinePen(QPen(theme.grid, 1));
    }
    m_chart->setMargins(QMargins(0, theme.px(2), 0, 0));
    viewport()->update();
}

void TimelineView::setSteps(const std::vector<engine::Step>& steps)
{
    m_points.clear();
    m_points.reserve(steps.size());
    for (const engine::Step& step : steps) {
        Point point;
        point.entropyBits = step.entropyBits;
        point.forced = step.forced;
        if (const engine::Candidate* picked = step.find(step.picked)) {
            point.pickedProbability = picked->probability;
            point.picked = picked->piece;
        }
        m_points.push_back(std::move(point));
    }
    m_selected = std::min(m_selected, stepCount() - 1);
    m_hovered.reset();
    refreshAxes();
    refreshSeries();
    setAccessibleDescription(m_points.empty() ? tr("No step yet.")
                                              : tr("%1 steps.").arg(stepCount()));
}

void TimelineView::setSelected(int step)
{
    m_selected = step;
    if (step >= 0 && step < stepCount())
        setAccessibleDescription(toolTip(step).replace(QLatin1Char('\n'), QStringLiteral(", ")));
    viewport()->update();
}

void TimelineView::refreshAxes()
{
    double largest = 0;
    for (const Point& point : m_points)
        largest = std::max(largest, point.entropyBits);
    const double maximum = entropyMaximumFor(largest);
    if (maximum != m_entropyMaximum) {
        m_entropyMaximum = maximum;
        m_entropyAxis->setRange(0, maximum * headRoom);
        m_entropyAxis->setTickInterval(maximum / 2);
    }
    const int range = rangeFor(stepCount());
    if (range != m_range) {
        m_range = range;
        m_stepAxis->setRange(-0.5, range - 0.5);
        m_stepAxis->setTickInterval(range / 12);
    }
}

void TimelineView::refreshSeries()
{
    QList<QPointF> entropy, picked, forced;
    for (int i = 0; i < stepCount(); ++i) {
        const Point& point = m_points[static_cast<std::size_t>(i)];
        entropy << QPointF(i, point.entropyBits);
        (point.forced ? forced : picked) << QPointF(i, 100 * point.pickedProbability);
    }
    m_area->upperSeries()->replace(entropy);
    m_entropy->replace(entropy);
    m_picked->replace(picked);
    m_forced->replace(forced);
    m_chart->layout()->activate();
    viewport()->update();
}

double TimelineView::xOf(double step) const
{
    return m_chart->mapToScene(m_chart->mapToPosition(QPointF(step, 0), m_entropy)).x();
}

QPointF TimelineView::positionOf(int step) const
{
    const double bits = m_points.at(static_cast<std::size_t>(step)).entropyBits;
    return mapFromScene(
        m_chart->mapToScene(m_chart->mapToPosition(QPointF(step, bits), m_entropy)));
}

std::optional<int> TimelineView::stepAt(const QPointF& viewPosition) const
{
    const QPointF inChart = m_chart->mapFromScene(mapToScene(viewPosition.toPoint()));
    const int step = static_cast<int>(std::lround(m_chart->mapToValue(inChart, m_entropy).x()));
    if (step < 0 || step >= stepCount())
        return std::nullopt;
    return step;
}

void TimelineView::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, m_theme.surface);
    const QRectF plot = m_chart->mapRectToScene(m_chart->plotArea());
    const auto column = [&](int step, const QColor& colour) {
        const double left = xOf(step - 0.5);
        painter->fillRect(QRectF(left, plot.top(), xOf(step + 0.5) - left, plot.height()), colour);
    };
    if (m_hovered && *m_hovered != m_selected)
        column(*m_hovered, m_theme.raised);
    if (m_selected >= 0 && m_selected < stepCount())
        column(m_selected, m_theme.pickedRow);
}

void TimelineView::drawForeground(QPainter* painter, const QRectF&)
{
    if (m_selected < 0 || m_selected >= stepCount())
        return;
    const QRectF plot = m_chart->mapRectToScene(m_chart->plotArea());
    const double x = std::round(xOf(m_selected));
    painter->fillRect(QRectF(x - 0.5, plot.top(), m_theme.px(1), plot.height()), m_theme.picked);
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto step = stepAt(help->pos())) {
            const QString text = toolTip(*step);
            QToolTip::setFont(Theme::withoutLigatures(QToolTip::font(), text));
            QToolTip::showText(
                help->globalPos(),
                QStringLiteral("<p style='white-space:pre'>%1</p>")
                    .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))),
                viewport());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::Leave) {
        m_hovered.reset();
        viewport()->update();
    }
    return QChartView::viewportEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    m_chart->layout()->activate();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<int> step = stepAt(event->position());
    if (step == m_hovered)
        return;
    m_hovered = step;
    viewport()->setCursor(step ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    if (const auto step = stepAt(event->position()))
        Q_EMIT stepActivated(*step);
}

QString TimelineView::toolTip(int step) const
{
    const Point& point = m_points.at(static_cast<std::size_t>(step));
    QStringList lines = {tr("step %1: %2").arg(step).arg(visibleText(point.picked)),
                         tr("entropy %1").arg(bitsText(point.entropyBits)),
                         tr("p(picked) %1").arg(percentText(point.pickedProbability))};
    if (point.forced)
        lines << tr("picked by you instead of the rule");
    return lines.join(QLatin1Char('\n'));
}

} // namespace ui
