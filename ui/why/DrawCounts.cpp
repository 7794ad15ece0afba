#include "ui/why/DrawCounts.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double rowPx = 22;
constexpr double headPx = 20;
constexpr int mostRows = 12;

QString nameOf(const DrawCount& row)
{
    return row.piece ? visibleText(*row.piece, 14) : DrawCounts::tr("all others");
}

QString numbersOf(const DrawCount& row, int draws)
{
    return QStringLiteral("%1   %2 ± %3")
        .arg(QString::number(row.count).rightJustified(4),
             QString::number(row.probability * draws, 'f', 0).rightJustified(4),
             QString::number(row.spread(draws), 'f', 0).leftJustified(2));
}

bool isWithin(const DrawCount& row, int draws)
{
    return std::abs(row.count - row.probability * draws) <= row.spread(draws);
}

} // namespace

double DrawCount::spread(int draws) const
{
    return 2 * std::sqrt(draws * probability * std::max(0.0, 1 - probability));
}

std::vector<DrawCount> countDraws(const std::vector<DrawSegment>& bar,
                                  const std::vector<double>& uniforms, int rows)
{
    std::vector<int> counts(bar.size());
    for (const double u : uniforms) {
        // The slices have no gaps: the first that ends beyond u.
        const auto slice = std::upper_bound(
            bar.begin(), bar.end(), u,
            [](double value, const DrawSegment& segment) { return value < segment.high; });
        if (slice != bar.end())
            ++counts[static_cast<std::size_t>(slice - bar.begin())];
    }
    std::vector<DrawCount> result;
    DrawCount others;
    const auto listed = std::count_if(bar.begin(), bar.end(), [](const DrawSegment& segment) {
        return segment.piece.has_value();
    });
    const bool allFit = listed == static_cast<std::ptrdiff_t>(bar.size()) && listed <= rows;
    const int own = allFit ? rows : rows - 1; // one for the others
    for (std::size_t i = 0; i < bar.size(); ++i) {
        const double share = bar[i].high - bar[i].low;
        if (bar[i].piece && static_cast<int>(result.size()) < own) {
            result.push_back({bar[i].piece, share, counts[i], bar[i].isPicked});
            continue;
        }
        others.probability += share;
        others.count += counts[i];
        others.isPicked = others.isPicked || bar[i].isPicked;
    }
    if (!allFit)
        result.push_back(others);
    return result;
}

DrawCounts::DrawCounts(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    setAccessibleName(tr("Counts of many draws"));
}

void DrawCounts::setTheme(const Theme& theme)
{
    m_theme = theme;
    updateGeometry();
    update();
}

void DrawCounts::setDraws(const std::vector<DrawSegment>& bar, const std::vector<double>& uniforms)
{
    m_bar = bar;
    m_uniforms = uniforms;
    describe();
    update();
}

void DrawCounts::clear()
{
    setDraws({}, {});
}

std::vector<DrawCount> DrawCounts::rows() const
{
    const int fit = static_cast<int>((height() - m_theme.px(headPx)) / m_theme.px(rowPx));
    return m_uniforms.empty() ? std::vector<DrawCount>()
                              : countDraws(m_bar, m_uniforms, std::clamp(fit, 2, mostRows));
}

QString DrawCounts::summary() const
{
    if (m_uniforms.empty())
        return {};
    const std::vector<DrawCount> shown = rows();
    const auto within = std::count_if(shown.begin(), shown.end(), [this](const DrawCount& row) {
        return isWithin(row, draws());
    });
    return tr("%1 of %2 counts lie within the spread, ± 2·√(n·p·(1 − p)), in which about 19 of 20 "
              "are to be expected.")
        .arg(within)
        .arg(shown.size());
}

void DrawCounts::describe()
{
    QStringList lines;
    for (const DrawCount& row : rows())
        lines << tr("%1: %2 times, %3 expected, give or take %4")
                     .arg(nameOf(row))
                     .arg(row.count)
                     .arg(QString::number(row.probability * draws(), 'f', 0),
                          QString::number(row.spread(draws()), 'f', 0));
    setAccessibleDescription(lines.join(QStringLiteral(". ")));
}

QSize DrawCounts::sizeHint() const
{
    return {m_theme.px(400), m_theme.px(headPx + mostRows * rowPx)};
}

QSize DrawCounts::minimumSizeHint() const
{
    return {m_theme.px(260), m_theme.px(headPx + 2 * rowPx)};
}

void DrawCounts::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    describe();
}

void DrawCounts::paintEvent(QPaintEvent*)
{
    const std::vector<DrawCount> shown = rows();
    if (shown.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont mono = m_theme.monoFont(11.5);
    const QFontMetricsF metrics(mono);
    const double name = m_theme.px(118);
    const double numbers = metrics.horizontalAdvance(QStringLiteral("1000   1000 ± 100"));
    const QRectF track(name, m_theme.px(headPx), width() - name - numbers - m_theme.px(14),
                       height() - m_theme.px(headPx));
    double most = 1;
    for (const DrawCount& row : shown)
        most = std::max({most, static_cast<double>(row.count),
                         row.probability * draws() + row.spread(draws())});
    const auto at = [&](double count) { return track.left() + count / most * track.width(); };
    painter.setFont(m_theme.uiFont(11));
    painter.setPen(m_theme.mutedText);
    painter.drawText(QRectF(0, 0, name, m_theme.px(headPx)), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("token"));
    painter.drawText(QRectF(track.right(), 0, width() - track.right(), m_theme.px(headPx)),
                     Qt::AlignRight | Qt::AlignVCenter, tr("drawn, expected"));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const DrawCount& row = shown[i];
        const double top = track.top() + static_cast<double>(i) * m_theme.px(rowPx);
        const QRectF line(0, top, width(), m_theme.px(rowPx));
        const double middle = line.center().y();
        const double thick = m_theme.px(12);
        const double expected = row.probability * draws();
        painter.setFont(m_theme.tokenFont(12, nameOf(row)));
        painter.setPen(row.piece ? m_theme.text : m_theme.mutedText);
        painter.drawText(QRectF(0, top, name - m_theme.px(8), line.height()),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, nameOf(row));
        painter.fillRect(
            QRectF(track.left(), middle - thick / 2, at(expected) - track.left(), thick),
            row.isPicked ? m_theme.picked : m_theme.kept);
        const double low = at(std::max(0.0, expected - row.spread(draws())));
        const double high = at(expected + row.spread(draws()));
        painter.setPen(QPen(m_theme.mutedText, m_theme.px(1.5)));
        painter.drawLine(QPointF(low, middle), QPointF(high, middle));
        for (const double end : {low, high})
            painter.drawLine(QPointF(end, middle - m_theme.px(3)),
                             QPointF(end, middle + m_theme.px(3)));
        painter.setPen(QPen(m_theme.surface, 1));
        painter.setBrush(m_theme.text);
        painter.drawEllipse(QPointF(at(row.count), middle), m_theme.px(4.5), m_theme.px(4.5));
        painter.setFont(mono);
        painter.setPen(m_theme.text);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                         numbersOf(row, draws()));
    }
}

} // namespace ui
