#pragma once

#include "ui/Theme.h"

#include <QWidget>

class QGridLayout;
class QStackedWidget;

namespace ui {

class BranchesPage;
class CandidateModel;
class ChainPage;
class CandidateTable;
class ContextPanel;
class DistributionChart;
class DrawPage;
class InspectorPanel;
class NumbersPage;
class PipelineStrip;
class RunLines;
class StepModel;
class StepPages;
class WhyPage;
class Timeline;
class TokensPage;

/// Where the views of a run stand: the pipeline on top, below it the context, the candidates with
/// the timeline, and the settings. Arranges them by the room there is. Thread: GUI.
class Board : public QWidget
{
    Q_OBJECT

public:
    Board(StepModel* steps, CandidateModel* candidates, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showTable(bool table); ///< the candidates as a table in the place of the chart
    void showInspector(bool shown);
    bool isNarrow() const { return m_isNarrow; } ///< no room for the inspector beside the rest

    PipelineStrip* pipeline() const { return m_pipeline; }
    ContextPanel* context() const { return m_context; }
    DistributionChart* chart() const { return m_chart; }
    CandidateTable* table() const { return m_table; }
    InspectorPanel* inspector() const { return m_inspector; }
    RunLines* lines() const { return m_lines; }
    BranchesPage* branches() const { return m_branches; }
    DrawPage* draw() const { return m_draw; }
    WhyPage* why() const { return m_why; }
    ChainPage* chain() const { return m_chain; }
    NumbersPage* numbers() const { return m_numbers; }
    TokensPage* tokens() const { return m_tokens; }
    StepPages* pages() const { return m_pages; } ///< the middle: bars first, then other views
    Timeline* timeline() const { return m_timeline; }

Q_SIGNALS:
    void narrowChanged(bool narrow);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void showStage(int stage);
    void placeInGrid(bool isTall);

    Theme m_theme;
    bool m_isNarrow = false;
    bool m_showsInspector = true;
    QGridLayout* m_grid;
    PipelineStrip* m_pipeline;
    ContextPanel* m_context;
    RunLines* m_lines;
    BranchesPage* m_branches;
    WhyPage* m_why;
    DrawPage* m_draw;
    NumbersPage* m_numbers;
    TokensPage* m_tokens;
    StepPages* m_pages;
    QStackedWidget* m_distribution;
    DistributionChart* m_chart;
    CandidateTable* m_table;
    InspectorPanel* m_inspector;
    ChainPage* m_chain; ///< changes what the inspector has
    Timeline* m_timeline;
};

} // namespace ui
