#include "ui/stages/LogitsCard.h"

#include "ui/NumberText.h"
#include "ui/StepModel.h"

#include <algorithm>
#include <cmath>

namespace ui {

LogitsCard::LogitsCard(QWidget* parent) : StageCard(2, tr("Logits"), parent) {}

void LogitsCard::showStep(const StepModel& steps)
{
    const engine::Step* step = steps.selectedStep();
    m_scores.reset();
    setSubtitle(tr("a score each"));
    if (!step)
        return describe(tr("No step yet."));
    const std::int64_t vocabulary =
        static_cast<std::int64_t>(step->candidates.size()) + step->others.count;
    m_scores = Scores{step->logitSample, step->minLogit, step->maxLogit,
                      vocabulary > 0 ? static_cast<double>(step->argmax.value) /
                                           static_cast<double>(vocabulary)
                                     : 0};
    setSubtitle(tr("%1 scores").arg(countText(vocabulary)));
    describe(tr("%1 scores from %2 to %3.")
                 .arg(countText(vocabulary), logitText(step->minLogit), logitText(step->maxLogit)));
}

void LogitsCard::paintContent(QPainter& painter, const QRectF& area) const
{
    if (!m_scores)
        return;
    const QRectF plot = aboveBottom(area).adjusted(0, 2, 0, -2);
    const double low = std::min(0.0, m_scores->least);
    const double high = std::max(0.0, m_scores->largest);
    const double span = high > low ? high - low : 1;
    const auto yOf = [&](double logit) {
        return plot.bottom() - (logit - low) / span * plot.height();
    };
    const auto bar = [&](double x, double width, double logit, const QColor& colour) {
        const double top = std::min(yOf(logit), yOf(0));
        painter.fillRect(QRectF(x, top, width, std::max(1.0, std::abs(yOf(logit) - yOf(0)))),
                         colour);
    };
    const auto count = static_cast<double>(m_scores->sample.size());
    const double pitch = count > 0 ? plot.width() / count : plot.width();
    const double width = std::max(1.0, std::floor(pitch * 0.72));
    for (std::size_t i = 0; i < m_scores->sample.size(); ++i)
        bar(plot.left() + static_cast<double>(i) * pitch, width,
            static_cast<double>(m_scores->sample[i]), theme().kept);
    painter.fillRect(QRectF(plot.left(), std::round(yOf(0)), plot.width(), 1), theme().border);
    const double markWidth = std::max<double>(width, theme().px(3));
    bar(plot.left() + std::clamp(m_scores->argmaxPlace, 0.0, 1.0) * (plot.width() - markWidth),
        markWidth, m_scores->largest, theme().argmax);
    paintBottom(painter, area, tr("min %1").arg(logitText(m_scores->least)),
                tr("max %1").arg(logitText(m_scores->largest)));
}

} // namespace ui
