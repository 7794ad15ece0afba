#include "ui/stages/DetokenizeCard.h"

#include "ui/ChipPainter.h"
#include "ui/StepModel.h"
#include "ui/TokenText.h"

#include <QFontMetricsF>

#include <algorithm>

namespace ui {

DetokenizeCard::DetokenizeCard(QWidget* parent) : StageCard(5, tr("Detokenize"), parent)
{
    setSubtitle(tr("id → text"));
}

void DetokenizeCard::showStep(const StepModel& steps)
{
    m_piece.reset();
    const engine::Step* step = steps.selectedStep();
    const engine::Candidate* picked = step ? step->find(step->picked) : nullptr;
    if (!picked)
        return describe(tr("No step yet."));
    m_piece = picked->piece;
    describe(tr("Id %1 is %2, bytes %3.")
                 .arg(picked->piece.id.value)
                 .arg(visibleText(picked->piece), hexBytes(picked->piece.bytes)));
}

void DetokenizeCard::paintContent(QPainter& painter, const QRectF& area) const
{
    if (!m_piece)
        return;
    const double height = theme().px(26);
    const QString id = QString::number(m_piece->id.value) + QStringLiteral(" →");
    const QFont font = theme().monoFont(12);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme().mutedText);
    const QRectF line(area.left(), area.top() + theme().px(2), area.width(), height);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, id);

    ChipStyle style;
    style.fontPx = 14;
    style.fill = theme().pickedRow;
    style.outline = QPen(theme().picked, theme().px(2));
    style.text = theme().text;
    style.faint = theme().mutedText;
    const double x = line.left() + metrics.horizontalAdvance(id) + theme().px(8);
    const double width = std::min(chipSize(*m_piece, style, theme()).width(), area.right() - x);
    paintChip(painter, QRectF(x, line.top(), width, height), *m_piece, style, theme());
    paintBottom(painter, area, hexBytes(m_piece->bytes), QString());
}

} // namespace ui
