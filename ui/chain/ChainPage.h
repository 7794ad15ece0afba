#pragma once

#include "engine/api/RunConfig.h"
#include "ui/StepPage.h"

#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace ui {

class ChainCard;
class SamplingPanel;

/// The page "Chain": the stages between softmax and pick as cards in their order. Switching one,
/// moving one or taking a preset changes the settings as the panel of settings does. Thread: GUI.
class ChainPage : public StepPage
{
    Q_OBJECT

public:
    explicit ChainPage(SamplingPanel* sampling, QWidget* parent = nullptr); ///< not owned

    void setTheme(const Theme& theme) override;
    void showStep(const StepModel& steps) override;

    int cardCount() const { return static_cast<int>(m_cards.size()); }
    ChainCard* card(int place) const { return m_cards.at(static_cast<std::size_t>(place)); }
    ChainCard* card(engine::SamplingStage stage) const;
    QPushButton* moodButton(int index) const { return m_moods.at(static_cast<std::size_t>(index)); }
    QToolButton* orderButton() const { return m_order; }
    QString message() const;

private:
    void makeCard(engine::SamplingStage stage);
    void sortCards();
    void toggle(engine::SamplingStage stage, bool on);
    void move(ChainCard* card, int by);
    void drag(ChainCard* card, int y);
    void drop();
    void change(const engine::SamplingConfig& config);
    int placeOf(const ChainCard* card) const;

    SamplingPanel* m_sampling;
    Theme m_theme;
    engine::SamplingConfig m_config; ///< of the step in view, or of the panel
    std::vector<std::pair<engine::SamplingStage, double>> m_lastValues; ///< of stages switched off
    QLabel* m_message;
    std::vector<QPushButton*> m_moods;
    QToolButton* m_order;
    QVBoxLayout* m_list;
    std::vector<ChainCard*> m_cards; ///< in order
};

} // namespace ui
