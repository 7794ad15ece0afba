#include "ui/checks/CheckActions.h"

#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ui {
namespace {

QAction* makeAction(QWidget* window, const QString& text, const QString& toolTip,
                    const QKeySequence& key)
{
    auto* action = new QAction(text, window);
    action->setShortcut(key);
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(toolTip, key.toString(QKeySequence::NativeText)));
    window->addAction(action);
    return action;
}

} // namespace

CheckActions::CheckActions(QWidget* window)
    : QObject(window),
      check(makeAction(window, tr("Does it come out the &same?…"),
                       tr("Makes this run several times and compares them to the bit"),
                       Qt::CTRL | Qt::Key_K)),
      fan(makeAction(window, tr("&Fan of seeds…"),
                     tr("Many seeds of these settings over the greedy text"), Qt::CTRL | Qt::Key_E))
{
    setHasRun(false);
}

void CheckActions::fillMenuBar(QMenuBar* bar) const
{
    for (QAction* menu : bar->actions())
        if (menu->text().remove(QLatin1Char('&')) == tr("Run") && menu->menu()) {
            menu->menu()->addSeparator();
            menu->menu()->addActions({check, fan});
        }
}

void CheckActions::setHasRun(bool hasRun)
{
    check->setEnabled(hasRun);
    fan->setEnabled(hasRun);
}

} // namespace ui
