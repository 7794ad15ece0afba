#pragma once

#include "ui/stages/StageCard.h"

#include <optional>
#include <vector>

namespace ui {

/// Stage 2: scores of tokens spread over the vocabulary, the largest marked in its place.
class LogitsCard : public StageCard
{
    Q_OBJECT

public:
    explicit LogitsCard(QWidget* parent = nullptr);

    void showStep(const StepModel& steps) override;

protected:
    void paintContent(QPainter& painter, const QRectF& area) const override;

private:
    struct Scores
    {
        std::vector<float> sample;
        double least = 0;
        double largest = 0;
        double argmaxPlace = 0; ///< of the argmax in the vocabulary, 0 to 1
    };
    std::optional<Scores> m_scores;
};

} // namespace ui
