#include "ui/chain/ChainCard.h"

#include "ui/Icons.h"
#include "ui/NumberText.h"
#include "ui/chain/ChainPicture.h"
#include "ui/chain/ChainPresets.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

QString nameOf(engine::SamplingStage stage)
{
    const std::string_view name = engine::name(stage);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QLabel* plainLabel(const char* role)
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QLatin1String(role));
    return label;
}

} // namespace

ChainCard::ChainCard(engine::SamplingStage stage, QWidget* parent)
    : QFrame(parent), m_stage(stage), m_number(plainLabel("secondary")),
      m_box(new QCheckBox(nameOf(stage))), m_value(plainLabel("value")),
      m_picture(new ChainPicture), m_quantity(plainLabel("hint")),
      m_effect(plainLabel("secondary")), m_up(new QToolButton), m_down(new QToolButton)
{
    setProperty("card", true);
    setAccessibleName(tr("Stage of the chain, %1").arg(nameOf(stage)));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::OpenHandCursor);
    setToolTip(tr("Drag to another place, or Alt with the arrow keys"));
    m_box->setToolTip(tr("On or off"));
    m_effect->setWordWrap(true);
    m_effect->setMinimumWidth(1);
    m_effect->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_up->setAccessibleName(tr("Move %1 up").arg(nameOf(stage)));
    m_down->setAccessibleName(tr("Move %1 down").arg(nameOf(stage)));
    m_up->setToolTip(tr("Earlier in the chain"));
    m_down->setToolTip(tr("Later in the chain"));
    m_picture->setAttribute(Qt::WA_TransparentForMouseEvents);

    auto* middle = new QVBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_picture, 1);
    middle->addWidget(m_quantity);
    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(1);
    buttons->addWidget(m_up);
    buttons->addWidget(m_down);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_number);
    row->addWidget(m_box);
    row->addWidget(m_value);
    row->addLayout(middle, 3);
    row->addWidget(m_effect, 2);
    row->addLayout(buttons);
    connect(m_box, &QCheckBox::clicked, this, &ChainCard::toggled);
    connect(m_up, &QToolButton::clicked, this, [this] { Q_EMIT moved(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { Q_EMIT moved(1); });
    setTheme(Theme::light());
}

void ChainCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(10), theme.px(3), theme.px(6), theme.px(3));
    layout()->setSpacing(theme.px(10));
    m_box->setFixedWidth(theme.px(146));
    m_value->setFixedWidth(theme.px(44));
    m_picture->setTheme(theme);
    m_up->setIcon(tintedIcon(QStringLiteral("arrow-up"), theme));
    m_down->setIcon(tintedIcon(QStringLiteral("arrow-down"), theme));
    for (QToolButton* button : {m_up, m_down}) {
        button->setFixedSize(theme.px(24), theme.px(20));
        button->setIconSize({theme.px(12), theme.px(12)});
        button->setStyleSheet(QStringLiteral("QToolButton { padding: 0; min-height: 0; }"));
    }
}

QString ChainCard::effectOf(const engine::SamplingConfig& config, const engine::Step* step) const
{
    if (!isStageOn(m_stage, config))
        return tr("off");
    if (!step)
        return {};
    const auto trace =
        std::find_if(step->stages.begin(), step->stages.end(),
                     [this](const engine::StageTrace& one) { return one.stage == m_stage; });
    if (trace == step->stages.end())
        return tr("not used by greedy");
    if (trace->after < trace->before)
        return tr("%1 → %2, removes %3")
            .arg(countText(trace->before), countText(trace->after),
                 percentText(trace->removedProbability).replace(QLatin1Char(' '), QChar::Nbsp));
    if (trace->changed > 0)
        return tr("alters %1 scores, removes none").arg(countText(trace->changed));
    return tr("removes none of %1").arg(countText(trace->before));
}

void ChainCard::show(const engine::SamplingConfig& config, const engine::Step* step, int place,
                     int count)
{
    const bool on = isStageOn(m_stage, config);
    m_number->setText(QString::number(place + 1));
    {
        const QSignalBlocker blocker(m_box);
        m_box->setChecked(on);
    }
    const double value = valueOf(m_stage, config);
    m_value->setText(!on ? tr("off")
                     : m_stage == engine::SamplingStage::TopK
                         ? countText(static_cast<std::int64_t>(value))
                         : settingText(value));
    const StagePicture picture = step ? StagePicture::of(*step, m_stage) : StagePicture();
    m_picture->setPicture(picture);
    m_quantity->setText(picture.quantity);
    m_effect->setText(effectOf(config, step));
    m_up->setEnabled(m_isEditable && place > 0);
    m_down->setEnabled(m_isEditable && place + 1 < count);
    setAccessibleName(
        tr("Stage %1 of the chain, %2: %3").arg(place + 1).arg(nameOf(m_stage), m_effect->text()));
}

void ChainCard::setEditable(bool editable)
{
    m_isEditable = editable;
    m_box->setEnabled(editable);
    setCursor(editable ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

void ChainCard::setLifted(bool lifted)
{
    setStyleSheet(
        lifted
            ? QStringLiteral("ui--ChainCard { border: 2px solid %1; }").arg(m_theme.accent.name())
            : QString());
}

QString ChainCard::effect() const
{
    return m_effect->text();
}

void ChainCard::mousePressEvent(QMouseEvent* event)
{
    m_isPressed = m_isEditable && event->button() == Qt::LeftButton;
    if (m_isPressed)
        setLifted(true);
}

void ChainCard::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isPressed)
        Q_EMIT dragged(mapToParent(event->position().toPoint()).y());
}

void ChainCard::mouseReleaseEvent(QMouseEvent*)
{
    if (!m_isPressed)
        return;
    m_isPressed = false;
    setLifted(false);
    Q_EMIT dropped();
}

void ChainCard::keyPressEvent(QKeyEvent* event)
{
    const bool isMove = event->modifiers() == Qt::AltModifier &&
                        (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down);
    if (isMove && m_isEditable)
        Q_EMIT moved(event->key() == Qt::Key_Up ? -1 : 1);
    else
        QFrame::keyPressEvent(event);
}

} // namespace ui
