#include "ui/compare/UnionChart.h"

#include "ui/ChartPill.h"
#include "ui/ChartTextLayer.h"
#include "ui/ChipPainter.h"
#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QHorizontalStackedBarSeries>
#include <QKeyEvent>
#include <QPainter>
#include <QTextDocument>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double headPx = 18;
constexpr double tickPx = 18;
constexpr double leastRowPx = 19;
constexpr int mostRows = 22;
constexpr double mostRowPx = 28;
constexpr double barWidth = 0.56;
constexpr double wideFromPx = 400;  ///< both probabilities
constexpr double wordsFromPx = 540; ///< and words in the pills

QString stageName(engine::SamplingStage stage)
{
    const std::string_view name = engine::name(stage);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QPointF textAt(double x, const QRectF& row, const QFontMetricsF& metrics)
{
    return {x, row.center().y() + (metrics.ascent() - metrics.descent()) / 2};
}

} // namespace

UnionChart::UnionChart(QWidget* parent)
    : QChartView(new QChart, parent), m_chart(chart()), m_series(new QHorizontalStackedBarSeries),
      m_rowAxis(new QBarCategoryAxis), m_valueAxis(new QValueAxis)
{
    m_chart->setBackgroundVisible(false);
    m_chart->legend()->hide();
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMinimumSize(0, 0);
    for (QBarSet*& set : m_sets) {
        set = new QBarSet(QString());
        set->setPen(Qt::NoPen);
        m_series->append(set);
    }
    m_series->setBarWidth(barWidth);
    m_chart->addSeries(m_series);
    m_rowAxis->setLabelsVisible(false);
    m_rowAxis->setGridLineVisible(false);
    m_valueAxis->setLabelsVisible(false);
    m_valueAxis->setLineVisible(false);
    m_valueAxis->setTickType(QValueAxis::TicksDynamic);
    m_valueAxis->setTickAnchor(0);
    m_chart->addAxis(m_rowAxis, Qt::AlignLeft);
    m_chart->addAxis(m_valueAxis, Qt::AlignBottom);
    m_series->attachAxis(m_rowAxis);
    m_series->attachAxis(m_valueAxis);

    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::TabFocus);
    setMinimumSize(140, 90);
    setTheme(Theme::light());
}

void UnionChart::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_sets[Kept]->setBrush(theme.kept);
    m_sets[Argmax]->setBrush(theme.argmax);
    m_sets[Picked]->setBrush(theme.picked);
    m_sets[Gain]->setBrush(theme.gain);
    m_sets[Lost]->setBrush(Qt::NoBrush); // hatched by paintLost
    m_rowAxis->setLinePen(QPen(theme.border, 1));
    m_valueAxis->setGridLinePen(QPen(theme.grid, 1));
    refresh();
}

void UnionChart::showRows(const UnionRows& rows, int pane)
{
    m_rows = rows;
    m_pane = pane;
    m_emptyText.clear();
    refresh();
    describe();
}

void UnionChart::showNothing(const QString& why)
{
    m_rows = {};
    m_emptyText = why;
    refresh();
    describe();
}

int UnionChart::rowsThatFit(double height, const Theme& theme)
{
    const double room = height - theme.px(headPx) - theme.px(tickPx);
    return std::clamp(static_cast<int>(room / theme.px(leastRowPx)), 3, mostRows);
}

const std::optional<DistributionRow>& UnionChart::shown(int row) const
{
    return m_rows.rows.at(static_cast<std::size_t>(row)).panes.at(static_cast<std::size_t>(m_pane));
}

bool UnionChart::hasFinal() const
{
    return m_pane < static_cast<int>(m_rows.hasFinal.size()) &&
           m_rows.hasFinal[static_cast<std::size_t>(m_pane)];
}

bool UnionChart::isWide() const
{
    return width() >= m_theme.px(wideFromPx);
}

bool UnionChart::hasWords() const
{
    return width() >= m_theme.px(wordsFromPx);
}

double UnionChart::axisMaximum() const
{
    return m_valueAxis->max();
}

double UnionChart::rowHeight() const
{
    const double room = height() - m_theme.px(headPx) - m_theme.px(tickPx);
    return std::clamp(std::floor(room / std::max(1, rowCount())), 1.0, mostRowPx * m_theme.scale);
}

double UnionChart::plotLeft() const
{
    return std::clamp(width() * 0.26, 84.0 * m_theme.scale, 150.0 * m_theme.scale);
}

double UnionChart::plotRight() const
{
    const double values = m_theme.px(hasWords() ? 256 : isWide() ? 172 : 104);
    return std::max(plotLeft() + m_theme.px(30), width() - values);
}

double UnionChart::xOf(double probability) const
{
    return plotLeft() + (plotRight() - plotLeft()) * probability / m_rows.axisMaximum;
}

/// As many as have room for their labels: in a narrow pane two or three.
double UnionChart::tickStep() const
{
    const double perTick = m_theme.px(38);
    double step = tickInterval(m_rows.axisMaximum);
    while (step < m_rows.axisMaximum && xOf(step) - xOf(0) < perTick)
        step *= 2;
    return std::min(step, m_rows.axisMaximum);
}

