#pragma once

#include <QAction>
#include <QObject>

class QActionGroup;
class QMenuBar;
class QWidget;

namespace ui {

class DistributionChart;

/// How the bars of the candidates are drawn: which axis, and whether what the model gave stands
/// behind them. Thread: GUI.
class AxisActions : public QObject
{
    Q_OBJECT

public:
    AxisActions(DistributionChart* chart, QWidget* window);

    void fillMenuBar(QMenuBar* bar) const; ///< at the end of the menu "View"

    void setInView(bool inView); ///< the chart that they are about

    QAction* const fitted;
    QAction* const full;
    QAction* const logarithmic;
    QAction* const next; ///< from one to the other
    QAction* const ghost;
};

} // namespace ui
