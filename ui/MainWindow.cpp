#include "ui/MainWindow.h"

#include "ui/Banner.h"
#include "ui/Board.h"
#include "ui/CandidateModel.h"
#include "ui/CandidateTable.h"
#include "ui/ContextPanel.h"
#include "ui/DistributionChart.h"
#include "ui/HelpDialogs.h"
#include "ui/InspectorPanel.h"
#include "ui/ModelInfoDialog.h"
#include "ui/PipelineStrip.h"
#include "ui/PromptPanel.h"
#include "ui/SamplingPanel.h"
#include "ui/ShortcutGuard.h"
#include "ui/StatusLine.h"
#include "ui/StepFactsPanel.h"
#include "ui/Timeline.h"
#include "ui/TokenStrip.h"
#include "ui/TopBar.h"
#include "ui/WelcomePage.h"
#include "ui/branches/BranchActions.h"
#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareBoard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QStringList>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace ui {
namespace {

/// A step that is over sooner does not grey out the buttons: they would only flicker.
constexpr std::chrono::milliseconds busyDelay{150};

constexpr double smallestScale = 0.8;
constexpr double largestScale = 1.6;

QString singleLocalFile(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

QString fromUtf8(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_fileDialogs(this), m_actions(new WindowActions(this)),
      m_candidates(new CandidateModel(this)), m_topBar(new TopBar(m_actions)), m_banner(new Banner),
      m_warnings(new Banner), m_pages(new QStackedWidget),
      m_welcome(new WelcomePage(m_actions->openModel, m_actions->openTrace)),
      m_board(new Board(&m_steps, m_candidates)), m_compare(new CompareBoard),
      m_statusLine(new StatusLine)
{
    setWindowTitle(QStringLiteral("Tokenscope"));
    setAcceptDrops(true);
    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(busyDelay);
    connect(&m_busyTimer, &QTimer::timeout, this, &MainWindow::applyState);

    buildLayout();
    connectActions();
    connectPanels();
    connectSteps();
    connectCompare();
    setTheme(Theme::light());
    setMinimumSize(960, 640);
    resize(1280, 800);
    applyState();
    refreshStep();
    // Else the first control would have it, and Space or an arrow would be for that one.
    centralWidget()->setFocus();
}

void MainWindow::buildLayout()
{
    m_branchActions = new BranchActions(m_board->lines(), this);
    m_actions->fillMenuBar(menuBar());
    m_branchActions->fillMenuBar(menuBar());
    m_compareActions = new CompareActions(*m_actions, m_compare, this);
    m_compareActions->fillMenuBar(menuBar());
    m_topBar->insertButton(m_compareActions->compare, m_actions->openModel);
    m_pages->addWidget(m_welcome);
    m_pages->addWidget(m_board);
    m_pages->addWidget(m_compare);

    auto* central = new QWidget;
    central->setProperty("surface", QStringLiteral("window"));
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_topBar);
    column->addWidget(m_banner);
    column->addWidget(m_warnings);
    column->addWidget(m_pages, 1);
    column->addWidget(m_statusLine);
    setCentralWidget(central);

    m_topBar->setInspectorButtonVisible(false);
    connect(m_board, &Board::narrowChanged, this, [this](bool narrow) {
        m_actions->inspector->setChecked(!narrow);
        m_topBar->setInspectorButtonVisible(narrow);
    });
}

void MainWindow::connectActions()
{
    const WindowActions& a = *m_actions;
    // Greyed-out buttons lag behind a running step, so the step itself decides.
    const auto forward = [this](void (MainWindow::*signal)(), bool onlyWhenIdle) {
        return [this, signal, onlyWhenIdle] {
            if (!isComparing() && !(onlyWhenIdle && m_state.isRunning))
                Q_EMIT(this->*signal)();
        };
    };
    connect(a.step, &QAction::triggered, this, forward(&MainWindow::stepRequested, true));
    connect(a.back, &QAction::triggered, this, forward(&MainWindow::backRequested, true));
    connect(a.toEnd, &QAction::triggered, this, forward(&MainWindow::stepToEndRequested, true));
    connect(a.reset, &QAction::triggered, this, forward(&MainWindow::resetRequested, false));
    connect(a.stop, &QAction::triggered, this, forward(&MainWindow::stopRequested, false));
    connect(a.play, &QAction::triggered, this, [this] {
        if (!isComparing())
            Q_EMIT playToggled(!m_state.isPlaying);
    });
    connect(a.toggleRule, &QAction::triggered, inspector()->sampling(), &SamplingPanel::toggleRule);
    connect(m_branchActions->tryAgain, &QAction::triggered, this, &MainWindow::tryAgainRequested);
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connectFileActions();
    connectViewActions();
}

void MainWindow::connectFileActions()
{
    const auto unlessCancelled = [this](QString (FileDialogs::*ask)(),
                                        void (MainWindow::*signal)(const QString&)) {
        return [this, ask, signal] {
            const QString path = (m_fileDialogs.*ask)();
            if (!path.isEmpty())
                Q_EMIT(this->*signal)(path);
        };
    };
    connect(m_actions->openModel, &QAction::triggered, this,
            unlessCancelled(&FileDialogs::modelToOpen, &MainWindow::openModelRequested));
    connect(m_actions->openFolder, &QAction::triggered, this,
            unlessCancelled(&FileDialogs::modelFolderToOpen, &MainWindow::openModelRequested));
    connect(m_actions->modelInfo, &QAction::triggered, this, &MainWindow::showModelInfo);
    connect(m_actions->openTrace, &QAction::triggered, this,
            unlessCancelled(&FileDialogs::traceToOpen, &MainWindow::openTraceRequested));
    connect(m_actions->saveTrace, &QAction::triggered, this,
            unlessCancelled(&FileDialogs::traceToSave, &MainWindow::saveTraceRequested));
}

void MainWindow::connectViewActions()
{
    const WindowActions& a = *m_actions;
    connect(a.toggleTheme, &QAction::triggered, this, [this](bool dark) {
        Theme theme = dark ? Theme::dark() : Theme::light();
        theme.scale = m_theme.scale;
        setTheme(theme);
        Q_EMIT themeChanged(dark);
    });
    connect(a.candidateTable, &QAction::toggled, m_board, &Board::showTable);
    connect(a.inspector, &QAction::toggled, m_board, &Board::showInspector);
    connect(a.largerText, &QAction::triggered, this, [this] { changeScale(m_theme.scale + 0.1); });
    connect(a.smallerText, &QAction::triggered, this, [this] { changeScale(m_theme.scale - 0.1); });
    connect(a.normalText, &QAction::triggered, this, [this] { changeScale(1.0); });
    connect(a.keyboardHelp, &QAction::triggered, this,
            [this] { showKeyboardHelp(*menuBar(), this); });
    connect(a.about, &QAction::triggered, this, [this] { showAbout(this); });
}

void MainWindow::connectPanels()
{
    connect(m_topBar, &TopBar::speedChanged, this, &MainWindow::speedChanged);
    connect(context()->prompt(), &PromptPanel::promptSubmitted, this,
            [this](const PromptRequest& prompt) {
                // Out of the editor, so that the next Space is a step.
                centralWidget()->setFocus();
                Q_EMIT promptSubmitted(prompt);
            });
    connect(context()->prompt(), &PromptPanel::renderingRequested, this,
            &MainWindow::renderingRequested);
    connect(inspector()->sampling(), &SamplingPanel::samplingChanged, this,
            &MainWindow::samplingChanged);
    connect(inspector()->sampling(), &SamplingPanel::maxNewTokensChanged, this,
            &MainWindow::maxNewTokensChanged);

    const auto selectStep = [this](int step) {
        m_steps.select(step);
        Q_EMIT stepSelected(step);
    };
    connect(context()->strip(), &TokenStrip::stepActivated, this, selectStep);
    connect(timeline(), &Timeline::stepActivated, this, selectStep);

    const auto force = [this](engine::TokenId id) {
        if (m_state.isAtPrompt)
            showStatus(tr("The prompt's tokens are given; to change one, edit the prompt"));
        else if (m_state.isTrace)
            showStatus(tr("A recorded run cannot be changed"));
        else if (!m_state.isRunning && !m_state.isPlaying)
            Q_EMIT candidateForced(id);
    };
    connect(chart(), &DistributionChart::candidateActivated, this, force);
    connect(table(), &CandidateTable::candidateActivated, this, force);
}

void MainWindow::connectSteps()
{
    connect(&m_steps, &StepModel::runChanged, this, [this] {
        const engine::Run& run = m_steps.run();
        context()->prompt()->setStarted(
            {fromUtf8(run.context.text), run.settings.chat, run.settings.parseSpecial});
        refreshState();
    });
    connect(&m_steps, &StepModel::stepsChanged, this, [this] {
        m_statusLine->showRun(m_steps);
        refreshState();
    });
    connect(&m_steps, &StepModel::selectedChanged, this, [this] {
        // A message is about what was done last, which now is this step.
        m_statusLine->setMessage({});
        refreshStep();
        refreshState();
    });
}

/// The board that is in view decides what stepping means, and another run brings the single one.
void MainWindow::connectCompare()
{
    const auto refresh = [this] {
        if (isComparing())
            m_statusLine->showFigures(m_compare->statusText(), m_compare->keysText());
        else
            m_statusLine->showRun(m_steps);
        applyState();
    };
    connect(m_compare, &CompareBoard::stateChanged, this, refresh);
    connect(m_compareActions->compare, &QAction::toggled, this, refresh);
    connect(&m_steps, &StepModel::runChanged, this,
            [this] { m_compareActions->compare->setChecked(false); });
}

bool MainWindow::isComparing() const
{
    return m_compareActions->isComparing();
}

ContextPanel* MainWindow::context() const
{
    return m_board->context();
}

InspectorPanel* MainWindow::inspector() const
{
    return m_board->inspector();
}

DistributionChart* MainWindow::chart() const
{
    return m_board->chart();
}

CandidateTable* MainWindow::table() const
{
    return m_board->table();
}

PipelineStrip* MainWindow::pipeline() const
{
    return m_board->pipeline();
}

Timeline* MainWindow::timeline() const
{
    return m_board->timeline();
}

double MainWindow::speed() const
{
    return m_topBar->speed();
}

void MainWindow::setModelInfo(const engine::ModelInfo& model,
                              const engine::TokenizerInfo& tokenizer)
{
    m_model = model;
    m_tokenizer = tokenizer;
    // The info of a recorded run has no path; a model that was open before it stays open.
    m_state.hasModel = m_state.hasModel || !model.path.empty();
    m_state.isLoading = false;
    inspector()->sampling()->setVocabularySize(model.vocabularySize);
    clearError();
    m_welcome->showLoading({});
    refreshState();
}

void MainWindow::setModelNotes(const engine::ModelNotes& notes)
{
    constexpr std::size_t mostShown = 3;
    m_notes = notes;
    context()->prompt()->setChatSupport(notes.chat);
    inspector()->sampling()->setSuggestion(notes.sampling);
    QStringList lines;
    if (notes.chat.hasTemplate && !notes.chat.usable && !notes.chat.reason.empty())
        lines << tr("No chat with this model: %1").arg(fromUtf8(notes.chat.reason));
    for (std::size_t i = 0; i < std::min(notes.warnings.size(), mostShown); ++i)
        lines << tr("Warning: %1").arg(fromUtf8(notes.warnings[i]));
    if (notes.warnings.size() > mostShown)
        lines << tr("and %1 more (File, Model information)").arg(notes.warnings.size() - mostShown);
    if (lines.isEmpty())
        m_warnings->dismiss();
    else
        m_warnings->showWarning(lines.join(QLatin1Char('\n')));
    refreshModelInfo();
}

void MainWindow::setFingerprintProgress(double fraction)
{
    m_fingerprintProgress = fraction;
    m_statusLine->setBackgroundWork(tr("Fingerprint %1 %").arg(static_cast<int>(fraction * 100)));
    refreshModelInfo();
}

void MainWindow::setFingerprint(const QString& sha256)
{
    m_model.sha256 = sha256.toStdString();
    m_fingerprintProgress = 0;
    m_statusLine->setBackgroundWork({});
    refreshModelInfo();
}

void MainWindow::showModelInfo()
{
    if (!m_modelDialog) {
        m_modelDialog = new ModelInfoDialog(this);
        refreshModelInfo();
    }
    m_modelDialog->raise();
    m_modelDialog->activateWindow();
}

void MainWindow::refreshModelInfo()
{
    if (!m_modelDialog)
        return;
    const engine::Run& run = m_steps.run();
    const QString progress =
        tr("being computed: %1 %").arg(static_cast<int>(m_fingerprintProgress * 100));
    // Of a recorded run only what the trace holds is known.
    m_modelDialog->show(m_state.isTrace
                            ? modelFacts(run.model, run.tokenizer, {}, tr("not recorded"))
                            : modelFacts(m_model, m_tokenizer, m_notes, progress));
}

ModelInfoDialog* MainWindow::modelDialog() const
{
    return m_modelDialog;
}

void MainWindow::setSampling(const engine::SamplingConfig& sampling)
{
    inspector()->sampling()->setSampling(sampling);
}

void MainWindow::setMaxNewTokens(int count)
{
    inspector()->sampling()->setMaxNewTokens(count);
}

void MainWindow::setPrompt(const PromptRequest& prompt)
{
    context()->prompt()->setRequest(prompt);
}

void MainWindow::showRendering(const PromptRequest& request,
                               const engine::PromptRendering& rendering)
{
    context()->prompt()->showRendering(request, rendering);
}

void MainWindow::showRenderingFault(const PromptRequest& request, const QString& fault)
{
    context()->prompt()->showRenderingFault(request, fault);
}

void MainWindow::setRunning(bool running)
{
    m_state.isRunning = running;
    refreshState();
}

void MainWindow::setPlaying(bool playing)
{
    m_state.isPlaying = playing;
    refreshState();
}

void MainWindow::setCanStep(bool canStep)
{
    m_state.canStep = canStep;
    refreshState();
}

void MainWindow::setTraceMode(bool isTrace)
{
    m_state.isTrace = isTrace;
    refreshState();
    refreshModelInfo();
}

void MainWindow::setSpeed(double stepsPerSecond)
{
    m_topBar->setSpeed(stepsPerSecond);
}

void MainWindow::setTheme(const Theme& theme)
{
    if (theme == m_theme)
        return;
    m_theme = theme;
    setFont(theme.uiFont(13));
    setPalette(theme.palette());
    setStyleSheet(theme.styleSheet());
    QToolTip::setFont(theme.uiFont(12));
    QToolTip::setPalette(theme.palette());

    m_actions->setTheme(theme);
    m_topBar->setTheme(theme);
    m_banner->setTheme(theme);
    m_warnings->setTheme(theme);
    m_board->setTheme(theme);
    m_compareActions->setTheme(theme);
    m_compare->setTheme(theme);
    m_statusLine->setTheme(theme);
}

void MainWindow::showError(const QString& message)
{
    m_state.isLoading = false;
    m_welcome->showLoading({});
    m_banner->showError(message);
    refreshState();
}

void MainWindow::clearError()
{
    m_banner->dismiss();
}

void MainWindow::showLoading(const QString& name)
{
    m_state.isLoading = !name.isEmpty();
    m_welcome->showLoading(name);
    if (m_state.isLoading)
        m_banner->showProgress(tr("Loading %1…").arg(name));
    else if (!m_banner->isError())
        m_banner->dismiss();
    refreshState();
}

void MainWindow::showStatus(const QString& message)
{
    m_statusLine->setMessage(message);
}

/// A step in flight greys out its buttons only when it takes long enough to be noticed; Stop is
/// there at once, and any other change is shown at once.
void MainWindow::refreshState()
{
    m_state.stepCount = m_steps.stepCount();
    m_state.selected = m_steps.selected();
    m_state.isAtPrompt = m_steps.promptPosition().has_value();
    m_state.hasRun = !m_steps.isEmpty() || !m_steps.run().context.tokens.empty();
    WindowState onlyBusy = m_appliedState;
    onlyBusy.isRunning = true;
    if (m_state == onlyBusy && !m_appliedState.isRunning) {
        m_actions->stop->setEnabled(true);
        if (!m_busyTimer.isActive())
            m_busyTimer.start();
    } else {
        m_busyTimer.stop();
        applyState();
    }
}

void MainWindow::applyState()
{
    m_appliedState = m_state;
    // Qt moves the focus on when its button is disabled; it is given back when the step is done.
    QPointer<QWidget> focused = QApplication::focusWidget();
    m_actions->setState(isComparing() ? m_compare->state() : m_state);
    m_branchActions->setInView(!isComparing());
    m_branchActions->setCanTryAgain(m_actions->toggleRule->isEnabled() && m_state.stepCount > 0);
    if (focused && !focused->isEnabled() && m_state.isRunning)
        m_focusBeforeStep = focused;
    else if (m_focusBeforeStep && m_focusBeforeStep->isEnabled() && !m_state.isRunning) {
        m_focusBeforeStep->setFocus();
        m_focusBeforeStep = nullptr;
    }

    const bool hasBoard = m_state.hasModel || m_state.hasRun;
    m_pages->setCurrentIndex(isComparing() ? m_pages->indexOf(m_compare)
                             : hasBoard    ? m_pages->indexOf(m_board)
                                           : m_pages->indexOf(m_welcome));
    const engine::ModelInfo& shown = m_state.isTrace ? m_steps.run().model : m_model;
    const QString text = modelText(shown);
    m_topBar->setModelText(m_state.isTrace && !text.isEmpty() ? tr("Trace of %1").arg(text) : text);
    setWindowTitle(shown.name.empty() ? QStringLiteral("Tokenscope")
                                      : tr("%1 – Tokenscope").arg(fromUtf8(shown.name)));
    PromptPanel* prompt = context()->prompt();
    prompt->setCanStart(m_state.hasModel && !m_state.isLoading);
    prompt->setEditable(m_state.hasModel || !m_state.isTrace);
    context()->strip()->setEmptyText(
        tr("Type a prompt above and press Start. Its tokens appear here."));
    inspector()->sampling()->setAvailability(m_state.isTrace
                                                 ? SamplingPanel::Availability::Recorded
                                                 : SamplingPanel::Availability::Editable);
}

void MainWindow::refreshStep()
{
    const engine::Step* step = m_steps.selectedStep();
    const int recorded = m_steps.run().model.vocabularySize;
    m_candidates->setStep(step);
    pipeline()->showStep(m_steps);
    inspector()->facts()->setStep(step, recorded > 0 ? recorded : m_model.vocabularySize);
    inspector()->sampling()->showStep(step);
    m_statusLine->showRun(m_steps);
}

void MainWindow::changeScale(double factor)
{
    Theme theme = m_theme;
    theme.scale = std::clamp(factor, smallestScale, largestScale);
    setTheme(theme);
    Q_EMIT textScaleChanged(theme.scale);
}

bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (keepsKey(QApplication::focusWidget(), *key)) {
            key->accept();
            return true;
        }
    }
    return QMainWindow::event(event);
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    // Space belongs to the step, so Enter is what presses a focused button.
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
    if (isEnter && button && button->isEnabled() && isAncestorOf(button))
        button->click();
    else if (event->key() == Qt::Key_Escape && m_banner->isError())
        clearError();
    else if (event->key() == Qt::Key_Escape && isComparing())
        m_compareActions->compare->setChecked(false);
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!singleLocalFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString path = singleLocalFile(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    Q_EMIT fileOpenRequested(path);
}

} // namespace ui
