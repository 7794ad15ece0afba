#include "ui/DistributionView.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QAccessible>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QHorizontalStackedBarSeries>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double leastRowPx = 19;
constexpr double barWidth = 0.56;

/// Never HTML, whatever the token is: QToolTip guesses, and "<b>" would be guessed to be markup.
QString asToolTip(const QString& text)
{
    QString html = text.toHtmlEscaped();
    html.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(html);
}

} // namespace

DistributionView::DistributionView(QWidget* parent)
    : QChartView(new QChart, parent), m_chart(chart()), m_text(nullptr),
      m_series(new QHorizontalStackedBarSeries), m_rowAxis(new QBarCategoryAxis),
      m_valueAxis(new QValueAxis)
{
    m_chart->setBackgroundVisible(false);
    m_chart->legend()->hide();
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMinimumSize(0, 0); // else the view takes the gutters of one size as its least size
    for (QBarSet*& set : m_sets) {
        set = new QBarSet(QString());
        set->setPen(Qt::NoPen);
        m_series->append(set);
    }
    m_series->setBarWidth(barWidth);
    m_chart->addSeries(m_series);
    // Labels stay hidden: they would be HTML, and each costs a third of a millisecond.
    m_rowAxis->setLabelsVisible(false);
    m_rowAxis->setGridLineVisible(false);
    m_rowAxis->setLineVisible(true);
    m_valueAxis->setLabelsVisible(false);
    m_valueAxis->setLineVisible(false);
    m_valueAxis->setTickType(QValueAxis::TicksDynamic);
    m_valueAxis->setTickAnchor(0);
    m_chart->addAxis(m_rowAxis, Qt::AlignLeft);
    m_chart->addAxis(m_valueAxis, Qt::AlignBottom);
    m_series->attachAxis(m_rowAxis);
    m_series->attachAxis(m_valueAxis);
    m_text = new ChartTextLayer(m_chart);
    m_text->setEmptyText(tr("No step yet. Press Space to take the first one."));

    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 140);
    setAccessibleName(tr("Next token, the candidates as bars"));
    setTheme(Theme::light());
}

void DistributionView::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_sets[Kept]->setBrush(theme.kept);
    m_sets[Argmax]->setBrush(theme.argmax);
    m_sets[Picked]->setBrush(theme.picked);
    m_sets[Gain]->setBrush(theme.gain);
    m_sets[Lost]->setBrush(Qt::NoBrush); // hatched by the text layer
    m_rowAxis->setLinePen(QPen(theme.border, 1));
    m_valueAxis->setGridLinePen(QPen(theme.grid, 1));
    m_text->setTheme(theme);
    refresh();
}

void DistributionView::showStep(const engine::Step* step)
{
    m_step = step ? std::optional(*step) : std::nullopt;
    refresh();
    describe();
}

void DistributionView::setRowLimit(int limit)
{
    m_rowLimit = limit;
    refresh();
}

void DistributionView::setGhost(bool shown)
{
    m_text->setGhost(shown);
    viewport()->update();
}

bool DistributionView::hasGhost() const
{
    return m_text->hasGhost();
}

void DistributionView::setScale(BarScale scale)
{
    m_scale = scale;
    refresh();
}

int DistributionView::rowsThatFit() const
{
    const ChartColumns columns = ChartColumns::fit(m_chart->size(), 1, m_theme);
    const double room = m_chart->size().height() - columns.top - columns.tickBand;
    return std::max(3, static_cast<int>(room / m_theme.px(leastRowPx)));
}

void DistributionView::refresh()
{
    DistributionRows rows;
    if (m_step) // one row is that of the others
        rows = DistributionRows::of(*m_step, std::min(m_rowLimit, rowsThatFit() - 1));
    const int count = static_cast<int>(rows.rows.size());
    const double axisMaximum = rows.axisMaximum(m_scale);
    if (m_cursor && *m_cursor >= count)
        m_cursor = count > 0 ? std::optional(count - 1) : std::nullopt;
    if (m_hovered && *m_hovered >= count)
        m_hovered.reset();
    m_text->setRows(rows, m_scale, axisMaximum);
    m_text->setCursor(hasFocus() ? m_cursor : std::nullopt);
    refreshColumns(count);
    refreshBars(axisMaximum);
    m_rowAxis->setVisible(count > 0);
    m_valueAxis->setVisible(count > 0);
    m_chart->layout()->activate(); // else a picture taken now would have the old margins
    viewport()->update();
}

