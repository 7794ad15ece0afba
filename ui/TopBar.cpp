#include "ui/TopBar.h"

#include "ui/ElidedLabel.h"
#include "ui/Icons.h"
#include "ui/StyleProperty.h"
#include "ui/WindowActions.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

/// Where the speed slider can stand, in steps a second.
constexpr std::array<double, 14> speeds = {0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20};

} // namespace

TopBar::TopBar(WindowActions* actions, QWidget* parent)
    : QWidget(parent), m_actions(actions), m_theme(Theme::light()), m_logo(new QLabel),
      m_name(new QLabel(QStringLiteral("Tokenscope"))), m_model(new ElidedLabel),
      m_speedSlider(new QSlider(Qt::Horizontal)), m_speedLabel(new QLabel)
{
    setProperty("surface", QStringLiteral("bar"));
    setAttribute(Qt::WA_StyledBackground);
    m_name->setProperty("role", QStringLiteral("appName"));
    m_model->setProperty("role", QStringLiteral("chip"));
    m_model->setCursor(Qt::PointingHandCursor);
    m_model->installEventFilter(this);
    m_speedLabel->setProperty("role", QStringLiteral("value"));
    m_speedSlider->setRange(0, static_cast<int>(speeds.size()) - 1);
    m_speedSlider->setPageStep(2);
    m_speedSlider->setAccessibleName(tr("Play speed, in steps a second"));
    m_speedSlider->setToolTip(tr("Steps a second while playing"));

    auto* row = new QHBoxLayout(this);
    row->addWidget(m_logo);
    row->addWidget(m_name);
    row->addSpacing(4);
    row->addWidget(m_model);
    row->addStretch(1);
    row->addWidget(addButton(actions->reset, true));
    row->addWidget(addButton(actions->back, false));
    row->addWidget(addButton(actions->step, false));
    row->addWidget(addButton(actions->play, false));
    row->addWidget(addButton(actions->toEnd, false));
    row->addWidget(m_speedSlider);
    row->addWidget(m_speedLabel);
    row->addStretch(1);
    row->addWidget(addButton(actions->openModel, false));
    row->addWidget(addButton(actions->saveTrace, false));
    row->addWidget(addButton(actions->inspector, true));
    row->addWidget(addButton(actions->toggleTheme, true));
    button(actions->step)->setProperty("primary", true);

    setSpeed(m_speed);
    connect(m_speedSlider, &QSlider::valueChanged, this, &TopBar::sliderMoved);
}

QToolButton* TopBar::addButton(QAction* action, bool iconOnly)
{
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty("iconOnly", iconOnly);
    button->setToolButtonStyle(iconOnly ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    const auto nameIt = [button, action] { button->setAccessibleName(action->iconText()); };
    connect(action, &QAction::changed, button, nameIt);
    nameIt();
    m_buttons.push_back(button);
    return button;
}

void TopBar::insertButton(QAction* action, const QAction* before)
{
    auto* row = static_cast<QHBoxLayout*>(layout());
    QToolButton* made = addButton(action, false);
    made->setProperty("mode", true); // its look tells whether it is on
    m_inserted.push_back(made);
    row->insertWidget(row->indexOf(button(before)), made);
    setTheme(m_theme);
}

void TopBar::setTheme(const Theme& theme)
{
    m_theme = theme;
    setFixedHeight(theme.px(52));
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->setContentsMargins(theme.px(16), 0, theme.px(16), 0);
    row->setSpacing(theme.px(8));
    m_logo->setPixmap(logoPixmap(theme, theme.px(22), devicePixelRatioF()));
    m_speedSlider->setFixedWidth(theme.px(84));
    for (QToolButton* button : m_buttons) {
        button->setIconSize(QSize(theme.px(16), theme.px(16)));
        button->setFixedHeight(theme.px(34));
    }
    // Play and Pause take the same room, so that nothing moves when one becomes the other.
    QToolButton* play = button(m_actions->play);
    play->setMinimumWidth(theme.px(90));
    m_speedLabel->setFixedWidth(theme.px(52));
    fitWords();
}

void TopBar::setModelText(const QString& text)
{
    m_model->setFullText(text);
    m_model->setVisible(!text.isEmpty());
    fitWords();
}

QString TopBar::modelText() const
{
    return m_model->fullText();
}

bool TopBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_model && event->type() == QEvent::MouseButtonRelease)
        m_actions->modelInfo->trigger();
    return QWidget::eventFilter(watched, event);
}

void TopBar::setInspectorButtonVisible(bool visible)
{
    button(m_actions->inspector)->setVisible(visible);
    fitWords();
}

void TopBar::setSpeed(double stepsPerSecond)
{
    m_speed = stepsPerSecond;
    const auto nearest = std::min_element(speeds.begin(), speeds.end(), [this](double a, double b) {
        return std::abs(a - m_speed) < std::abs(b - m_speed);
    });
    const QSignalBlocker blocker(m_speedSlider);
    m_speedSlider->setValue(static_cast<int>(nearest - speeds.begin()));
    m_speedLabel->setText(speedText());
}

QString TopBar::speedText() const
{
    const bool inTenths = std::abs(m_speed * 10 - std::round(m_speed * 10)) < 1e-9;
    return tr("%1 /s", "steps a second").arg(m_speed, 0, 'f', inTenths ? 1 : 2);
}

QToolButton* TopBar::button(const QAction* action) const
{
    for (QToolButton* button : m_buttons)
        if (button->defaultAction() == action)
            return button;
    return nullptr;
}

void TopBar::sliderMoved(int position)
{
    m_speed = speeds[static_cast<std::size_t>(position)];
    m_speedLabel->setText(speedText());
    Q_EMIT speedChanged(m_speed);
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWords();
}

QSize TopBar::minimumSizeHint() const
{
    // Not what its layout says: that counts the words, which go when the bar becomes narrow.
    return {m_theme.px(640), m_theme.px(52)};
}

int TopBar::wantedWidth() const
{
    return layout()->sizeHint().width();
}

/// Takes the words off the buttons, the least needed first, until the rest has room.
void TopBar::fitWords()
{
    std::vector<QToolButton*> order = {button(m_actions->saveTrace), button(m_actions->openModel)};
    order.insert(order.end(), m_inserted.begin(), m_inserted.end());
    order.insert(order.end(), {button(m_actions->toEnd), button(m_actions->back)});
    for (QToolButton* b : order) {
        b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        setStyleProperty(b, "iconOnly", false);
    }
    for (QToolButton* b : order) {
        layout()->invalidate();
        if (wantedWidth() <= width())
            break;
        b->setToolButtonStyle(Qt::ToolButtonIconOnly);
        setStyleProperty(b, "iconOnly", true);
    }
}

} // namespace ui
