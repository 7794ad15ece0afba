#pragma once

#include "engine/api/RunChecks.h"
#include "ui/Theme.h"

#include <QWidget>

#include <optional>

namespace ui {

/// Above, a bar for each step: the share of the seeds that still agree with the greedy path. Below,
/// the running log-probability of each seed as a thin line, and of the greedy path as a thick one;
/// one seed may be marked. Thread: GUI.
class FanChart : public QWidget
{
    Q_OBJECT

public:
    explicit FanChart(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setFan(const engine::SeedFan& fan);
    void markSeed(std::optional<std::size_t> index);
    int stepAt(double x) const; ///< -1 where there is none

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepHovered(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    int stepCount() const;
    QRectF upper() const;
    QRectF lower() const;
    double xOf(int step) const;
    void paintShares(QPainter& painter) const;
    void paintPaths(QPainter& painter) const;
    void paintPath(QPainter& painter, const engine::FanPath& path, const QPen& pen) const;
    void paintSteps(QPainter& painter) const;

    Theme m_theme;
    engine::SeedFan m_fan;
    std::optional<std::size_t> m_marked;
    double m_least = -1; ///< end of the scale of log-probabilities
};

} // namespace ui
