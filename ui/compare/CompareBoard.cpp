#include "ui/compare/CompareBoard.h"

#include "ui/compare/AlignmentRibbon.h"
#include "ui/compare/CompareBar.h"
#include "ui/compare/PartingText.h"
#include "ui/compare/RunPane.h"
#include "ui/compare/RunSettingsPopup.h"
#include "ui/compare/SettingChips.h"
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
      m_viewNote(new QLabel), m_bar(new CompareBar(m_model)),
      m_settings(new RunSettingsPopup(this)), m_ribbon(new AlignmentRibbon(m_model)),
      m_ribbonCard(new QFrame), m_column(new QVBoxLayout(this)), m_paneRow(new QHBoxLayout)
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
    head->addWidget(m_bar);
    auto* card = new QVBoxLayout(m_ribbonCard);
    card->addLayout(head);
    card->addWidget(m_reason);
    card->addWidget(m_ribbon);
    m_viewNote->setProperty("role", QStringLiteral("note"));
    m_viewNote->setTextFormat(Qt::PlainText);
    m_viewNote->setWordWrap(true);
    m_viewNote->hide();
    m_column->addWidget(m_ribbonCard);
    m_column->addWidget(m_viewNote);
    m_column->addLayout(m_paneRow, 1);

    m_fitLater.setSingleShot(true);
    m_fitLater.setInterval(0);
    connect(&m_fitLater, &QTimer::timeout, this, &CompareBoard::showStep);
    connect(m_model, &CompareModel::runsChanged, this, &CompareBoard::showRuns);
    connect(m_model, &CompareModel::stepsChanged, this, &CompareBoard::showText);
    connect(m_model, &CompareModel::cursorChanged, this, &CompareBoard::showStep);
    connect(m_model, &CompareModel::contextViewChanged, this, &CompareBoard::fitPanes);
    connect(m_model, &CompareModel::shownStepsChanged, this, &CompareBoard::showStep);
    connect(m_settings, &RunSettingsPopup::samplingChanged, this, &CompareBoard::samplingChanged);
    connect(m_settings, &RunSettingsPopup::maxNewTokensChanged, this,
            &CompareBoard::maxNewTokensChanged);
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
    m_bar->setTheme(theme);
    m_settings->setTheme(theme);
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

void CompareBoard::setLive(bool isLive, bool canRun)
{
    m_isLive = isLive;
    m_canRun = canRun;
    m_bar->setPossible(isLive, canRun);
    for (RunPane* pane : m_panes)
        pane->showRun(m_isLive);
}

void CompareBoard::setElsewhereFault(int run, const QString& why)
{
    if (run < paneCount())
        pane(run)->setElsewhereFault(why);
}

void CompareBoard::editSettings(int run)
{
    const engine::Run& shown = m_model->run(run);
    const SettingChips* chips = pane(run)->chips();
    m_settings->open(run, shown.settings, shown.model.vocabularySize,
                     chips->mapToGlobal(QPoint(0, chips->height() + m_theme.px(4))));
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

QString CompareBoard::viewText() const
{
    return m_viewNote->text();
}

QString CompareBoard::keysText() const
{
    return tr("Space step all    ← back    P play    C single run    F1 keys");
}

QString CompareBoard::statusText() const
{
    if (m_model->cursor() < 0)
        return tr("No step yet");
    return tr("Step %1 of %2   ·   %3 runs")
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
        const int run = static_cast<int>(m_panes.size());
        auto* pane = new RunPane(m_model, run);
        pane->setTheme(m_theme);
        connect(pane, &RunPane::chartResized, &m_fitLater, qOverload<>(&QTimer::start));
        connect(pane, &RunPane::editRequested, this, [this, run] { editSettings(run); });
        connect(pane, &RunPane::modelRequested, this, [this, run] { Q_EMIT modelRequested(run); });
        connect(pane, &RunPane::removeRequested, this,
                [this, run] { Q_EMIT removeRequested(run); });
        m_paneRow->addWidget(pane, 1);
        m_panes.push_back(pane);
    }
}

void CompareBoard::showRuns()
{
    makePanes();
    for (RunPane* pane : m_panes) {
        pane->showRun(m_isLive);
        pane->setRemovable(m_isLive && paneCount() > CompareModel::leastRuns);
    }
    showText();
    fitPanes();
}

void CompareBoard::showText()
{
    m_subtitle->setText(m_model->isEmpty() ? QString() : commonText(*m_model));
    m_reason->setText(reasons(*m_model));
    showStep();
}

void CompareBoard::showStep()
{
    std::vector<const engine::Step*> steps;
    int limit = UnionChart::rowsThatFit(1e4, m_theme);
    for (int run = 0; run < m_model->count(); ++run) {
        steps.push_back(m_model->shownStep(run));
        limit = std::min(limit, UnionChart::rowsThatFit(pane(run)->chart()->height(), m_theme));
    }
    const bool isOnFirst = m_model->contextView() == ContextView::First;
    m_viewNote->setVisible(isOnFirst);
    m_viewNote->setText(isOnFirst ? tr("On A’s context: what each run’s settings, or model, make "
                                       "of what A had read at step %1. This is not what B and the "
                                       "others did; their own steps are above.")
                                        .arg(m_model->cursor())
                                  : QString());
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
        // Beside what did not happen, the text that did would mislead.
        pane->setTextLines(m_model->contextView() == ContextView::First ? 0 : lines);
    }
}

void CompareBoard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitPanes();
}

} // namespace ui
