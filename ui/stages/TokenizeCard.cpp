#include "ui/stages/TokenizeCard.h"

#include "ui/ChipPainter.h"
#include "ui/NumberText.h"
#include "ui/StepModel.h"

#include <QFontMetricsF>

#include <algorithm>

namespace ui {
namespace {

struct Chip
{
    engine::TokenPiece piece;
    double width = 0; ///< of the chip or of its id, the larger
    double chipWidth = 0;
};

ChipStyle chipStyle(const Theme& theme)
{
    ChipStyle style;
    style.fill = theme.promptChip;
    style.outline = QPen(theme.border, 1);
    style.text = theme.text;
    style.faint = theme.faintText;
    style.fontPx = 12;
    return style;
}

} // namespace

TokenizeCard::TokenizeCard(QWidget* parent) : StageCard(1, tr("Tokenize"), parent)
{
    setSubtitle(tr("text → ids"));
}

void TokenizeCard::showStep(const StepModel& steps)
{
    m_context = steps.contextTokens();
    if (const engine::Step* step = steps.selectedStep()) {
        const auto length = static_cast<std::size_t>(std::max(0, step->contextLength));
        m_context.resize(std::min(m_context.size(), length));
    }
    describe(m_context.empty() ? tr("No text yet.")
                               : tr("The model read %1 tokens.")
                                     .arg(countText(static_cast<std::int64_t>(m_context.size()))));
}

void TokenizeCard::paintContent(QPainter& painter, const QRectF& area) const
{
    const ChipStyle style = chipStyle(theme());
    const QFont idFont = theme().monoFont(10);
    const QFontMetricsF idMetrics(idFont);
    const double gap = theme().px(6);

    std::vector<Chip> chips; // the last first
    double used = 0;
    const double most = area.width() * 0.7; // of one chip, so that a long one leaves others room
    for (auto token = m_context.rbegin(); token != m_context.rend(); ++token) {
        Chip chip{token->piece, 0, 0};
        chip.chipWidth = std::min(chipSize(token->piece, style, theme()).width(), most);
        chip.width = std::max(chip.chipWidth,
                              idMetrics.horizontalAdvance(QString::number(token->piece.id.value)));
        if (used + chip.width > area.width())
            break;
        used += chip.width + gap;
        chips.push_back(std::move(chip));
    }
    const double height = theme().px(22);
    double x = area.left();
    for (auto chip = chips.rbegin(); chip != chips.rend(); ++chip) {
        paintChip(painter,
                  QRectF(x + (chip->width - chip->chipWidth) / 2, area.top() + 2, chip->chipWidth,
                         height),
                  chip->piece, style, theme());
        painter.setFont(idFont);
        painter.setPen(theme().mutedText);
        painter.drawText(
            QRectF(x, area.top() + height + theme().px(4), chip->width, theme().px(14)),
            Qt::AlignCenter, QString::number(chip->piece.id.value));
        x += chip->width + gap;
    }
    if (!m_context.empty())
        paintBottom(painter, area,
                    tr("%1 tokens").arg(countText(static_cast<std::int64_t>(m_context.size()))),
                    chips.size() < m_context.size() ? tr("the last %1").arg(chips.size())
                                                    : QString());
}

} // namespace ui
