#pragma once

#include "engine/api/Step.h"
#include "ui/ChartTextLayer.h"
#include "ui/DistributionRows.h"
#include "ui/Theme.h"

#include <QChartView>

#include <array>
#include <optional>

class QBarCategoryAxis;
class QBarSet;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace ui {

/// The bars of one step: Qt Charts draws bars, grid and axes, ChartTextLayer all words. Rows are
/// hit as a whole, since a bar of 0.1 % is too small to point at.
class DistributionView : public QChartView
{
    Q_OBJECT

public:
    explicit DistributionView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showStep(const engine::Step* step); ///< copies what it needs
    void setRowLimit(int limit);
    void setScale(BarScale scale);
    BarScale scale() const { return m_scale; }
    /// The distribution before the chain as an outline behind the bars; shown at first.
    void setGhost(bool shown);
    bool hasGhost() const;

    const DistributionRows& rows() const { return m_text->rows(); }
    std::vector<Pill> pills(int row) const;
    std::optional<int> rowAt(const QPointF& viewPosition) const;
    QRectF rowRect(int row) const; ///< in the view's coordinates
    std::optional<int> cursorRow() const { return m_cursor; }

Q_SIGNALS:
    void candidateActivated(engine::TokenId id);

protected:
    bool viewportEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

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
    void refreshBars(double axisMaximum);
    void refreshColumns(int rows);
    int rowsThatFit() const;
    void describe();
    void hover(std::optional<int> row);
    void setCursorRow(std::optional<int> row);
    void activate(std::optional<int> row);
    QString toolTip(int row) const;

    Theme m_theme;
    std::optional<engine::Step> m_step;
    int m_rowLimit = 20;
    BarScale m_scale = BarScale::Linear;
    std::optional<int> m_hovered, m_pressed, m_cursor;

    QChart* m_chart;
    ChartTextLayer* m_text;
    QHorizontalStackedBarSeries* m_series;
    std::array<QBarSet*, RoleCount> m_sets{};
    QBarCategoryAxis* m_rowAxis;
    QValueAxis* m_valueAxis;
};

} // namespace ui
