#include "ui/WindowActions.h"

#include "ui/Icons.h"

#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ui {
namespace {

QAction* makeAction(QWidget* window, const QString& text, const QString& shortText,
                    const QString& toolTip, const QList<QKeySequence>& keys)
{
    auto* action = new QAction(text, window);
    action->setIconText(shortText);
    action->setShortcuts(keys);
    const QString key =
        keys.isEmpty() ? QString() : keys.first().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? toolTip : QStringLiteral("%1 (%2)").arg(toolTip, key));
    window->addAction(action);
    return action;
}

} // namespace

WindowActions::WindowActions(QWidget* window)
    : QObject(window),
      openModel(makeAction(window, tr("&Open model…"), tr("Open…"),
                           tr("Open a model file or folder"), {QKeySequence::Open})),
      openFolder(makeAction(window, tr("Open model &folder…"), tr("Open folder…"),
                            tr("Open a Hugging Face folder"), {Qt::CTRL | Qt::SHIFT | Qt::Key_F})),
      openTrace(makeAction(window, tr("Open &trace…"), tr("Open trace…"), tr("Open a recorded run"),
                           {Qt::CTRL | Qt::SHIFT | Qt::Key_O})),
      saveTrace(makeAction(window, tr("&Save trace…"), tr("Save trace"),
                           tr("Save this run with all its values"), {QKeySequence::Save})),
      modelInfo(makeAction(window, tr("Model &information…"), tr("Model information"),
                           tr("What the open model is"), {Qt::CTRL | Qt::Key_I})),
      quit(makeAction(window, tr("&Quit"), tr("Quit"), tr("Close the window"),
                      {Qt::CTRL | Qt::Key_Q})),
      step(makeAction(window, tr("&Step"), tr("Step"), tr("Go on by one token"),
                      {Qt::Key_Space, Qt::Key_Right})),
      back(makeAction(window, tr("&Back"), tr("Back"), tr("Go back by one token"), {Qt::Key_Left})),
      play(makeAction(window, tr("&Play"), tr("Play"), tr("Step on by itself"), {Qt::Key_P})),
      reset(makeAction(window, tr("&Reset"), tr("Reset"), tr("Go back to the prompt"),
                       {Qt::Key_R, Qt::Key_Home})),
      toEnd(makeAction(window, tr("Step to &end"), tr("To end"), tr("Go on until the run ends"),
                       {Qt::Key_End})),
      stop(makeAction(window, tr("S&top"), tr("Stop"), tr("Stop what is running"),
                      {Qt::Key_Escape})),
      toggleRule(makeAction(window, tr("&Greedy or sample"), tr("Greedy or sample"),
                            tr("Switch the decoding rule"), {Qt::Key_G})),
      toggleTheme(makeAction(window, tr("&Dark theme"), tr("Theme"), tr("Dark or light theme"),
                             {Qt::Key_T})),
      candidateTable(makeAction(window, tr("&Candidate table"), tr("Table"),
                                tr("Show the candidates as a table"), {Qt::CTRL | Qt::Key_T})),
      inspector(makeAction(window, tr("Decoding &panel"), tr("Settings"),
                           tr("Show the decoding settings"), {Qt::CTRL | Qt::Key_D})),
      largerText(makeAction(window, tr("&Larger text"), tr("Larger"), tr("Larger text"),
                            {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal})),
      smallerText(makeAction(window, tr("&Smaller text"), tr("Smaller"), tr("Smaller text"),
                             {Qt::CTRL | Qt::Key_Minus})),
      normalText(makeAction(window, tr("&Normal text"), tr("Normal"), tr("Normal text size"),
                            {Qt::CTRL | Qt::Key_0})),
      keyboardHelp(
          makeAction(window, tr("&Keyboard"), tr("Keyboard"), tr("All keys"), {Qt::Key_F1})),
      about(makeAction(window, tr("&About Tokenscope"), tr("About"), tr("About this program"), {}))
{
    for (QAction* once : {play, reset, toEnd, stop, toggleRule, toggleTheme})
        once->setAutoRepeat(false);
    candidateTable->setCheckable(true);
    inspector->setCheckable(true);
    inspector->setChecked(true);
    toggleTheme->setCheckable(true);
    quit->setMenuRole(QAction::QuitRole);
    about->setMenuRole(QAction::AboutRole);
}

