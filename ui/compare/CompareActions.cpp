#include "ui/compare/CompareActions.h"

#include "ui/Icons.h"
#include "ui/WindowActions.h"
#include "ui/compare/CompareBoard.h"

#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ui {

CompareActions::CompareActions(const WindowActions& actions, CompareBoard* board, QWidget* window)
    : QObject(window), compare(new QAction(tr("&Compare runs"), window)),
      compareTraces(new QAction(tr("&Compare traces…"), window)), m_actions(actions),
      m_board(board), m_theme(Theme::light())
{
    compare->setIconText(tr("Compare"));
    compare->setShortcut(Qt::Key_C);
    compare->setToolTip(tr("Two to four runs beside each other (%1)")
                            .arg(compare->shortcut().toString(QKeySequence::NativeText)));
    compare->setCheckable(true);
    compare->setAutoRepeat(false);
    compareTraces->setIconText(tr("Compare traces"));
    compareTraces->setToolTip(tr("Two to four recorded runs beside each other"));
    window->addAction(compare);
    window->addAction(compareTraces);
    connect(compare, &QAction::toggled, this, [this] { setTheme(m_theme); });
    connect(m_board->model(), &CompareModel::runsChanged, this, &CompareActions::refresh);
    connectBoard();
    refresh();
}

void CompareActions::connectBoard()
{
    const auto forward = [this](const QAction* action, void (CompareBoard::*signal)(), bool idle) {
        connect(action, &QAction::triggered, m_board, [this, signal, idle] {
            if (isComparing() && !(idle && m_board->state().isRunning))
                Q_EMIT(m_board->*signal)();
        });
    };
    forward(m_actions.step, &CompareBoard::stepRequested, true);
    forward(m_actions.back, &CompareBoard::backRequested, true);
    forward(m_actions.toEnd, &CompareBoard::toEndRequested, true);
    forward(m_actions.reset, &CompareBoard::resetRequested, false);
    forward(m_actions.stop, &CompareBoard::stopRequested, false);
    connect(m_actions.play, &QAction::triggered, m_board, [this] {
        if (isComparing())
            Q_EMIT m_board->playToggled(!m_board->state().isPlaying);
    });
}

void CompareActions::setCanCompare(bool can)
{
    m_canCompare = can;
    refresh();
}

void CompareActions::refresh()
{
    compare->setEnabled(m_canCompare || !m_board->model()->isEmpty());
}

void CompareActions::fillMenuBar(QMenuBar* bar) const
{
    for (const QAction* entry : bar->actions()) {
        QMenu* menu = entry->menu();
        if (menu == nullptr)
            continue;
        const QList<QAction*> actions = menu->actions();
        if (const auto at = actions.indexOf(m_actions.openTrace); at >= 0)
            menu->insertAction(actions.value(at + 1), compareTraces);
        if (actions.contains(m_actions.candidateTable)) {
            menu->addSeparator();
            menu->addAction(compare);
        }
    }
}

void CompareActions::setTheme(const Theme& theme)
{
    m_theme = theme;
    compare->setIcon(tintedIcon(QStringLiteral("compare"), theme,
                                compare->isChecked() ? theme.accent : theme.text));
    compare->setIconVisibleInMenu(false);
}

} // namespace ui
