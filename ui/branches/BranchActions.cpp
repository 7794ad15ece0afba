#include "ui/branches/BranchActions.h"

#include "ui/branches/RunLines.h"

#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ui {
namespace {

QAction* makeAction(QWidget* window, const QString& text, const QString& toolTip,
                    const QList<QKeySequence>& keys)
{
    auto* action = new QAction(text, window);
    action->setShortcuts(keys);
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(toolTip, keys.first().toString(QKeySequence::NativeText)));
    action->setAutoRepeat(false);
    window->addAction(action);
    return action;
}

} // namespace

BranchActions::BranchActions(RunLines* lines, QWidget* window)
    : QObject(window),
      undo(makeAction(window, tr("&Undo branch"), tr("Back to the branch before this one"),
                      {Qt::CTRL | Qt::Key_Z})),
      redo(makeAction(window, tr("&Redo branch"), tr("Forward to the branch left by undo"),
                      {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y})),
      tryAgain(makeAction(window, tr("Try &again"),
                          tr("The same run with the next seed; this one is kept as a branch"),
                          {Qt::Key_A})),
      m_lines(lines)
{
    connect(undo, &QAction::triggered, lines, &RunLines::undo);
    connect(redo, &QAction::triggered, lines, &RunLines::redo);
    connect(lines, &RunLines::changed, this, &BranchActions::refresh);
    refresh();
    tryAgain->setEnabled(false);
}

void BranchActions::refresh()
{
    undo->setEnabled(m_inView && m_lines->canUndo());
    redo->setEnabled(m_inView && m_lines->canRedo());
}

void BranchActions::setInView(bool inView)
{
    m_inView = inView;
    refresh();
}

void BranchActions::fillMenuBar(QMenuBar* bar) const
{
    const QList<QAction*> menus = bar->actions();
    auto* edit = new QMenu(tr("&Edit"), bar);
    edit->addActions({undo, redo});
    bar->insertMenu(menus.value(1), edit);
    if (QAction* run = menus.value(1); run && run->menu())
        run->menu()->addAction(tryAgain);
}

} // namespace ui
