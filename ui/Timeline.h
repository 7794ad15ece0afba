#pragma once

#include "ui/Theme.h"

#include <QFrame>

class QLabel;

namespace ui {

class ChartLegend;
class StepModel;
class TimelineView;

/// The card "Timeline": entropy and the probability of the pick over the steps of a run. A click
/// selects a step.
class Timeline : public QFrame
{
    Q_OBJECT

public:
    explicit Timeline(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setModel(StepModel* model); ///< not owned; null shows nothing
    TimelineView* view() const { return m_view; }

Q_SIGNALS:
    void stepActivated(int step);

private:
    void refresh();

    Theme m_theme;
    StepModel* m_model = nullptr;
    QLabel* m_title;
    ChartLegend* m_legend;
    TimelineView* m_view;
};

} // namespace ui
