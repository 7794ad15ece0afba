#pragma once

#include "engine/api/Token.h"
#include "ui/StepPage.h"

#include <optional>

class QLabel;
class QListWidget;
class QListWidgetItem;

namespace ui {

class LedgerView;

/// The page "Why": the account of the selected step from text to text, with the arithmetic of one
/// candidate, which is chosen in the list beside it: the picked one at first. Thread: GUI.
class WhyPage : public StepPage
{
    Q_OBJECT

public:
    explicit WhyPage(QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void showStep(const StepModel& steps) override;
    /// The candidate to account for while this step is in view.
    void explain(engine::TokenId id);

    QListWidget* candidates() const { return m_list; }
    LedgerView* ledger() const { return m_ledger; }
    QLabel* headline() const { return m_headline; } ///< why this token, or why not

private:
    void refresh();
    void fillList();
    void fill(QListWidgetItem* item, const engine::Candidate& candidate) const;

    Theme m_theme;
    const StepModel* m_steps = nullptr;
    std::optional<engine::TokenId> m_explained;
    int m_step = -1;          ///< the step that m_explained was chosen at
    engine::TokenId m_picked; ///< its pick then
    QLabel* m_headline;
    QListWidget* m_list;
    LedgerView* m_ledger;
};

} // namespace ui
