#include "ui/compare/CompareBar.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace ui {

CompareBar::CompareBar(CompareModel* model, QWidget* parent)
    : QWidget(parent), m_model(model), m_own(new QPushButton(tr("Own contexts"))),
      m_first(new QPushButton(tr("On A’s context"))), m_presets(new QToolButton),
      m_add(new QToolButton)
{
    m_own->setToolTip(tr("What happened: each run at the step in view, after its own text"));
    m_own->setProperty("segment", QStringLiteral("left"));
    m_first->setProperty("segment", QStringLiteral("right"));
    auto* views = new QButtonGroup(this);
    for (QPushButton* button : {m_own, m_first}) {
        button->setCheckable(true);
        button->setProperty("compact", true);
        button->setFocusPolicy(Qt::TabFocus);
        views->addButton(button);
    }
    m_own->setChecked(true);

    m_presets->setText(tr("Presets"));
    m_presets->setToolTip(tr("Runs that show something together"));
    m_presets->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_presets);
    const auto add = [&](ComparePreset which, const QString& text) {
        QAction* action = menu->addAction(text);
        action->setData(static_cast<int>(which));
        connect(action, &QAction::triggered, this,
                [this, which] { Q_EMIT presetRequested(which); });
    };
    add(ComparePreset::GreedyAndSampled, tr("Greedy and sampled"));
    add(ComparePreset::ThreeIdentical, tr("Three identical runs"));
    add(ComparePreset::TemperatureLadder, tr("Temperatures 0.2, 0.7, 1.0 and 1.5"));
    add(ComparePreset::TwoQuantizations, tr("The same model in two quantizations…"));
    m_presets->setMenu(menu);
    m_add->setText(tr("Add run"));
    m_add->setToolTip(tr("A further run with the settings of the last and the next seed"));
    for (QToolButton* button : {m_presets, m_add}) {
        button->setProperty("compact", true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(button->text());
    }

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* contexts = new QHBoxLayout;
    contexts->setSpacing(0);
    contexts->addWidget(m_own);
    contexts->addWidget(m_first);
    row->addLayout(contexts);
    row->addWidget(m_presets);
    row->addWidget(m_add);

    connect(m_own, &QPushButton::clicked, this,
            [this] { m_model->setContextView(ContextView::Own); });
    connect(m_first, &QPushButton::clicked, this,
            [this] { m_model->setContextView(ContextView::First); });
    connect(m_add, &QToolButton::clicked, this, &CompareBar::addRequested);
    connect(m_model, &CompareModel::runsChanged, this, &CompareBar::refresh);
    connect(m_model, &CompareModel::contextViewChanged, this, &CompareBar::refresh);
    refresh();
}

void CompareBar::setTheme(const Theme& theme)
{
    for (QWidget* button : std::initializer_list<QWidget*>{m_own, m_first, m_presets, m_add})
        button->setFixedHeight(theme.px(26));
}

void CompareBar::setPossible(bool isLive, bool canRun)
{
    m_isLive = isLive;
    m_canRun = canRun;
    refresh();
}

QAction* CompareBar::preset(ComparePreset preset) const
{
    for (QAction* action : m_presets->menu()->actions())
        if (action->data().toInt() == static_cast<int>(preset))
            return action;
    return nullptr;
}

void CompareBar::refresh()
{
    const bool isFirst = m_model->contextView() == ContextView::First;
    (isFirst ? m_first : m_own)->setChecked(true);
    m_first->setEnabled(m_isLive && m_model->sameContext());
    m_first->setToolTip(
        !m_isLive ? tr("Recorded runs hold only the candidates of their own contexts; to decode "
                       "A’s logits under other settings, the model has to be open")
        : !m_model->sameContext()
            ? tr("The runs begin with different tokens, so A’s context is no context of theirs")
            : tr("What the settings do: each run’s settings, or model, on what A has read"));
    m_presets->setVisible(m_canRun);
    m_add->setVisible(m_isLive);
    m_add->setEnabled(m_model->count() < CompareModel::mostRuns);
}

} // namespace ui
