#include "ui/stages/SoftmaxCard.h"

#include "ui/NumberText.h"
#include "ui/StepModel.h"

#include <QPainterPath>

#include <algorithm>

namespace ui {

SoftmaxCard::SoftmaxCard(QWidget* parent) : StageCard(3, tr("Softmax"), parent)
{
    setSubtitle(tr("scores → p"));
}

void SoftmaxCard::showStep(const StepModel& steps)
{
    m_probabilities.clear();
    m_finalProbabilities.clear();
    m_left.clear();
    m_right.clear();
    const engine::Step* step = steps.selectedStep();
    if (!step || step->candidates.empty())
        return describe(tr("No step yet."));
    for (const engine::Candidate& candidate : step->candidates) {
        if (candidate.rank != static_cast<int>(m_probabilities.size()) + 1)
            break; // the pick beyond those listed is no part of the curve
        m_probabilities.push_back(candidate.probability);
        if (step->draw)
            m_finalProbabilities.push_back(candidate.finalProbability);
    }
    const QString largest = percentText(step->candidates.front().probability);
    m_left = step->draw ? tr("T %1").arg(settingText(step->sampling.temperature))
                        : tr("max %1").arg(largest);
    m_right = tr("H %1").arg(bitsText(step->entropyBits));
    describe(tr("The largest probability is %1, the entropy %2.")
                 .arg(largest, bitsText(step->entropyBits)));
}

void SoftmaxCard::paintContent(QPainter& painter, const QRectF& area) const
{
    if (m_probabilities.empty())
        return;
    const QRectF plot = aboveBottom(area).adjusted(0, 3, 0, -2);
    double largest = *std::max_element(m_probabilities.begin(), m_probabilities.end());
    for (const double probability : m_finalProbabilities)
        largest = std::max(largest, probability);
    const auto curve = [&](const std::vector<double>& values) {
        QPainterPath path;
        const auto steps = static_cast<double>(std::max<std::size_t>(1, values.size() - 1));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const QPointF point(plot.left() + static_cast<double>(i) / steps * plot.width(),
                                plot.bottom() -
                                    (largest > 0 ? values[i] / largest : 0) * plot.height());
            i == 0 ? path.moveTo(point) : path.lineTo(point);
        }
        if (values.size() == 1)
            path.lineTo(plot.bottomRight());
        return path;
    };
    const QPainterPath line = curve(m_probabilities);
    QPainterPath filled = line;
    filled.lineTo(plot.bottomRight());
    filled.lineTo(plot.bottomLeft());
    filled.closeSubpath();
    painter.fillPath(filled, theme().gain);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().accent, theme().px(1.5)));
    painter.drawPath(line);
    if (!m_finalProbabilities.empty()) {
        painter.setPen(QPen(theme().mutedText, theme().px(1), Qt::DotLine));
        painter.drawPath(curve(m_finalProbabilities));
    }
    painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), theme().border);
    paintBottom(painter, area, m_left, m_right);
}

} // namespace ui
