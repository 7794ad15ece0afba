#pragma once

#include "ui/Theme.h"
#include "ui/compare/UnionRows.h"

#include <QChartView>

#include <array>

class QBarCategoryAxis;
class QBarSet;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace ui {

/// One pane's bars over the candidates of all panes. Qt Charts draws bars, grid and axes; words and
/// hatching are painted over them, since labels of Qt Charts are HTML. Every pane has the same rows
/// and the same scale, so that a bar can be held against its neighbours. Thread: GUI.
class UnionChart : public QChartView
{
    Q_OBJECT

public:
    explicit UnionChart(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `pane` is this chart's place among the panes of `rows`.
    void showRows(const UnionRows& rows, int pane);
    void showNothing(const QString& why);

    static int rowsThatFit(double height, const Theme& theme);

    int rowCount() const { return static_cast<int>(m_rows.rows.size()); }
    double axisMaximum() const;
    QString headText() const;         ///< says of which stage the numbers are
    QString valueText(int row) const; ///< as shown beside the bar
    QString emptyText() const { return m_emptyText; }
    QString toolTip(int row) const;
    QRectF rowRect(int row) const; ///< in the viewport's coordinates

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    enum Role
    {
        Kept,
        Argmax,
        Picked,
        Gain,
        Lost,
        RoleCount,
    };

    void refresh();
    void refreshBars();
    void describe();
    const std::optional<DistributionRow>& shown(int row) const;
    bool hasFinal() const;
    bool isWide() const;   ///< room for both probabilities
    bool hasWords() const; ///< and for words in the pills
    double rowHeight() const;
    double plotLeft() const;
    double plotRight() const;
    double xOf(double probability) const;
    double tickStep() const;
    void paintRow(QPainter& painter, int row) const;
    void paintValue(QPainter& painter, int row, const QRectF& rect) const;
    void paintLost(QPainter& painter, int row, const QRectF& rect) const;
    void paintTicks(QPainter& painter) const;

    Theme m_theme;
    UnionRows m_rows;
    int m_pane = 0;
    QString m_emptyText;
    QChart* m_chart;
    QHorizontalStackedBarSeries* m_series;
    std::array<QBarSet*, RoleCount> m_sets{};
    QBarCategoryAxis* m_rowAxis;
    QValueAxis* m_valueAxis;
};

} // namespace ui
