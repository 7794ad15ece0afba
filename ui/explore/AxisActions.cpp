#include "ui/explore/AxisActions.h"

#include "ui/DistributionChart.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ui {
namespace {

QAction* makeAction(QWidget* window, const QString& text, const QKeySequence& key = {})
{
    auto* action = new QAction(text, window);
    action->setShortcut(key);
    window->addAction(action);
    return action;
}

} // namespace

AxisActions::AxisActions(DistributionChart* chart, QWidget* window)
    : QObject(window), fitted(makeAction(window, tr("Axis &fitted to the bars"))),
      full(makeAction(window, tr("Axis &0 to 100 %"))),
      logarithmic(makeAction(window, tr("&Logarithmic axis"))),
      next(makeAction(window, tr("Ne&xt axis"), Qt::Key_X)),
      ghost(makeAction(window, tr("Model's distribution &behind the bars"), Qt::Key_B))
{
    auto* group = new QActionGroup(this);
    for (QAction* action : {fitted, full, logarithmic}) {
        action->setCheckable(true);
        group->addAction(action);
    }
    ghost->setCheckable(true);
    ghost->setChecked(true);
    const auto check = [this, chart] {
        (chart->scale() == BarScale::Linear ? fitted
         : chart->scale() == BarScale::Full ? full
                                            : logarithmic)
            ->setChecked(true);
    };
    check();
    const auto setScale = [chart](BarScale scale) {
        return [chart, scale] {
            chart->setScale(scale);
            Q_EMIT chart->scaleChanged(scale);
        };
    };
    connect(fitted, &QAction::triggered, chart, setScale(BarScale::Linear));
    connect(full, &QAction::triggered, chart, setScale(BarScale::Full));
    connect(logarithmic, &QAction::triggered, chart, setScale(BarScale::Logarithmic));
    connect(next, &QAction::triggered, chart, &DistributionChart::nextScale);
    connect(ghost, &QAction::toggled, chart, &DistributionChart::setGhost);
    connect(chart, &DistributionChart::scaleChanged, this, check);
}

void AxisActions::setInView(bool inView)
{
    for (QAction* action : {fitted, full, logarithmic, next, ghost})
        action->setEnabled(inView);
}

void AxisActions::fillMenuBar(QMenuBar* bar) const
{
    for (QAction* menu : bar->actions())
        if (menu->text().remove(QLatin1Char('&')) == tr("View") && menu->menu()) {
            menu->menu()->addSeparator();
            menu->menu()->addActions({fitted, full, logarithmic, next, ghost});
        }
}

} // namespace ui
