#include "ui/ChartTextLayer.h"

#include "ui/ChipPainter.h"
#include "ui/NumberText.h"

#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::ChartTextLayer)
};

constexpr double barThickness = 0.56; // of a row, as the series has it
constexpr double headPx = 9.5;
constexpr double tickPx = 10;

/// Sizes at 100 % for rows of this height: they grow with the rows, but less.
struct RowFonts
{
    double value, chip, small, pill;

    static RowFonts of(double rowHeight, const Theme& theme)
    {
        const double height = rowHeight / theme.scale;
        return {std::clamp(5.6 + 0.3 * height, 11.0, 15.0),
                std::clamp(4.3 + 0.42 * height, 12.0, 17.0),
                std::clamp(7.6 + 0.15 * height, 10.0, 12.0),
                std::clamp(7.1 + 0.2 * height, 10.5, 13.0)};
    }
};

double baselineIn(const QRectF& rect, const QFontMetricsF& metrics)
{
    return rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
}

/// For numbers: they have nothing to shape, and shaping is most of what text costs.
QFont numberFont(const Theme& theme, double sizePx)
{
    return theme.tokenFont(sizePx, QStringLiteral("0"));
}

void drawLeft(QPainter& painter, double x, const QRectF& row, const QString& text)
{
    painter.drawText(QPointF(x, baselineIn(row, QFontMetricsF(painter.font()))), text);
}

void drawRight(QPainter& painter, double x, const QRectF& row, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QPointF(x - metrics.horizontalAdvance(text), baselineIn(row, metrics)), text);
}

/// The running sum in percent with one decimal, so that the column lines up; more only where one
/// would claim 0 or 100.
QString cumulativeText(double sum)
{
    const double percent = 100 * sum;
    if (percent >= 0.95 && percent < 99.9)
        return QString::number(percent, 'f', 1);
    QString text = percentText(sum);
    text.chop(2);
    return text;
}

} // namespace

double tickInterval(double maximum)
{
    const double least = maximum / 7 * (1 - 1e-9);
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double multiple : {1.0, 2.0, 5.0})
        if (multiple * decade >= least)
            return multiple * decade;
    return 10 * decade;
}

ChartColumns ChartColumns::fit(const QSizeF& size, int rows, const Theme& theme)
{
    const double width = size.width();
    const double spare = width - theme.px(672);
    const bool compact = width < theme.px(560);
    ChartColumns columns;
    columns.rankRight = theme.px(28);
    columns.idRight = columns.rankRight + (compact ? 0 : theme.px(46));
    columns.chipLeft = columns.idRight + theme.px(6);
    columns.plotLeft =
        theme.px(compact ? 128 : 198) + std::clamp(spare * 0.12, 0.0, 80.0 * theme.scale);
    columns.cumulativeRight = width - theme.px(6);
    columns.valuesRight = width - theme.px(compact ? 50 : 58);
    const double values =
        std::clamp(theme.px(264) + spare * 0.2, 150.0 * theme.scale, 350.0 * theme.scale);
    columns.plotRight = std::max(columns.plotLeft + theme.px(60), width - values);
    columns.top = theme.px(24);
    columns.tickBand = theme.px(22);
    const double room = size.height() - columns.top - columns.tickBand;
    columns.rowHeight = std::clamp(std::floor(room / std::max(1, rows)), 1.0, 30.0 * theme.scale);
    return columns;
}

RowText RowText::of(const DistributionRow& row, bool hasFinal)
{
    RowText text;
    text.value = percentText(row.probability);
    if (hasFinal && !(row.isCut && !row.isPicked)) {
        const QString final = percentText(row.finalProbability);
        if (final != text.value)
            text.finalValue = QStringLiteral("→ ") + final;
    }
    if (row.isOthers()) {
        text.token = Words::tr("all others · %1 tokens").arg(countText(row.others));
        return text;
    }
    text.rank = QString::number(row.rank);
    text.id = QString::number(row.piece.id.value);
    if (row.cumulative)
        text.cumulative = cumulativeText(*row.cumulative);
    text.pills = pillsOf(row);
    return text;
}

ChartTextLayer::ChartTextLayer(QChart* chart) : QGraphicsItem(chart), m_chart(chart)
{
    setZValue(100);
    setAcceptedMouseButtons(Qt::NoButton);
}

void ChartTextLayer::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_headFont = theme.uiFont(headPx, QFont::DemiBold);
    m_headFont.setLetterSpacing(QFont::AbsoluteSpacing, 0.6 * theme.scale);
    update();
}

void ChartTextLayer::setColumns(const ChartColumns& columns)
{
    prepareGeometryChange();
    m_columns = columns;
}

