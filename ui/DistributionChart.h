#pragma once

#include "engine/api/Token.h"
#include "ui/DistributionRows.h"
#include "ui/Theme.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace ui {

class CandidateModel;
class ChartLegend;
class DistributionView;

/// The card "Next token": title, legend, and the candidates of a step as bars. A plain frame: the
/// bars are in DistributionView. Thread: GUI.
class DistributionChart : public QFrame
{
    Q_OBJECT

public:
    explicit DistributionChart(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setModel(CandidateModel* model); ///< not owned; null shows nothing
    void setRowLimit(int limit);          ///< rows at most, beside "all others"; 20 at first
    void setScale(BarScale scale);
    BarScale scale() const;
    void nextScale(); ///< fitted, 0 to 100 %, logarithmic, and again, as by the user
    void setGhost(bool shown);
    QToolButton* scaleButton() const { return m_scaleButton; }
    DistributionView* view() const { return m_view; }

Q_SIGNALS:
    void
    candidateActivated(engine::TokenId id); ///< a click on a row, or Enter: the wish to force it
    void scaleChanged(ui::BarScale scale);

private:
    QString stepText(const engine::Step& step) const;
    void refresh();
    void restyle();

    Theme m_theme;
    CandidateModel* m_model = nullptr;
    QLabel* m_title;
    QLabel* m_subtitle;
    ChartLegend* m_legend;
    QToolButton* m_scaleButton;
    DistributionView* m_view;
};

} // namespace ui
