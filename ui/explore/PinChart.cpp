#include "ui/explore/PinChart.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr double labelsPx = 112; ///< to the right of the plot, for the tokens
constexpr double scalePx = 46;   ///< to the left, for the percentages
constexpr double belowPx = 18;   ///< for the numbers of the steps
constexpr double markPx = 2.5;
constexpr int longestLabel = 12;

/// 1, 2 or 5 times a power of ten, at least `value`.
double roundAbove(double value)
{
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double multiple : {1.0, 2.0, 5.0})
        if (value <= multiple * decade * (1 + 1e-9))
            return multiple * decade;
    return 10 * decade;
}

} // namespace

PinChart::PinChart(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    setAccessibleName(tr("Probability of the pinned tokens over the steps"));
    setCursor(Qt::PointingHandCursor);
}

void PinChart::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void PinChart::setLines(std::vector<PinLine> lines, int selectedStep)
{
    m_lines = std::move(lines);
    m_selected = selectedStep;
    describe();
    update();
}

QSize PinChart::minimumSizeHint() const
{
    return {m_theme.px(220), m_theme.px(90)};
}

int PinChart::stepCount() const
{
    std::size_t count = 0;
    for (const PinLine& line : m_lines)
        count = std::max(count, line.values.size());
    return static_cast<int>(count);
}

double PinChart::axisMaximum() const
{
    double largest = 0;
    for (const PinLine& line : m_lines)
        for (const auto& value : line.values)
            largest = std::max(largest, value.value_or(0));
    return largest <= 0 ? 1.0 : std::min(1.0, roundAbove(largest));
}

QRectF PinChart::plot() const
{
    return QRectF(rect()).adjusted(m_theme.px(scalePx), m_theme.px(8), -m_theme.px(labelsPx),
                                   -m_theme.px(belowPx));
}

double PinChart::xOf(int step) const
{
    const QRectF area = plot();
    const int last = std::max(stepCount() - 1, 1);
    return area.left() + area.width() * step / last;
}

int PinChart::stepAt(double x) const
{
    const QRectF area = plot();
    const int last = std::max(stepCount() - 1, 1);
    const double share = (x - area.left()) / std::max(area.width(), 1.0);
    return std::clamp(static_cast<int>(std::lround(share * last)), 0, std::max(stepCount() - 1, 0));
}

double PinChart::yOf(double probability) const
{
    const QRectF area = plot();
    return area.bottom() - area.height() * probability / axisMaximum();
}

/// Strokes differ in colour and in dashes, so that they are told apart in either way.
QPen PinChart::penOf(std::size_t number) const
{
    const std::array<QColor, 4> colours = {m_theme.accent, m_theme.runB, m_theme.runC,
                                           m_theme.text};
    const std::array<Qt::PenStyle, 4> dashes = {Qt::SolidLine, Qt::DashLine, Qt::DotLine,
                                                Qt::DashDotLine};
    const std::size_t dash = (number + number / colours.size()) % dashes.size();
    return {colours[number % colours.size()], m_theme.px(2) * 1.0, dashes[dash], Qt::FlatCap};
}

void PinChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_lines.empty())
        return;
    paintAxes(painter);
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        paintLine(painter, m_lines[i], i);
    paintLabels(painter);
}

void PinChart::paintAxes(QPainter& painter) const
{
    const QRectF area = plot();
    const QFont font = m_theme.monoFont(10.5);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = area.bottom() - area.height() * share;
        painter.setPen(QPen(m_theme.grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(m_theme.mutedText);
        const QString text =
            QString::number(axisMaximum() * share * 100, 'g', 3) + QStringLiteral(" %");
        painter.drawText(QPointF(area.left() - m_theme.px(6) - metrics.horizontalAdvance(text),
                                 y + metrics.ascent() / 2 - 1),
                         text);
    }
    const int last = stepCount() - 1;
    const double room = metrics.horizontalAdvance(QString::number(std::max(last, 0))) * 2;
    const int every = std::max(
        1, static_cast<int>(std::ceil(room * std::max(last, 1) / std::max(area.width(), 1.0))));
    for (int step = 0; step <= last; step += every) {
        const QString text = QString::number(step);
        painter.drawText(QPointF(xOf(step) - metrics.horizontalAdvance(text) / 2,
                                 area.bottom() + metrics.ascent() + m_theme.px(4)),
                         text);
    }
    if (m_selected >= 0 && m_selected <= last) {
        painter.setPen(QPen(m_theme.picked, m_theme.px(1)));
        painter.drawLine(QPointF(xOf(m_selected), area.top()),
                         QPointF(xOf(m_selected), area.bottom()));
    }
}

/// A stretch of steps without a record stays open.
void PinChart::paintLine(QPainter& painter, const PinLine& line, std::size_t number) const
{
    const QPen pen = penOf(number);
    QPolygonF stretch;
    const auto flush = [&] {
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        if (stretch.size() > 1)
            painter.drawPolyline(stretch);
        painter.setPen(Qt::NoPen);
        painter.setBrush(pen.color());
        for (const QPointF& point : stretch)
            painter.drawEllipse(point, m_theme.px(markPx), m_theme.px(markPx));
        stretch.clear();
    };
    for (std::size_t step = 0; step < line.values.size(); ++step) {
        if (line.values[step])
            stretch << QPointF(xOf(static_cast<int>(step)), yOf(*line.values[step]));
        else
            flush();
    }
    flush();
}

/// Beside the last value of each line; moved apart where they would cover each other.
void PinChart::paintLabels(QPainter& painter) const
{
    struct Label
    {
        double y;
        std::size_t number;
    };
    std::vector<Label> labels;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const auto& values = m_lines[i].values;
        const auto last = std::find_if(values.rbegin(), values.rend(),
                                       [](const auto& value) { return value.has_value(); });
        if (last != values.rend())
            labels.push_back({yOf(**last), i});
    }
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
        return a.y != b.y ? a.y < b.y : a.number < b.number;
    });
    const double height = m_theme.px(14);
    const QRectF area = plot();
    for (std::size_t i = 1; i < labels.size(); ++i)
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + height);
    double limit = rect().bottom() - m_theme.px(6);
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, limit);
        limit = label->y - height;
    }
    for (const Label& label : labels) {
        const QString text = visibleText(m_lines[label.number].piece, longestLabel);
        const QFont font = m_theme.tokenFont(12, text);
        const double x = area.right() + m_theme.px(16);
        painter.setPen(penOf(label.number));
        painter.drawLine(QPointF(x, label.y), QPointF(x + m_theme.px(12), label.y));
        painter.setFont(font);
        painter.setPen(m_theme.text);
        painter.drawText(QPointF(x + m_theme.px(16), label.y + m_theme.px(4)), text);
    }
}

void PinChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && stepCount() > 0)
        Q_EMIT stepActivated(stepAt(event->position().x()));
}

void PinChart::describe()
{
    QStringList parts;
    for (const PinLine& line : m_lines) {
        const auto step = static_cast<std::size_t>(std::max(m_selected, 0));
        const bool isKnown = step < line.values.size() && line.values[step];
        parts << tr("%1: %2").arg(visibleText(line.piece),
                                  isKnown ? percentText(*line.values[step]) : tr("not recorded"));
    }
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

} // namespace ui
