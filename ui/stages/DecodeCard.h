#pragma once

#include "engine/api/Step.h"
#include "ui/stages/DrawSegments.h"
#include "ui/stages/StageCard.h"

#include <optional>
#include <vector>

namespace ui {

/// Stage 4: how many tokens each stage of the chain left, and the draw: a unit bar with a slice for
/// each token, and the random number u pointing into the slice it picked.
class DecodeCard : public StageCard
{
    Q_OBJECT

public:
    explicit DecodeCard(QWidget* parent = nullptr);

    void showStep(const StepModel& steps) override;
    const std::vector<DrawSegment>& segments() const { return m_segments; }
    const QString& funnel() const { return m_funnel; } ///< the whole, however much of it fits
    const QString& outcome() const { return m_outcome; }

protected:
    void paintContent(QPainter& painter, const QRectF& area) const override;

private:
    void paintFunnel(QPainter& painter, const QRectF& band) const;
    void paintBar(QPainter& painter, const QRectF& bar) const;
    void paintSegment(QPainter& painter, const QRectF& rect, const DrawSegment& segment) const;
    void paintPointer(QPainter& painter, const QRectF& bar, const QRectF& area) const;

    std::vector<DrawSegment> m_segments;
    std::optional<double> m_u;
    QString m_funnel;
    QString m_shortFunnel;
    QString m_outcome; ///< "u = 0.537", "takes the largest", ...
};

} // namespace ui
