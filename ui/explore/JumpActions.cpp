#include "ui/explore/JumpActions.h"

#include "ui/StepModel.h"

#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <algorithm>

namespace ui {
namespace {

QAction* makeAction(QWidget* window, const QString& text, const QString& toolTip,
                    const QKeySequence& key)
{
    auto* action = new QAction(text, window);
    action->setShortcut(key);
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(toolTip, key.toString(QKeySequence::NativeText)));
    action->setStatusTip(toolTip);
    window->addAction(action);
    return action;
}

} // namespace

JumpActions::JumpActions(StepModel* steps, QWidget* window)
    : QObject(window),
      nextUncertain(makeAction(window, tr("Next &uncertain step"),
                               tr("To the next step as undecided as between 4 equally likely "
                                  "tokens, an entropy of 2 bit, or more"),
                               Qt::Key_U)),
      previousUncertain(makeAction(window, tr("Previous u&ncertain step"),
                                   tr("Back to the last step with an entropy of 2 bit or more"),
                                   Qt::SHIFT | Qt::Key_U)),
      nextNotArgmax(makeAction(window, tr("Next pick that is not the arg&max"),
                               tr("To the next step where a token was picked that was not the "
                                  "most probable"),
                               Qt::Key_N)),
      previousNotArgmax(makeAction(window, tr("Previous pick that is not the a&rgmax"),
                                   tr("Back to the last step where a token was picked that was "
                                      "not the most probable"),
                                   Qt::SHIFT | Qt::Key_N)),
      toStep(makeAction(window, tr("Run to s&tep…"),
                        tr("To a step by its number; those that are missing are made"),
                        Qt::CTRL | Qt::Key_G)),
      m_steps(steps), m_window(window)
{
    connect(nextUncertain, &QAction::triggered, this, [this] { jump(JumpTo::Uncertain, 1); });
    connect(previousUncertain, &QAction::triggered, this, [this] { jump(JumpTo::Uncertain, -1); });
    connect(nextNotArgmax, &QAction::triggered, this, [this] { jump(JumpTo::NotArgmax, 1); });
    connect(previousNotArgmax, &QAction::triggered, this, [this] { jump(JumpTo::NotArgmax, -1); });
    connect(toStep, &QAction::triggered, this, &JumpActions::askForStep);
    connect(steps, &StepModel::runChanged, this, &JumpActions::refresh);
    connect(steps, &StepModel::stepsChanged, this, &JumpActions::refresh);
    refresh();
}

void JumpActions::setInView(bool inView)
{
    m_inView = inView;
    refresh();
}

void JumpActions::refresh()
{
    for (QAction* action :
         {nextUncertain, previousUncertain, nextNotArgmax, previousNotArgmax, toStep})
        action->setEnabled(m_inView && !m_steps->isEmpty());
}

void JumpActions::fillMenuBar(QMenuBar* bar) const
{
    // The menu with the step: the one before "View".
    const QList<QAction*> menus = bar->actions();
    QMenu* run = nullptr;
    for (QAction* menu : menus)
        if (menu->text().remove(QLatin1Char('&')) == tr("Run"))
            run = menu->menu();
    if (!run)
        return;
    run->addSeparator();
    run->addActions({nextUncertain, previousUncertain, nextNotArgmax, previousNotArgmax, toStep});
}

void JumpActions::jump(JumpTo target, int direction)
{
    const auto found = findStep(m_steps->run(), m_steps->selected(), direction, target);
    if (found) {
        Q_EMIT stepWanted(*found);
        return;
    }
    const QString what = target == JumpTo::Uncertain
                             ? tr("has an entropy of 2 bit or more")
                             : tr("picked another token than the most probable");
    Q_EMIT nothingFound(direction > 0 ? tr("No later step, of those made, %1").arg(what)
                                      : tr("No earlier step %1").arg(what));
}

void JumpActions::askForStep()
{
    const int last = std::max(m_steps->stepCount() - 1, 0);
    const int most = std::max(last, m_steps->run().settings.maxNewTokens - 1);
    bool accepted = false;
    const int step =
        QInputDialog::getInt(m_window, tr("Run to step"), tr("Step, from 0 to %1:").arg(most), last,
                             0, most, 1, &accepted);
    if (accepted)
        Q_EMIT stepWanted(step);
}

} // namespace ui
