#pragma once

#include "ui/Theme.h"
#include "ui/stages/DrawSegments.h"

#include <QPainter>
#include <QWidget>

#include <optional>
#include <vector>

namespace ui {

/// The cumulative bar of the final probabilities from 0 to 1 with the edges of its slices and the
/// random number u as a line through it. Thread: GUI.
class DrawBar : public QWidget
{
    Q_OBJECT

public:
    explicit DrawBar(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `caption` stands at the left above the bar; without u no line is drawn.
    void setBar(const QString& caption, const std::vector<DrawSegment>& segments,
                std::optional<double> u);
    const std::vector<DrawSegment>& segments() const { return m_segments; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintSegment(QPainter& painter, const QRectF& rect, const DrawSegment& segment) const;
    void paintEdges(QPainter& painter, const QRectF& bar) const;
    void paintPointer(QPainter& painter, const QRectF& bar) const;

    Theme m_theme;
    QString m_caption;
    std::vector<DrawSegment> m_segments;
    std::optional<double> m_u;
};

} // namespace ui
