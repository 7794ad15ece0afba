#pragma once

#include "ui/stages/StageCard.h"

#include <vector>

namespace ui {

/// Stage 3: the probabilities in falling order as an area, and as a line what the chain makes of
/// them; with the temperature and the entropy.
class SoftmaxCard : public StageCard
{
    Q_OBJECT

public:
    explicit SoftmaxCard(QWidget* parent = nullptr);

    void showStep(const StepModel& steps) override;

protected:
    void paintContent(QPainter& painter, const QRectF& area) const override;

private:
    std::vector<double> m_probabilities;      ///< by rank
    std::vector<double> m_finalProbabilities; ///< the same tokens; empty for greedy
    QString m_left, m_right;
};

} // namespace ui
