#pragma once

#include "engine/api/Token.h"
#include "ui/stages/StageCard.h"

#include <optional>

namespace ui {

/// Stage 5: the pick's id, its text as a chip, and its bytes.
class DetokenizeCard : public StageCard
{
    Q_OBJECT

public:
    explicit DetokenizeCard(QWidget* parent = nullptr);

    void showStep(const StepModel& steps) override;

protected:
    void paintContent(QPainter& painter, const QRectF& area) const override;

private:
    std::optional<engine::TokenPiece> m_piece;
};

} // namespace ui