void DistributionView::refreshColumns(int rows)
{
    const ChartColumns columns = ChartColumns::fit(m_chart->size(), rows, m_theme);
    m_text->setColumns(columns);
    const double bottom = m_chart->size().height() - columns.top - rows * columns.rowHeight;
    const QMargins margins(static_cast<int>(columns.plotLeft), static_cast<int>(columns.top),
                           static_cast<int>(m_chart->size().width() - columns.plotRight),
                           std::max(0, static_cast<int>(bottom)));
    if (margins != m_chart->margins())
        m_chart->setMargins(margins);
    if (rows == m_rowAxis->count())
        return;
    // The words are never seen; only their number counts, and a change of it is dear.
    QStringList categories;
    for (int i = 0; i < rows; ++i)
        categories << QString::number(i);
    m_rowAxis->setCategories(categories);
}

void DistributionView::refreshBars(double axisMaximum)
{
    if (m_valueAxis->max() != axisMaximum || m_valueAxis->min() != 0)
        m_valueAxis->setRange(0, axisMaximum);
    const double interval = m_scale == BarScale::Logarithmic ? 0.2 : tickInterval(axisMaximum);
    if (m_valueAxis->tickInterval() != interval)
        m_valueAxis->setTickInterval(interval);

    const DistributionRows& shown = rows();
    std::array<QList<qreal>, RoleCount> values;
    // From the last row to the first: Qt Charts counts categories from the bottom.
    for (auto row = shown.rows.rbegin(); row != shown.rows.rend(); ++row) {
        Bar bar = shown.bar(*row, m_scale);
        if (row->isOthers()) { // may be larger than the axis; the text layer marks the break
            bar.solid = std::min(bar.solid, axisMaximum);
            bar.gain = std::min(bar.gain, axisMaximum - bar.solid);
            bar.lost = std::min(bar.lost, axisMaximum - bar.solid - bar.gain);
        }
        const Role role = row->isPicked ? Picked : row->isArgmax ? Argmax : Kept;
        for (const Role colour : {Kept, Argmax, Picked})
            values[colour] << (colour == role ? bar.solid : 0.0);
        values[Gain] << bar.gain;
        values[Lost] << bar.lost;
    }
    for (int role = 0; role < RoleCount; ++role) {
        QBarSet* set = m_sets[static_cast<std::size_t>(role)];
        set->remove(0, set->count()); // replace() would lay out the whole series for each value
        set->append(values[static_cast<std::size_t>(role)]);
    }
}

void DistributionView::describe()
{
    if (!m_step) {
        setAccessibleDescription(tr("No step yet."));
        return;
    }
    QStringList sentences = {tr("Step %1.").arg(m_step->index)};
    for (const DistributionRow& row : rows().rows)
        if (row.isArgmax || row.isPicked)
            sentences << spokenText(row) + QLatin1Char('.');
    if (!rows().keptWords.isEmpty())
        sentences << rows().keptWords + QLatin1Char('.');
    setAccessibleDescription(sentences.join(QLatin1Char(' ')));
}

std::vector<Pill> DistributionView::pills(int row) const
{
    return pillsOf(rows().rows.at(static_cast<std::size_t>(row)));
}

QRectF DistributionView::rowRect(int row) const
{
    const QRectF rect = m_text->rowRect(row);
    return {mapFromScene(m_chart->mapToScene(rect.topLeft())), rect.size()};
}

std::optional<int> DistributionView::rowAt(const QPointF& viewPosition) const
{
    const int count = static_cast<int>(rows().rows.size());
    if (count == 0)
        return std::nullopt;
    const QRectF first = rowRect(0);
    const double row = std::floor((viewPosition.y() - first.top()) / first.height());
    if (row < 0 || row >= count)
        return std::nullopt;
    return static_cast<int>(row);
}

void DistributionView::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, m_theme.surface);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    for (int i = 0; i < static_cast<int>(rows().rows.size()); ++i) {
        const DistributionRow& row = rows().rows[static_cast<std::size_t>(i)];
        const bool picked = row.isPicked;
        if (!picked && !row.isGiven && m_hovered != i)
            continue;
        painter->setBrush(picked ? m_theme.pickedRow : m_theme.raised);
        painter->drawRoundedRect(m_chart->mapRectToScene(m_text->rowRect(i)), 4, 4);
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
}

