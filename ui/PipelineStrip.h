#pragma once

#include "ui/Theme.h"

#include <QWidget>

#include <array>

namespace ui {

class StageCard;
class StepModel;

/// The five stages from text to text, each card with the values of the selected step.
class PipelineStrip : public QWidget
{
    Q_OBJECT

public:
    explicit PipelineStrip(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showStep(const StepModel& steps);

    /// The stage that is lit, 1 to 5; those before it count as passed. 4 (decode) at first.
    int activeStage() const { return m_active; }
    void setActiveStage(int stage);
    StageCard* card(int stage) const; ///< 1 to 5

Q_SIGNALS:
    void stageActivated(int stage); ///< a click on a card, or Enter

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme m_theme;
    std::array<StageCard*, 5> m_cards;
    int m_active = 4;
};

} // namespace ui
