#pragma once

#include "engine/api/Step.h"
#include "ui/StepPage.h"

#include <cstdint>
#include <optional>

class QLabel;
class QPushButton;

namespace ui {

class DrawBar;
class DrawCounts;

/// The page "Draw": the bar of final probabilities with the random number u on it. The draw can be
/// held while settings move, made again, or made a thousand times. Thread: GUI.
class DrawPage : public StepPage
{
    Q_OBJECT

public:
    static constexpr int manyDraws = 1000;

    explicit DrawPage(QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void showStep(const StepModel& steps) override;
    /// The answer to drawsRequested; kept until the step's draw or settings change.
    void showDraws(const std::vector<double>& uniforms);

    DrawBar* bar() const { return m_bar; }
    DrawBar* heldBar() const { return m_heldBar; } ///< as it was when the draw was held
    DrawCounts* counts() const { return m_counts; }
    QLabel* headline() const { return m_headline; }
    QLabel* note() const { return m_note; } ///< about the edges, the held draw, or the counts
    QPushButton* holdButton() const { return m_hold; }
    QPushButton* againButton() const { return m_again; }
    QPushButton* manyButton() const { return m_many; }

Q_SIGNALS:
    void drawAgainRequested(); ///< of the step in view, its next random number
    /// The random numbers of attempts 1 to `count` of step `step` under `seed`.
    void drawsRequested(std::uint64_t seed, int step, int count);

private:
    void refresh();
    void refreshNote();
    QString heldText(const engine::Step& now) const;
    void hold(bool on);

    Theme m_theme;
    std::optional<engine::Step> m_step;
    std::optional<engine::Step> m_held; ///< as it was when "Hold the draw" was pressed
    QLabel* m_headline;
    DrawBar* m_heldBar;
    DrawBar* m_bar;
    QPushButton* m_hold;
    QPushButton* m_again;
    QPushButton* m_many;
    QLabel* m_note;
    DrawCounts* m_counts;
};

/// "u is 0.0123 above the lower edge of its slice, 0.390, and 0.0477 below the upper one, 0.450: …"
QString edgeText(const engine::Step& step);

} // namespace ui
