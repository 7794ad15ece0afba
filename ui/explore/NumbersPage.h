#pragma once

#include "ui/StepPage.h"

#include <QString>

#include <vector>

class QGridLayout;
class QLabel;
class QScrollArea;

namespace ui {

/// A number, how it comes about with this step's own values, and what it means.
struct NumberRow
{
    QString name;
    QString value;
    QString formula; ///< "ln p = logit − ln Σ e^logit = 14.36 − 15.23"
    QString meaning; ///< one sentence
};

/// Of the step in view, and of the run up to it.
std::vector<NumberRow> stepNumbers(const engine::Step& step);
std::vector<NumberRow> runNumbers(const engine::Run& run, std::size_t steps);

/// The page "Numbers": what is said of a step and of a run in one number, each with its formula
/// beside it. Thread: GUI.
class NumbersPage : public StepPage
{
    Q_OBJECT

public:
    explicit NumbersPage(QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void showStep(const StepModel& steps) override;

    QString value(const QString& name) const; ///< as shown; empty where there is none
    QString formula(const QString& name) const;

private:
    void addHeading(const QString& text);
    void addRow(const NumberRow& row);

    Theme m_theme;
    QScrollArea* m_area;
    QLabel* m_empty;
    QGridLayout* m_grid = nullptr;
    std::vector<NumberRow> m_rows;
};

} // namespace ui
