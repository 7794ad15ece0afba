#pragma once

#include "ui/ChartPill.h"
#include "ui/DistributionRows.h"
#include "ui/Theme.h"

#include <QFont>
#include <QGraphicsItem>
#include <QString>

#include <optional>
#include <vector>

class QChart;

namespace ui {

/// The columns beside the bars, in device pixels from the view's left edge.
struct ChartColumns
{
    double rankRight = 0;
    double idRight = 0; ///< equal to rankRight where there is no room for ids
    double chipLeft = 0;
    double plotLeft = 0;
    double plotRight = 0;
    double valuesRight = 0; ///< values and pills end here
    double cumulativeRight = 0;
    double top = 0; ///< of the first row
    double rowHeight = 0;
    double tickBand = 0; ///< height of the tick labels below the last row

    static ChartColumns fit(const QSizeF& size, int rows, const Theme& theme);
};

/// The words of one row as they are painted.
struct RowText
{
    QString rank;
    QString id;
    QString token; ///< only for the row of the others; a token is painted as a chip
    QString value;
    QString finalValue; ///< "→ 26.9 %"; empty where it says nothing new
    QString cumulative;
    std::vector<Pill> pills;

    static RowText of(const DistributionRow& row, bool hasFinal);
};

/// All text over the bars of the distribution chart, as one item: Qt Charts' own labels are HTML,
/// slow, and lose duplicates.
class ChartTextLayer : public QGraphicsItem
{
public:
    explicit ChartTextLayer(QChart* chart);

    void setTheme(const Theme& theme);
    void setColumns(const ChartColumns& columns);
    void setRows(const DistributionRows& rows, BarScale scale, double axisMaximum);
    void setGhost(bool shown);
    bool hasGhost() const { return m_hasGhost; }
    QString axisText() const { return m_axisText; } ///< as announced over the bars
    /// What the model gave the row, over its bar, in the chart's coordinates; empty for none.
    QRectF ghostRect(int row) const;
    void setEmptyText(const QString& text) { m_emptyText = text; }
    void setCursor(std::optional<int> row); ///< the keyboard's row, outlined

    const DistributionRows& rows() const { return m_rows; }
    QRectF rowRect(int row) const; ///< over the whole width, in the chart's coordinates

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintHeads(QPainter& painter) const;
    void paintRow(QPainter& painter, int index) const;
    void paintToken(QPainter& painter, const DistributionRow& row, const RowText& text,
                    const QRectF& rect) const;
    /// Values and pills; returns where they end.
    double paintValues(QPainter& painter, const DistributionRow& row, const RowText& text,
                       const QRectF& rect) const;
    double paintPills(QPainter& painter, const RowText& text, const QRectF& rect, double x) const;
    void paintGhost(QPainter& painter, int row) const;
    void paintLost(QPainter& painter, const DistributionRow& row, const QRectF& rect) const;
    void paintTicks(QPainter& painter) const;
    void paintCutLine(QPainter& painter, double roomFrom) const;
    void paintWordsBelow(QPainter& painter, const QString& words) const;
    double xOf(double value) const;

    QChart* m_chart;
    Theme m_theme;
    ChartColumns m_columns;
    DistributionRows m_rows;
    std::vector<RowText> m_texts;
    BarScale m_scale = BarScale::Linear;
    double m_axisMaximum = 1;
    QString m_axisText;
    bool m_hasGhost = true;
    QString m_emptyText;
    std::optional<int> m_cursor;
    QFont m_headFont;
};

/// Where ticks stand on a linear axis that ends at `maximum`: at least two steps, at most seven.
double tickInterval(double maximum);

} // namespace ui
