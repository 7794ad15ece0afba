#include "ui/PipelineStrip.h"

#include "ui/StepModel.h"
#include "ui/stages/DecodeCard.h"
#include "ui/stages/DetokenizeCard.h"
#include "ui/stages/LogitsCard.h"
#include "ui/stages/SoftmaxCard.h"
#include "ui/stages/TokenizeCard.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace ui {
namespace {

// Room for each card at 1280: the decode card has the most to show.
constexpr std::array<int, 5> widths = {221, 210, 210, 320, 199};
constexpr double gapPx = 22;

} // namespace

PipelineStrip::PipelineStrip(QWidget* parent)
    : QWidget(parent), m_cards{new TokenizeCard, new LogitsCard, new SoftmaxCard, new DecodeCard,
                               new DetokenizeCard}
{
    setAccessibleName(tr("The five stages from text to text"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        row->addWidget(m_cards[i], widths[i]);
        const int stage = static_cast<int>(i) + 1;
        connect(m_cards[i], &StageCard::activated, this, [this, stage] {
            setActiveStage(stage);
            Q_EMIT stageActivated(stage);
        });
    }
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setTheme(Theme::light());
    setActiveStage(m_active);
}

void PipelineStrip::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setSpacing(theme.px(gapPx));
    for (StageCard* card : m_cards)
        card->setTheme(theme);
    update();
}

void PipelineStrip::showStep(const StepModel& steps)
{
    for (StageCard* card : m_cards)
        card->showStep(steps);
}

void PipelineStrip::setActiveStage(int stage)
{
    m_active = std::clamp(stage, 1, static_cast<int>(m_cards.size()));
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setActive(static_cast<int>(i) + 1 == m_active);
    update();
}

StageCard* PipelineStrip::card(int stage) const
{
    return m_cards.at(static_cast<std::size_t>(stage - 1));
}

void PipelineStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double half = m_theme.px(5);
    for (std::size_t i = 0; i + 1 < m_cards.size(); ++i) {
        const double x = (m_cards[i]->geometry().right() + m_cards[i + 1]->geometry().left()) / 2.0;
        const double y = height() / 2.0;
        const bool passed = static_cast<int>(i) + 1 < m_active;
        painter.setPen(QPen(passed ? m_theme.accent : m_theme.mutedText, m_theme.px(2),
                            Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF()
                             << QPointF(x - half / 2, y - half) << QPointF(x + half / 2, y)
                             << QPointF(x - half / 2, y + half));
    }
}

} // namespace ui
