#include "ui/Board.h"

#include "ui/CandidateModel.h"
#include "ui/CandidateTable.h"
#include "ui/ContextPanel.h"
#include "ui/DistributionChart.h"
#include "ui/InspectorPanel.h"
#include "ui/PipelineStrip.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/Timeline.h"
#include "ui/branches/BranchesPage.h"
#include "ui/branches/RunLines.h"
#include "ui/chain/ChainPage.h"
#include "ui/explore/NumbersPage.h"
#include "ui/explore/TokensPage.h"
#include "ui/why/DrawPage.h"
#include "ui/why/WhyPage.h"

#include <QGridLayout>
#include <QStackedWidget>

#include <array>

namespace ui {
namespace {

// Sizes of the board in px at 100 % text size.
constexpr double narrowBelow = 1180; ///< of width: no room for three columns
constexpr double wideFrom = 1600;    ///< of width: room for broad outer columns
constexpr double tallFrom = 850;     ///< of height: room for a timeline under all columns
constexpr double roomyFrom = 600;    ///< of height: room for a timeline beside any page
constexpr double timelineFrom = 490; ///< of height: room for a timeline beside the candidates

} // namespace

Board::Board(StepModel* steps, CandidateModel* candidates, QWidget* parent)
    : QWidget(parent), m_theme(Theme::light()), m_grid(new QGridLayout(this)),
      m_pipeline(new PipelineStrip), m_context(new ContextPanel(steps)),
      m_lines(new RunLines(steps, this)), m_branches(new BranchesPage(m_lines)), m_why(new WhyPage),
      m_draw(new DrawPage), m_numbers(new NumbersPage), m_tokens(new TokensPage),
      m_pages(new StepPages(steps)), m_distribution(new QStackedWidget),
      m_chart(new DistributionChart), m_table(new CandidateTable), m_inspector(new InspectorPanel),
      m_chain(new ChainPage(m_inspector->sampling())), m_timeline(new Timeline)
{
    // The columns change with the size of the window, so their widths must not limit it.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_chart->setModel(candidates);
    m_table->setModel(candidates);
    m_timeline->setModel(steps);
    m_distribution->addWidget(m_chart);
    m_distribution->addWidget(m_table);
    m_pages->addPage(tr("Candidates"), tr("The most probable next tokens"), m_distribution);
    m_pages->addPage(tr("Why"), tr("How this token came, from text to text, in numbers"), m_why);
    m_pages->addPage(tr("Chain"),
                     tr("The stages between softmax and pick, to be switched and moved"), m_chain);
    m_pages->addPage(tr("Draw"), tr("The bar of probabilities and the random number on it"),
                     m_draw);
    m_pages->addPage(tr("Numbers"), tr("Log-probability, entropy, perplexity and their formulas"),
                     m_numbers);
    m_pages->addPage(tr("Tokens"), tr("Find any token, and follow some over the steps"), m_tokens);
    m_pages->addPage(tr("Branches"), tr("The ways that this run has taken"), m_branches);
    connect(m_pages, &StepPages::pageChanged, this, &Board::arrange);
    connect(m_pipeline, &PipelineStrip::stageActivated, this, &Board::showStage);
    m_grid->addWidget(m_pipeline, 0, 0, 1, 3);
    m_grid->setColumnStretch(1, 1);
    m_grid->setRowStretch(1, 1);
    placeInGrid(false);
}

void Board::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_pipeline->setTheme(theme);
    m_context->setTheme(theme);
    m_chart->setTheme(theme);
    m_table->setTheme(theme);
    m_pages->setTheme(theme);
    m_inspector->setTheme(theme);
    m_timeline->setTheme(theme);
    m_grid->setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(12));
    m_grid->setSpacing(theme.px(12));
    m_pipeline->setFixedHeight(theme.px(112));
    arrange();
}

void Board::showTable(bool table)
{
    m_distribution->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_chart);
    m_pages->showPage(m_distribution);
}

/// The page that says most of a part of the pipeline, 1 to 5: the ids and how they became text, any
/// token's logit, the probabilities, the chain, and again the text.
void Board::showStage(int stage)
{
    const std::array<QWidget*, 5> pages = {m_why, m_tokens, m_distribution, m_chain, m_why};
    if (stage >= 1 && stage <= static_cast<int>(pages.size()))
        m_pages->showPage(pages[static_cast<std::size_t>(stage) - 1]);
}

void Board::showInspector(bool shown)
{
    m_showsInspector = shown;
    arrange();
}

void Board::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// Three columns beside each other. In a tall window the timeline runs below all of them; in a
/// shorter one the outer columns need its height. In a small window it gives its room to the page.
void Board::arrange()
{
    const bool narrow = width() < m_theme.px(narrowBelow);
    const bool wide = width() >= m_theme.px(wideFrom);
    const bool tall = height() >= m_theme.px(tallFrom);
    m_context->setFixedWidth(m_theme.px(wide ? 400 : narrow ? 256 : 296));
    m_inspector->setFixedWidth(m_theme.px(wide ? 300 : 252));
    const bool roomy = height() >= m_theme.px(roomyFrom);
    const bool first = m_pages->currentPage() == m_distribution;
    m_timeline->setFixedHeight(m_theme.px(tall ? 190 : roomy ? 142 : 126));
    m_timeline->setVisible(height() >= m_theme.px(first ? timelineFrom : roomyFrom));
    placeInGrid(tall);
    if (narrow == m_isNarrow)
        return;
    m_isNarrow = narrow;
    Q_EMIT narrowChanged(narrow);
}

void Board::placeInGrid(bool isTall)
{
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_context, m_pages, m_inspector, m_timeline})
        m_grid->removeWidget(widget);
    // The middle reaches over the last column while that is hidden, and over the gap before it.
    const int middle = m_showsInspector ? 1 : 2;
    const int sideRows = isTall ? 1 : 2;
    m_grid->addWidget(m_context, 1, 0, sideRows, 1);
    m_grid->addWidget(m_pages, 1, 1, 1, middle);
    if (m_showsInspector)
        m_grid->addWidget(m_inspector, 1, 2, sideRows, 1);
    if (isTall)
        m_grid->addWidget(m_timeline, 2, 0, 1, 3);
    else
        m_grid->addWidget(m_timeline, 2, 1, 1, middle);
    m_inspector->setVisible(m_showsInspector);
}

} // namespace ui