void ChartTextLayer::setRows(const DistributionRows& rows, BarScale scale, double axisMaximum)
{
    m_rows = rows;
    m_scale = scale;
    m_axisMaximum = axisMaximum;
    m_axisText = rows.rows.empty() ? QString() : rows.axisWords(scale);
    m_texts.clear();
    for (const DistributionRow& row : m_rows.rows)
        m_texts.push_back(RowText::of(row, m_rows.hasFinal));
    update();
}

void ChartTextLayer::setCursor(std::optional<int> row)
{
    m_cursor = row;
    update();
}

QRectF ChartTextLayer::rowRect(int row) const
{
    return {0, m_columns.top + row * m_columns.rowHeight, m_chart->size().width(),
            m_columns.rowHeight};
}

QRectF ChartTextLayer::boundingRect() const
{
    return {QPointF(0, 0), m_chart->size()};
}

void ChartTextLayer::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_rows.rows.empty()) {
        painter->setFont(m_theme.uiFont(13));
        painter->setPen(m_theme.mutedText);
        painter->drawText(boundingRect(), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    paintHeads(*painter);
    paintTicks(*painter);
    double roomFrom = m_columns.plotLeft;
    for (int i = 0; i < static_cast<int>(m_rows.rows.size()); ++i) {
        const auto& row = m_rows.rows[static_cast<std::size_t>(i)];
        paintLost(*painter, row, rowRect(i));
        paintGhost(*painter, i);
        paintRow(*painter, i);
        const double end =
            paintValues(*painter, row, m_texts[static_cast<std::size_t>(i)], rowRect(i));
        if (m_rows.cutLine &&
            (i == m_rows.cutLine->firstRowBelow - 1 || i == m_rows.cutLine->firstRowBelow))
            roomFrom = std::max(roomFrom, end);
    }
    paintCutLine(*painter, roomFrom);
    if (m_cursor) {
        painter->setPen(QPen(m_theme.accent, m_theme.px(2)));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(rowRect(*m_cursor).adjusted(1, 1, -1, -1), 4, 4);
    }
}

void ChartTextLayer::paintHeads(QPainter& painter) const
{
    painter.setFont(m_headFont);
    painter.setPen(m_theme.mutedText);
    const QRectF band(0, 0, m_columns.cumulativeRight, m_columns.top - m_theme.px(4));
    if (m_columns.idRight > m_columns.rankRight)
        drawRight(painter, m_columns.idRight, band, Words::tr("ID"));
    drawRight(painter, m_columns.plotLeft - m_theme.px(10), band, Words::tr("TOKEN"));
    const bool changed = std::any_of(m_texts.begin(), m_texts.end(), [](const RowText& text) {
        return !text.finalValue.isEmpty();
    });
    drawLeft(painter, m_columns.plotLeft + m_theme.px(2), band,
             (changed ? Words::tr("PROBABILITY → AFTER CUT-OFF") : Words::tr("PROBABILITY")) +
                 QStringLiteral(" · ") + m_axisText);
    drawRight(painter, m_columns.cumulativeRight, band, Words::tr("Σ %"));
}

void ChartTextLayer::paintRow(QPainter& painter, int index) const
{
    const DistributionRow& row = m_rows.rows[static_cast<std::size_t>(index)];
    const RowText& text = m_texts[static_cast<std::size_t>(index)];
    const QRectF rect = rowRect(index);
    painter.setFont(numberFont(m_theme, RowFonts::of(rect.height(), m_theme).small));
    painter.setPen(row.isPicked ? m_theme.text : row.isCut ? m_theme.faintText : m_theme.mutedText);
    drawRight(painter, m_columns.rankRight, rect, text.rank);
    if (m_columns.idRight > m_columns.rankRight)
        drawRight(painter, m_columns.idRight, rect, text.id);
    drawRight(painter, m_columns.cumulativeRight, rect, text.cumulative);
    paintToken(painter, row, text, rect);
}

void ChartTextLayer::paintToken(QPainter& painter, const DistributionRow& row, const RowText& text,
                                const QRectF& rect) const
{
    const double right = m_columns.plotLeft - m_theme.px(10);
    const RowFonts fonts = RowFonts::of(rect.height(), m_theme);
    if (row.isOthers()) {
        const QFont font = m_theme.uiFont(fonts.small + 1);
        painter.setFont(font);
        painter.setPen(m_theme.mutedText);
        const double room = right - m_theme.px(4);
        drawRight(painter, right, rect,
                  QFontMetricsF(font).elidedText(text.token, Qt::ElideRight, room));
        return;
    }
    ChipStyle style;
    style.fontPx = fonts.chip;
    style.fill = row.isCut && !row.isPicked ? QColor(Qt::transparent) : m_theme.promptChip;
    style.outline = QPen(m_theme.border, 1);
    style.text = row.isCut && !row.isPicked ? m_theme.faintText : m_theme.text;
    style.faint = m_theme.faintText;
    const double width =
        std::min(chipSize(row.piece, style, m_theme).width(), right - m_columns.chipLeft);
    paintChip(painter, QRectF(right - width, rect.top() + 1, width, rect.height() - 2), row.piece,
              style, m_theme);
}

double ChartTextLayer::xOf(double value) const
{
    const QRectF plot = m_chart->plotArea();
    return plot.left() + std::min(value / m_axisMaximum, 1.0) * plot.width();
}

void ChartTextLayer::setGhost(bool shown)
{
    m_hasGhost = shown;
    update();
}

QRectF ChartTextLayer::ghostRect(int row) const
{
    const DistributionRow& shown = m_rows.rows[static_cast<std::size_t>(row)];
    // Where the chain changed nothing, the bar itself is what the model gave.
    if (!m_hasGhost || !m_rows.hasFinal || m_scale == BarScale::Logarithmic || shown.isOthers())
        return {};
    const QRectF rect = rowRect(row);
    const double half = std::floor(rect.height() * barThickness / 2) + m_theme.px(2);
    const double left = xOf(0);
    return {left, rect.center().y() - half, xOf(shown.probability) - left, 2 * half};
}

/// Taller than the bar, so that it is seen on all sides of it.
void ChartTextLayer::paintGhost(QPainter& painter, int row) const
{
    const QRectF ghost = ghostRect(row);
    if (ghost.width() < 2)
        return;
    painter.setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(ghost.adjusted(0.5, 0.5, -0.5, -0.5));
}

void ChartTextLayer::paintLost(QPainter& painter, const DistributionRow& row,
                               const QRectF& rect) const
{
    const Bar bar = m_rows.bar(row, m_scale);
    const double left = xOf(bar.solid + bar.gain);
    const double right = xOf(bar.end());
    const double half = std::floor(rect.height() * barThickness / 2);
    if (bar.lost > 0 && right - left > 0.3) {
        // Lines rather than a pattern brush: an exported SVG looks the same everywhere.
        const QRectF box(left + 0.5, rect.center().y() - half + 0.5, right - left - 1,
                         2 * half - 1);
        painter.setPen(QPen(m_theme.cutHatch, 1));
        painter.setBrush(Qt::NoBrush);
        if (box.width() < 2) {
            painter.drawLine(QPointF(left + 0.5, box.top()), QPointF(left + 0.5, box.bottom()));
        } else {
            painter.drawRect(box);
            painter.save();
            painter.setClipRect(box, Qt::IntersectClip);
            for (double x = box.left() - box.height(); x < box.right(); x += m_theme.px(5))
                painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
            painter.restore();
        }
    }
    if (row.isOthers() && bar.end() > m_axisMaximum) {
        // The bar goes on beyond the axis: two strokes through its end say so.
        painter.setPen(QPen(m_theme.surface, m_theme.px(2)));
        for (const double offset : {6.0, 11.0}) {
            const double x = right - m_theme.px(offset);
            painter.drawLine(QPointF(x - m_theme.px(2), rect.center().y() + half + 1),
                             QPointF(x + m_theme.px(2), rect.center().y() - half - 1));
        }
    }
}

double ChartTextLayer::paintValues(QPainter& painter, const DistributionRow& row,
                                   const RowText& text, const QRectF& rect) const
{
    const RowFonts fonts = RowFonts::of(rect.height(), m_theme);
    const QFont font = numberFont(m_theme, fonts.value);
    const QFontMetricsF metrics(font);
    const double gap = metrics.horizontalAdvance(QLatin1Char(' '));
    double x = xOf(m_rows.bar(row, m_scale).end()) + m_theme.px(8);
    painter.setFont(font);
    painter.setPen(row.isCut && !row.isPicked ? m_theme.faintText
                   : row.isOthers()           ? m_theme.mutedText
                                              : m_theme.text);
    drawLeft(painter, x, rect, text.value);
    x += metrics.horizontalAdvance(text.value);
    if (!text.finalValue.isEmpty()) {
        painter.setPen(m_theme.mutedText);
        drawLeft(painter, x + gap, rect, text.finalValue);
        x += gap + metrics.horizontalAdvance(text.finalValue);
    }
    return text.pills.empty() ? x : paintPills(painter, text, rect, x + m_theme.px(4));
}

double ChartTextLayer::paintPills(QPainter& painter, const RowText& text, const QRectF& rect,
                                  double x) const
{
    const double fontPx = RowFonts::of(rect.height(), m_theme).pill;
    // Where room is short the first pills lose their words, and keep their shapes and colours.
    std::size_t wordless = 0;
    const auto end = [&] {
        double right = x;
        for (std::size_t i = 0; i < text.pills.size(); ++i)
            right += m_theme.px(6) + pillWidth(text.pills[i], fontPx, i >= wordless, m_theme);
        return right;
    };
    while (wordless < text.pills.size() && end() > m_columns.valuesRight)
        ++wordless;
    const double height = std::min(rect.height() - 2, fontPx * 1.62 * m_theme.scale);
    for (std::size_t i = 0; i < text.pills.size(); ++i) {
        const bool word = i >= wordless;
        x += m_theme.px(6);
        paintPill(painter, QPointF(x, rect.center().y()), height, text.pills[i], fontPx, word,
                  m_theme);
        x += pillWidth(text.pills[i], fontPx, word, m_theme);
    }
    return x;
}

void ChartTextLayer::paintTicks(QPainter& painter) const
{
    const QRectF plot = m_chart->plotArea();
    const QRectF band(0, plot.bottom() + m_theme.px(3), 1, m_columns.tickBand - m_theme.px(5));
    const bool logarithmic = m_scale == BarScale::Logarithmic;
    const double step = logarithmic ? 0.2 : tickInterval(m_axisMaximum);
    painter.setFont(numberFont(m_theme, tickPx));
    painter.setPen(m_theme.mutedText);
    const QFontMetricsF metrics(painter.font());
    const int last = static_cast<int>(std::floor(m_axisMaximum / step + 1e-6));
    // In a narrow plot only every second or third line has its number.
    const double apart = std::max(1.0, xOf(step) - xOf(0));
    const int stride =
        std::max(1, static_cast<int>(std::ceil(m_theme.px(logarithmic ? 44 : 24) / apart)));
    for (int i = 0; i <= last; i += stride) {
        const double percent = logarithmic ? std::pow(10.0, i - 3) : 100 * i * step;
        const QString number = QString::number(percent, 'g', 4);
        const double x = xOf(i * step) - metrics.horizontalAdvance(number) / 2;
        drawLeft(painter, x, band, i == 0 ? number + QStringLiteral(" %") : number);
    }
    if (!m_rows.cutLine && !m_rows.keptWords.isEmpty())
        paintWordsBelow(painter, m_rows.keptWords);
}

void ChartTextLayer::paintWordsBelow(QPainter& painter, const QString& words) const
{
    const QRectF band(0, m_chart->plotArea().bottom() + m_theme.px(3), 1,
                      m_columns.tickBand - m_theme.px(5));
    const QFont font = m_theme.uiFont(11);
    const double room = m_columns.cumulativeRight - m_columns.plotRight - m_theme.px(16);
    painter.setFont(font);
    painter.setPen(m_theme.mutedText);
    const QFontMetricsF metrics(font);
    // What was kept says most; which setting decided is told on the pages behind the tabs as well.
    const bool fits = metrics.horizontalAdvance(words) <= room;
    const QString shown = fits ? words : words.section(QStringLiteral(" · "), -1);
    drawRight(painter, m_columns.cumulativeRight, band,
              metrics.elidedText(shown, Qt::ElideRight, room));
}

void ChartTextLayer::paintCutLine(QPainter& painter, double roomFrom) const
{
    if (!m_rows.cutLine)
        return;
    const double y = std::round(rowRect(m_rows.cutLine->firstRowBelow).top()) + 0.5;
    painter.setPen(QPen(m_theme.mutedText, 1, Qt::DashLine));
    painter.drawLine(QPointF(m_theme.px(4), y), QPointF(m_columns.cumulativeRight, y));

    const QFont font = m_theme.uiFont(11, QFont::Medium);
    const QFontMetricsF metrics(font);
    const double right = m_columns.valuesRight - m_theme.px(4);
    const double padding = m_theme.px(8);
    const auto leftFor = [&](const QString& words) {
        return right - metrics.horizontalAdvance(words) - 2 * padding;
    };
    QString words = m_rows.cutLine->words;
    double left = leftFor(words);
    const double least = roomFrom + m_theme.px(8);
    if (left < least) {
        words = words.section(QStringLiteral(" · "), 0, 0);
        left = leftFor(words);
        paintWordsBelow(painter, left < least ? m_rows.cutLine->words : m_rows.keptWords);
        if (left < least)
            return;
    }
    const double height = metrics.ascent() + metrics.descent() + m_theme.px(4);
    const QRectF pill(left, y - height / 2, right - left, height);
    painter.setPen(QPen(m_theme.border, 1));
    painter.setBrush(m_theme.surface);
    painter.drawRoundedRect(pill, height / 2, height / 2);
    painter.setFont(font);
    painter.setPen(m_theme.mutedText);
    drawLeft(painter, pill.left() + padding, pill, words);
}

} // namespace ui
