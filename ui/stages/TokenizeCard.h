#pragma once

#include "engine/api/Token.h"
#include "ui/stages/StageCard.h"

#include <vector>

namespace ui {

/// Stage 1: the last tokens that the model read for this step, over their ids.
class TokenizeCard : public StageCard
{
    Q_OBJECT

public:
    explicit TokenizeCard(QWidget* parent = nullptr);

    void showStep(const StepModel& steps) override;
    const std::vector<engine::ContextToken>& context() const { return m_context; }

protected:
    void paintContent(QPainter& painter, const QRectF& area) const override;

private:
    std::vector<engine::ContextToken> m_context;
};

} // namespace ui