QRectF UnionChart::rowRect(int row) const
{
    return {0, m_theme.px(headPx) + row * rowHeight(), static_cast<double>(width()), rowHeight()};
}

void UnionChart::refresh()
{
    const int rows = rowCount();
    const double bottom = height() - m_theme.px(headPx) - rows * rowHeight();
    const QMargins margins(static_cast<int>(plotLeft()), m_theme.px(headPx),
                           static_cast<int>(width() - plotRight()),
                           std::max(0, static_cast<int>(bottom)));
    if (margins != m_chart->margins())
        m_chart->setMargins(margins);
    if (rows != m_rowAxis->count()) {
        QStringList categories; // never seen; only their number counts
        for (int i = 0; i < rows; ++i)
            categories << QString::number(i);
        m_rowAxis->setCategories(categories);
    }
    refreshBars();
    m_rowAxis->setVisible(rows > 0);
    m_valueAxis->setVisible(rows > 0);
    m_chart->layout()->activate();
    viewport()->update();
}

void UnionChart::refreshBars()
{
    m_valueAxis->setRange(0, m_rows.axisMaximum);
    m_valueAxis->setTickInterval(tickStep());
    std::array<QList<qreal>, RoleCount> values;
    // From the last row to the first: Qt Charts counts categories from the bottom.
    for (int i = rowCount() - 1; i >= 0; --i) {
        const Bar bar = m_rows.bar(i, m_pane);
        const auto& row = shown(i);
        const Role role = row && row->isPicked ? Picked : row && row->isArgmax ? Argmax : Kept;
        for (const Role colour : {Kept, Argmax, Picked})
            values[colour] << (colour == role ? bar.solid : 0.0);
        values[Gain] << bar.gain;
        values[Lost] << bar.lost;
    }
    for (int role = 0; role < RoleCount; ++role) {
        QBarSet* set = m_sets[static_cast<std::size_t>(role)];
        set->remove(0, set->count());
        set->append(values[static_cast<std::size_t>(role)]);
    }
}

void UnionChart::describe()
{
    QStringList sentences;
    for (int i = 0; i < rowCount(); ++i)
        if (const auto& row = shown(i); row && (row->isArgmax || row->isPicked))
            sentences << spokenText(*row) + QLatin1Char('.');
    setAccessibleDescription(rowCount() > 0 ? sentences.join(QLatin1Char(' ')) : m_emptyText);
}

QString UnionChart::headText() const
{
    if (!hasFinal())
        return tr("PROBABILITY");
    return isWide() ? tr("PROBABILITY → AFTER CHAIN") : tr("AFTER CHAIN");
}

QString UnionChart::valueText(int index) const
{
    const auto& row = shown(index);
    if (!row) {
        const double most = m_rows.leastListed.at(static_cast<std::size_t>(m_pane));
        return tr("≤ %1").arg(percentText(most));
    }
    const QString raw = percentText(row->probability);
    if (!hasFinal())
        return raw;
    const QString after = row->isCut ? tr("cut") : percentText(row->finalProbability);
    return isWide() ? tr("%1 → %2").arg(raw, after) : after;
}

QString UnionChart::toolTip(int index) const
{
    const UnionRow& all = m_rows.rows.at(static_cast<std::size_t>(index));
    QStringList lines = {tr("%1   id %2").arg(visibleText(all.piece, 60)).arg(all.piece.id.value)};
    const auto& row = shown(index);
    if (!row) {
        lines << tr("not among the candidates that this run's step lists: at most %1")
                     .arg(percentText(m_rows.leastListed.at(static_cast<std::size_t>(m_pane))));
        return lines.join(QLatin1Char('\n'));
    }
    lines << tr("rank %1, logit %2").arg(countText(row->rank), logitText(row->logit))
          << tr("probability %1").arg(percentText(row->probability));
    if (hasFinal())
        lines << tr("after the chain %1").arg(percentText(row->finalProbability));
    if (row->isCut && row->removedBy)
        lines << tr("removed by %1").arg(stageName(*row->removedBy));
    return lines.join(QLatin1Char('\n'));
}

void UnionChart::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, m_theme.surface);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme.pickedRow);
    for (int i = 0; i < rowCount(); ++i)
        if (const auto& row = shown(i); row && row->isPicked)
            painter->drawRoundedRect(rowRect(i), 4, 4);
    painter->setRenderHint(QPainter::Antialiasing, false);
}