void WindowActions::fillMenuBar(QMenuBar* bar) const
{
    QMenu* file = bar->addMenu(tr("&File"));
    file->addActions({openModel, openFolder, openTrace, saveTrace});
    file->addSeparator();
    file->addAction(modelInfo);
    file->addSeparator();
    file->addAction(quit);
    QMenu* run = bar->addMenu(tr("&Run"));
    run->addActions({step, back, play, toEnd, reset, stop});
    run->addSeparator();
    run->addAction(toggleRule);
    QMenu* view = bar->addMenu(tr("&View"));
    view->addActions({toggleTheme, candidateTable, inspector});
    view->addSeparator();
    view->addActions({largerText, smallerText, normalText});
    QMenu* help = bar->addMenu(tr("&Help"));
    help->addActions({keyboardHelp, about});
}

void WindowActions::setTheme(const Theme& theme)
{
    m_theme = theme;
    reset->setIcon(tintedIcon(QStringLiteral("reset"), theme));
    back->setIcon(tintedIcon(QStringLiteral("back"), theme));
    step->setIcon(tintedIcon(QStringLiteral("step"), theme, theme.accentText));
    toEnd->setIcon(tintedIcon(QStringLiteral("to-end"), theme));
    stop->setIcon(tintedIcon(QStringLiteral("stop"), theme));
    openModel->setIcon(tintedIcon(QStringLiteral("open"), theme));
    saveTrace->setIcon(tintedIcon(QStringLiteral("save"), theme));
    inspector->setIcon(tintedIcon(QStringLiteral("sliders"), theme));
    toggleTheme->setIcon(
        tintedIcon(theme.isDark ? QStringLiteral("sun") : QStringLiteral("moon"), theme));
    toggleTheme->setChecked(theme.isDark);
    refreshPlayIcon();
    // Menus of a desktop program show no pictures beside words that need none.
    for (QAction* action :
         {reset, back, step, toEnd, stop, openModel, saveTrace, inspector, toggleTheme, play})
        action->setIconVisibleInMenu(false);
}

void WindowActions::setState(const WindowState& state)
{
    const bool idle = !state.isRunning && !state.isPlaying && !state.isLoading;
    const bool hasNext = state.canStep || state.selected + 1 < state.stepCount || state.isAtPrompt;
    step->setEnabled(idle && hasNext);
    toEnd->setEnabled(idle && hasNext);
    back->setEnabled(idle && (state.selected > 0 || state.isAtPrompt));
    reset->setEnabled(!state.isLoading && state.stepCount > 0);
    play->setEnabled(state.isPlaying || (!state.isLoading && !state.isRunning && hasNext));
    stop->setEnabled(state.isRunning || state.isPlaying || state.isLoading);
    saveTrace->setEnabled(idle && state.hasRun);
    toggleRule->setEnabled(state.hasModel && !state.isTrace && !state.isLoading);
    candidateTable->setEnabled(state.hasModel || state.hasRun);
    modelInfo->setEnabled(state.hasModel || state.hasRun);
    inspector->setEnabled(state.hasModel || state.hasRun);

    if (state.isPlaying == m_isPlaying)
        return;
    m_isPlaying = state.isPlaying;
    refreshPlayIcon();
    play->setText(state.isPlaying ? tr("&Pause") : tr("&Play"));
    play->setIconText(state.isPlaying ? tr("Pause") : tr("Play"));
}

void WindowActions::refreshPlayIcon()
{
    play->setIcon(
        tintedIcon(m_isPlaying ? QStringLiteral("pause") : QStringLiteral("play"), m_theme));
}

} // namespace ui