bool DistributionView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto row = rowAt(help->pos())) {
            const QString text = toolTip(*row);
            QToolTip::setFont(Theme::withoutLigatures(QToolTip::font(), text));
            QToolTip::showText(help->globalPos(), text, viewport(), rowRect(*row).toRect());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::Leave)
        hover(std::nullopt);
    return QChartView::viewportEvent(event);
}

void DistributionView::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    refresh();
}

void DistributionView::hover(std::optional<int> row)
{
    if (row == m_hovered)
        return;
    m_hovered = row;
    const bool clickable = row && !rows().rows[static_cast<std::size_t>(*row)].isOthers();
    viewport()->setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void DistributionView::mouseMoveEvent(QMouseEvent* event)
{
    hover(rowAt(event->position()));
}

void DistributionView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? rowAt(event->position()) : std::nullopt;
}

void DistributionView::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<int> row = rowAt(event->position());
    if (row && row == m_pressed) {
        setCursorRow(row);
        activate(row);
    }
    m_pressed.reset();
}

void DistributionView::activate(std::optional<int> row)
{
    if (!row)
        return;
    const DistributionRow& shown = rows().rows.at(static_cast<std::size_t>(*row));
    if (!shown.isOthers())
        Q_EMIT candidateActivated(shown.piece.id);
}

void DistributionView::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(rows().rows.size()) - 1;
    if (last < 0)
        return event->ignore();
    const int at = m_cursor.value_or(-1);
    switch (event->key()) {
    case Qt::Key_Down:
        setCursorRow(std::min(at + 1, last));
        break;
    case Qt::Key_Up:
        setCursorRow(m_cursor ? std::max(at - 1, 0) : last);
        break;
    case Qt::Key_Home:
        setCursorRow(0);
        break;
    case Qt::Key_End:
        setCursorRow(last);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate(m_cursor);
        break;
    default:
        event->ignore(); // the window's keys, not the scrolling of a view
    }
}

void DistributionView::setCursorRow(std::optional<int> row)
{
    m_cursor = row;
    m_text->setCursor(hasFocus() ? row : std::nullopt);
    if (!row)
        return;
    setAccessibleDescription(spokenText(rows().rows[static_cast<std::size_t>(*row)]));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void DistributionView::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    if (!m_cursor && !rows().rows.empty() && event->reason() != Qt::MouseFocusReason)
        m_cursor = 0;
    m_text->setCursor(m_cursor);
}

void DistributionView::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    m_text->setCursor(std::nullopt);
}

QString DistributionView::toolTip(int index) const
{
    const DistributionRow& row = rows().rows.at(static_cast<std::size_t>(index));
    if (row.isOthers()) {
        QStringList lines = {
            tr("%1 tokens that have no row of their own").arg(countText(row.others)),
            tr("together %1").arg(percentText(row.probability))};
        if (rows().hasFinal)
            lines << tr("after cut-off %1").arg(percentText(row.finalProbability));
        return asToolTip(lines.join(QLatin1Char('\n')));
    }
    QStringList lines = {
        tr("%1   id %2, rank %3")
            .arg(visibleText(row.piece, 60))
            .arg(row.piece.id.value)
            .arg(countText(row.rank)),
        tr("bytes %1").arg(row.piece.bytes.empty() ? tr("none") : hexBytes(row.piece.bytes)),
        tr("logit %1").arg(logitText(row.logit)),
        tr("probability %1").arg(percentText(row.probability))};
    if (rows().hasFinal)
        lines << tr("after cut-off %1").arg(percentText(row.finalProbability));
    if (row.removedBy && m_step)
        for (const engine::StageTrace& stage : m_step->stages)
            if (stage.stage == *row.removedBy)
                lines << tr("removed by %1").arg(stageText(stage.stage, stage.value));
    lines << (row.isForced   ? tr("picked by you instead of the rule")
              : row.isGiven  ? tr("stands in the prompt")
              : row.isPicked ? tr("picked")
                             : tr("click to put it in the place of the pick"));
    return asToolTip(lines.join(QLatin1Char('\n')));
}

} // namespace ui
