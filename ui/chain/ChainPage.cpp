#include "ui/chain/ChainPage.h"

#include "ui/NumberText.h"
#include "ui/SamplingPanel.h"
#include "ui/StepModel.h"
#include "ui/chain/ChainCard.h"
#include "ui/chain/ChainPresets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

using engine::SamplingStage;

/// The stages in the order of the config, behind them those that it leaves out.
std::vector<SamplingStage> allStages(const engine::SamplingConfig& config)
{
    std::vector<SamplingStage> stages = config.order;
    for (const SamplingStage stage : engine::SamplingConfig().order)
        if (std::find(stages.begin(), stages.end(), stage) == stages.end())
            stages.push_back(stage);
    return stages;
}

} // namespace

ChainPage::ChainPage(SamplingPanel* sampling, QWidget* parent)
    : StepPage(parent), m_sampling(sampling), m_message(new QLabel), m_order(new QToolButton),
      m_list(new QVBoxLayout)
{
    m_message->setProperty("role", QStringLiteral("secondary"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    auto* head = new QHBoxLayout;
    head->addWidget(m_message, 1);
    for (const MoodPreset& mood : moodPresets()) {
        auto* button =
            new QPushButton(QStringLiteral("%1 %2").arg(mood.name, settingText(mood.temperature)));
        button->setToolTip(tr("Draws at temperature %1").arg(settingText(mood.temperature)));
        connect(button, &QPushButton::clicked, this,
                [this, mood] { change(withMood(m_config, mood)); });
        head->addWidget(button);
        m_moods.push_back(button);
    }
    m_order->setText(tr("Order of…"));
    m_order->setToolTip(tr("The order in which a library runs these stages"));
    m_order->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_order);
    menu->setToolTipsVisible(true);
    for (const OrderPreset& preset : orderPresets()) {
        QAction* action = menu->addAction(preset.library);
        action->setToolTip(preset.source);
        connect(action, &QAction::triggered, this, [this, order = preset.order] {
            engine::SamplingConfig config = m_config;
            config.order = order;
            change(config);
        });
    }
    m_order->setMenu(menu);
    head->addWidget(m_order);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addLayout(m_list, 1);
    for (const SamplingStage stage : engine::SamplingConfig().order)
        makeCard(stage);
    setTheme(Theme::light());
}

void ChainPage::makeCard(SamplingStage stage)
{
    auto* card = new ChainCard(stage);
    m_cards.push_back(card);
    m_list->addWidget(card, 1);
    connect(card, &ChainCard::toggled, this, [this, stage](bool on) { toggle(stage, on); });
    connect(card, &ChainCard::moved, this, [this, card](int by) { move(card, by); });
    connect(card, &ChainCard::dragged, this, [this, card](int y) { drag(card, y); });
    connect(card, &ChainCard::dropped, this, &ChainPage::drop);
}

void ChainPage::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(12), theme.px(8), theme.px(12), theme.px(10));
    layout()->setSpacing(theme.px(6));
    m_list->setSpacing(theme.px(4));
    static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout())->setSpacing(theme.px(6));
    for (ChainCard* card : m_cards)
        card->setTheme(theme);
}

void ChainPage::showStep(const StepModel& steps)
{
    const engine::Step* step = steps.selectedStep();
    const bool isGiven = step && step->index < 0;
    m_config = step && !isGiven ? step->sampling : m_sampling->sampling();
    const bool editable = m_sampling->isEditable() && !isGiven;
    const bool greedy = m_config.rule == engine::DecodingRule::Greedy || m_config.temperature == 0;
    const std::vector<SamplingStage> order = allStages(m_config);
    std::sort(m_cards.begin(), m_cards.end(), [&order](const ChainCard* a, const ChainCard* b) {
        return std::find(order.begin(), order.end(), a->stage()) <
               std::find(order.begin(), order.end(), b->stage());
    });
    sortCards();
    for (int place = 0; place < cardCount(); ++place) {
        card(place)->setEditable(editable);
        card(place)->show(m_config, isGiven ? nullptr : step, place, cardCount());
    }
    for (QPushButton* button : m_moods)
        button->setEnabled(editable);
    m_order->setEnabled(editable);
    m_message->setText(isGiven     ? tr("The prompt gives this token: no chain runs.")
                       : !editable ? tr("As recorded in the trace, so not to be changed.")
                       : greedy ? tr("Greedy takes the largest score: only the repetition penalty "
                                     "runs.")
                                : tr("Softmax, then these from top to bottom, then the draw."));
}

/// Puts the widgets into the order of m_cards.
void ChainPage::sortCards()
{
    for (int place = 0; place < cardCount(); ++place)
        if (m_list->indexOf(card(place)) != place) {
            m_list->removeWidget(card(place));
            m_list->insertWidget(place, card(place), 1);
        }
}

ChainCard* ChainPage::card(SamplingStage stage) const
{
    const auto found = std::find_if(m_cards.begin(), m_cards.end(), [stage](const ChainCard* card) {
        return card->stage() == stage;
    });
    return found == m_cards.end() ? nullptr : *found;
}

int ChainPage::placeOf(const ChainCard* card) const
{
    return static_cast<int>(std::find(m_cards.begin(), m_cards.end(), card) - m_cards.begin());
}

/// Off and on again brings back the value there was.
void ChainPage::toggle(SamplingStage stage, bool on)
{
    const auto isOfStage = [stage](const auto& kept) { return kept.first == stage; };
    const auto kept = std::find_if(m_lastValues.begin(), m_lastValues.end(), isOfStage);
    double value = offValue(stage);
    if (on) {
        value = kept != m_lastValues.end() ? kept->second : usualValue(stage);
    } else {
        std::erase_if(m_lastValues, isOfStage);
        m_lastValues.emplace_back(stage, valueOf(stage, m_config));
    }
    change(withStage(m_config, stage, value));
}

void ChainPage::move(ChainCard* card, int by)
{
    const int from = placeOf(card);
    const int to = std::clamp(from + by, 0, cardCount() - 1);
    if (from == to)
        return;
    std::swap(m_cards[static_cast<std::size_t>(from)], m_cards[static_cast<std::size_t>(to)]);
    sortCards();
    drop();
}

/// The other cards make way at once; the settings change when it is let go.
void ChainPage::drag(ChainCard* card, int y)
{
    const int from = placeOf(card);
    int to = 0;
    while (to + 1 < cardCount() && y > this->card(to)->geometry().bottom())
        ++to;
    if (to == from)
        return;
    m_cards.erase(m_cards.begin() + from);
    m_cards.insert(m_cards.begin() + to, card);
    sortCards();
}

void ChainPage::drop()
{
    engine::SamplingConfig config = m_config;
    config.order.clear();
    for (const ChainCard* card : m_cards)
        config.order.push_back(card->stage());
    change(config);
}

void ChainPage::change(const engine::SamplingConfig& config)
{
    if (m_sampling->isEditable() && config != m_config)
        m_sampling->change(config);
}

QString ChainPage::message() const
{
    return m_message->text();
}

} // namespace ui