void UnionChart::drawForeground(QPainter* painter, const QRectF&)
{
    if (rowCount() == 0) {
        painter->setFont(m_theme.uiFont(12));
        painter->setPen(m_theme.mutedText);
        painter->drawText(QRectF(rect()).adjusted(m_theme.px(8), 0, -m_theme.px(8), 0),
                          Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    painter->setFont(m_theme.uiFont(9.5, QFont::DemiBold));
    painter->setPen(m_theme.mutedText);
    const QFontMetricsF metrics(painter->font());
    const QRectF head(0, 0, width(), m_theme.px(headPx));
    const QString token = tr("TOKEN");
    painter->drawText(
        textAt(plotLeft() - m_theme.px(8) - metrics.horizontalAdvance(token), head, metrics),
        token);
    painter->drawText(textAt(plotLeft() + m_theme.px(2), head, metrics), headText());
    for (int i = 0; i < rowCount(); ++i)
        paintRow(*painter, i);
    paintTicks(*painter);
}

void UnionChart::paintRow(QPainter& painter, int index) const
{
    const QRectF rect = rowRect(index);
    const engine::TokenPiece& piece = m_rows.rows[static_cast<std::size_t>(index)].piece;
    const auto& row = shown(index);
    ChipStyle style;
    style.fontPx = 12;
    style.fill = row && row->isPicked ? m_theme.surface : m_theme.promptChip;
    style.outline = QPen(m_theme.border, 1);
    style.text = row && !row->isCut ? m_theme.text : m_theme.faintText;
    style.faint = m_theme.faintText;
    const QSizeF size = chipSize(piece, style, m_theme);
    const double room = plotLeft() - m_theme.px(10);
    const double chipWidth = std::min(size.width(), room);
    const double chipHeight = std::min(size.height(), rect.height() - 1);
    paintChip(painter,
              QRectF(plotLeft() - m_theme.px(8) - chipWidth, rect.center().y() - chipHeight / 2,
                     chipWidth, chipHeight),
              piece, style, m_theme);
    paintLost(painter, index, rect);
    paintValue(painter, index, rect);
}

void UnionChart::paintValue(QPainter& painter, int index, const QRectF& rect) const
{
    const auto& row = shown(index);
    painter.setFont(m_theme.tokenFont(11.5, QStringLiteral("0")));
    painter.setPen(row && !row->isCut ? m_theme.text : m_theme.faintText);
    const QFontMetricsF metrics(painter.font());
    double x = xOf(m_rows.bar(index, m_pane).end()) + m_theme.px(6);
    const QString value = valueText(index);
    painter.drawText(textAt(x, rect, metrics), value);
    x += metrics.horizontalAdvance(value) + m_theme.px(6);
    if (!row)
        return;
    for (const Pill pill : pillsOf(*row)) {
        const bool words = hasWords();
        const double height = std::min(rect.height() - 4, 16.0 * m_theme.scale);
        paintPill(painter, QPointF(x, rect.center().y()), height, pill, 10.5, words, m_theme);
        x += pillWidth(pill, 10.5, words, m_theme) + m_theme.px(4);
    }
}

/// What the chain took away, hatched by lines, so that a printed or exported picture keeps it.
void UnionChart::paintLost(QPainter& painter, int index, const QRectF& rect) const
{
    const Bar bar = m_rows.bar(index, m_pane);
    const QRectF lost(QPointF(xOf(bar.solid + bar.gain), rect.center().y() - rect.height() * 0.28),
                      QPointF(xOf(bar.end()), rect.center().y() + rect.height() * 0.28));
    if (lost.width() < 0.5)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(lost);
    painter.setPen(QPen(m_theme.cutHatch, 1));
    painter.setBrush(Qt::NoBrush);
    for (double x = lost.left() - lost.height(); x < lost.right(); x += m_theme.px(5))
        painter.drawLine(QPointF(x, lost.bottom()), QPointF(x + lost.height(), lost.top()));
    painter.drawRect(lost.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

void UnionChart::paintTicks(QPainter& painter) const
{
    painter.setFont(m_theme.tokenFont(10, QStringLiteral("0")));
    painter.setPen(m_theme.mutedText);
    const QFontMetricsF metrics(painter.font());
    const QRectF band(0, rowRect(rowCount() - 1).bottom(), width(), m_theme.px(tickPx));
    const double interval = tickStep();
    double free = 0;
    for (double value = 0; value <= m_rows.axisMaximum * (1 + 1e-9); value += interval) {
        QString text = QString::number(100 * value, 'g', 6);
        if (value == 0)
            text += QStringLiteral(" %");
        const double advance = metrics.horizontalAdvance(text);
        const double left = std::max(0.0, xOf(value) - advance / 2);
        if (left < free || left + advance > width())
            continue;
        painter.drawText(textAt(left, band, metrics), text);
        free = left + advance + m_theme.px(6);
    }
}

void UnionChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    refresh();
}

void UnionChart::keyPressEvent(QKeyEvent* event)
{
    event->ignore(); // the window's keys, not the scrolling of a view
}

bool UnionChart::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QChartView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < rowCount(); ++i)
        if (rowRect(i).contains(help->pos())) {
            const QString text = toolTip(i);
            QToolTip::setFont(Theme::withoutLigatures(QToolTip::font(), text));
            QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(text), viewport(),
                               rowRect(i).toRect());
            return true;
        }
    QToolTip::hideText();
    return true;
}

} // namespace ui
