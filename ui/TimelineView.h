#pragma once

#include "engine/api/Step.h"
#include "ui/Theme.h"

#include <QChartView>

#include <optional>
#include <vector>

class QAreaSeries;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace ui {

/// The curves of the timeline by Qt Charts, and over them the cursor on the selected step. Steps
/// are counted from 0 here and from 1 on screen, as everywhere in the window.
class TimelineView : public QChartView
{
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setSteps(const std::vector<engine::Step>& steps);
    void setSelected(int step); ///< -1: none

    int stepCount() const { return static_cast<int>(m_points.size()); }
    int selected() const { return m_selected; }
    /// The step whose column this is; nothing beside the steps there are.
    std::optional<int> stepAt(const QPointF& viewPosition) const;
    /// The middle of a step's column on the curve of the entropy, in the view's coordinates.
    QPointF positionOf(int step) const;
    /// The steps shown, a round number that grows in chunks: 24, 48, 96, ...
    int range() const { return m_range; }

Q_SIGNALS:
    void stepActivated(int step);

protected:
    bool viewportEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Point
    {
        double entropyBits = 0;
        double pickedProbability = 0;
        bool forced = false;
        engine::TokenPiece picked;
    };

    void refreshSeries();
    void refreshAxes();
    double xOf(double step) const; ///< in the scene
    QString toolTip(int step) const;

    Theme m_theme;
    std::vector<Point> m_points;
    int m_selected = -1;
    std::optional<int> m_hovered;
    int m_range = 0;
    double m_entropyMaximum = 0;

    QChart* m_chart;
    QLineSeries* m_entropy;
    QAreaSeries* m_area;
    QScatterSeries* m_picked;
    QScatterSeries* m_forced; ///< rings instead of dots
    QValueAxis* m_stepAxis;
    QValueAxis* m_entropyAxis;
    QValueAxis* m_probabilityAxis;
};

} // namespace ui
