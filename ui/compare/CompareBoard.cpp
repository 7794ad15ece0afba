#include "ui/compare/CompareBoard.h"

#include "ui/compare/AlignmentRibbon.h"
#include "ui/compare/PartingText.h"
#include "ui/compare/RunPane.h"
#include "ui/compare/UnionChart.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

// Of the panes' height, in px at 100 %: room for the runs' texts.
constexpr double textFrom = 330;
constexpr double longTextFrom = 480;

QString commonText(const CompareModel& model)
{
    if (!model.sameContext())
        return CompareBoard::tr("different prompts");
    const int shared = model.comparison().sharedSteps;
    if (shared == 0)
        return CompareBoard::tr("same prompt · no generated token in common");
    return shared == 1
               ? CompareBoard::tr("same prompt · 1 generated token in common")
               : CompareBoard::tr("same prompt · %1 generated tokens in common").arg(shared);
}

/// A line for each run that is not the first.
QString reasons(const CompareModel& model)
{
    QStringList lines;
    for (int run = 1; run < model.count(); ++run) {
        const auto& parting = model.compared(run).parting;
        const QString why =
            parting ? partingText(*parting, run) : CompareBoard::tr("the same tokens as A so far");
        lines << (model.count() == 2 ? why : CompareBoard::tr("%1   %2").arg(runLetter(run), why));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

CompareBoard::CompareBoard(QWidget* parent)
    : QWidget(parent), m_theme(Theme::light()), m_model(new CompareModel(this)),
      m_title(new QLabel(tr("Alignment"))), m_subtitle(new QLabel), m_reason(new QLabel),
      m_ribbon(new AlignmentRibbon(m_model)), m_ribbonCard(new QFrame),
      m_column(new QVBoxLayout(this)), m_paneRow(new QHBoxLayout)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_ribbonCard->setProperty("card", true);
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    m_subtitle->setProperty("role", QStringLiteral("secondary"));
    m_reason->setProperty("role", QStringLiteral("reason"));
    m_reason->setTextFormat(Qt::PlainText);
    m_reason->setWordWrap(true);
    m_reason->setAccessibleName(tr("Where the runs part, and why"));

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_subtitle);
    head->addStretch(1);
    auto* card = new QVBoxLayout(m_ribbonCard);
    card->addLayout(head);
    card->addWidget(m_reason);
    card->addWidget(m_ribbon);
    m_column->addWidget(m_ribbonCard);
    m_column->addLayout(m_paneRow, 1);

    m_fitLater.setSingleShot(true);
    m_fitLater.setInterval(0);
    connect(&m_fitLater, &QTimer::timeout, this, &CompareBoard::showStep);
    connect(m_model, &CompareModel::runsChanged, this, &CompareBoard::showRuns);
    connect(m_model, &CompareModel::cursorChanged, this, &CompareBoard::showStep);
    connect(m_ribbon, &AlignmentRibbon::stepActivated, this, [this](int step) {
        m_model->select(step);
        Q_EMIT stepSelected(step);
    });
    setTheme(Theme::light());
}

void CompareBoard::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_column->setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(12));
    m_column->setSpacing(theme.px(12));
    m_paneRow->setSpacing(theme.px(12));
    QLayout* card = m_ribbonCard->layout();
    card->setContentsMargins(theme.px(16), theme.px(10), theme.px(16), theme.px(6));
    card->setSpacing(theme.px(4));
    card->itemAt(0)->layout()->setSpacing(theme.px(10));
    m_ribbon->setTheme(theme);
    for (RunPane* pane : m_panes)
        pane->setTheme(theme);
    fitPanes();
}

void CompareBoard::setVerdictWidget(QWidget* widget)
{
    delete m_verdict;
    m_verdict = widget;
    m_column->insertWidget(m_column->indexOf(m_ribbonCard) + 1, widget);
}

void CompareBoard::setLive(bool isLive)
{
    m_isLive = isLive;
    for (RunPane* pane : m_panes)
        pane->showRun(m_isLive);
}

void CompareBoard::setProgress(bool isRunning, bool isPlaying, bool canStep)
{
    m_state.isRunning = isRunning;
    m_state.isPlaying = isPlaying;
    m_state.canStep = canStep;
    refreshState();
}

void CompareBoard::refreshState()
{
    m_state.stepCount = m_model->stepCount();
    m_state.selected = m_model->cursor();
    m_state.isTrace = true; // nothing of the single run can be changed from here
    Q_EMIT stateChanged();
}

QString CompareBoard::reasonText() const
{
    return m_reason->text();
}

QString CompareBoard::statusText() const
{
    if (m_model->cursor() < 0)
        return tr("No step yet");
    return tr("Step %1 of %2 in all %3 runs")
        .arg(m_model->cursor())
        .arg(m_model->stepCount() - 1)
        .arg(m_model->count());
}

QString CompareBoard::subtitleText() const
{
    return m_subtitle->text();
}

void CompareBoard::makePanes()
{
    const auto wanted = static_cast<std::size_t>(m_model->count());
    while (m_panes.size() > wanted) {
        delete m_panes.back();
        m_panes.pop_back();
    }
    while (m_panes.size() < wanted) {
        auto* pane = new RunPane(m_model, static_cast<int>(m_panes.size()));
        pane->setTheme(m_theme);
        connect(pane, &RunPane::chartResized, &m_fitLater, qOverload<>(&QTimer::start));
        m_paneRow->addWidget(pane, 1);
        m_panes.push_back(pane);
    }
}

void CompareBoard::showRuns()
{
    makePanes();
    m_subtitle->setText(m_model->isEmpty() ? QString() : commonText(*m_model));
    m_reason->setText(reasons(*m_model));
    for (RunPane* pane : m_panes)
        pane->showRun(m_isLive);
    fitPanes();
    showStep();
}

void CompareBoard::showStep()
{
    std::vector<const engine::Step*> steps;
    int limit = UnionChart::rowsThatFit(1e4, m_theme);
    for (int run = 0; run < m_model->count(); ++run) {
        steps.push_back(m_model->step(run));
        limit = std::min(limit, UnionChart::rowsThatFit(pane(run)->chart()->height(), m_theme));
    }
    const UnionRows rows = UnionRows::of(steps, limit);
    for (RunPane* pane : m_panes)
        pane->showStep(rows);
    refreshState();
}

/// Equal room for the chips in all panes, so that their bars stand at the same height, and the text
/// where there is room for it.
void CompareBoard::fitPanes()
{
    if (m_panes.empty())
        return;
    m_column->activate();
    const int count = static_cast<int>(m_panes.size());
    const QMargins margins = m_column->contentsMargins();
    const int room =
        width() - margins.left() - margins.right() - (count - 1) * m_paneRow->spacing();
    int chips = 0;
    for (const RunPane* pane : m_panes)
        chips = std::max(chips, pane->chipsHeightFor(room / count));
    const int height = m_paneRow->geometry().height();
    const int lines = height >= m_theme.px(longTextFrom) ? 4
                      : height >= m_theme.px(textFrom)   ? 2
                                                         : 0;
    for (RunPane* pane : m_panes) {
        pane->setChipsHeight(chips);
        pane->setTextLines(lines);
    }
}

void CompareBoard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitPanes();
}

} // namespace ui
