#pragma once

#include "engine/api/Step.h"
#include "engine/api/Token.h"
#include "ui/StepPage.h"
#include "ui/explore/TokenFinder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QTableWidget;

namespace ui {

class PinChart;

/// The page "Tokens": finds any token of the vocabulary by its text or id, says what the step in
/// view made of it, and follows pinned ones over the steps. Thread: GUI.
class TokensPage : public StepPage
{
    Q_OBJECT

public:
    using Vocabulary = std::shared_ptr<const std::vector<engine::TokenPiece>>;

    explicit TokensPage(QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void showStep(const StepModel& steps) override;

    /// All tokens of the open model. Null: there is none, and what the steps of a trace list is all
    /// that can be found; then `lookUpRequested` is not emitted.
    void setVocabulary(const Vocabulary& vocabulary);
    /// The answer to `lookUpRequested`.
    void showLookUp(int step, const std::vector<engine::Candidate>& found);

    QLineEdit* search() const { return m_search; }
    QTableWidget* table() const { return m_table; }
    PinChart* chart() const { return m_chart; }
    QString message() const;
    const std::vector<engine::TokenPiece>& pins() const { return m_pins; }
    void setPinned(const engine::TokenPiece& piece, bool pinned);

    static constexpr std::size_t mostShown = 100;
    static constexpr std::size_t mostPins = 8;

Q_SIGNALS:
    void lookUpRequested(int step, const std::vector<engine::TokenId>& ids);
    void pinsChanged(const std::vector<engine::TokenId>& ids);
    void stepActivated(int step);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Column
    {
        Pin,
        Token,
        Id,
        Rank,
        Logit,
        Probability,
        After,
        ColumnCount,
    };
    void find();
    void refreshRows();
    void refreshValues();
    void refreshChart();
    void refreshMessage();
    void fillValues(int row, const engine::TokenPiece& piece);
    void setCell(int row, int column, const QString& text);
    void pinClicked(int row, int column);
    void askFor();
    const engine::Candidate* candidate(engine::TokenId id) const;
    bool isPinned(engine::TokenId id) const;
    std::vector<engine::TokenPiece> knownTokens() const;
    void layOutColumns();

    Theme m_theme;
    QLabel* m_title;
    QLineEdit* m_search;
    QLabel* m_message;
    QTableWidget* m_table;
    QLabel* m_chartTitle;
    PinChart* m_chart;

    Vocabulary m_vocabulary;
    const StepModel* m_steps = nullptr;
    std::optional<engine::Step> m_step;
    TokenMatches m_matches;
    std::vector<engine::TokenPiece> m_pins;
    std::vector<engine::TokenPiece> m_rows;    ///< the pinned, then the matches
    std::vector<engine::Candidate> m_lookedUp; ///< of the step in view
    std::vector<engine::TokenId> m_askedFor;
};

} // namespace ui
