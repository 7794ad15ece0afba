#include "ui/stages/DecodeCard.h"

#include "ui/NumberText.h"
#include "ui/StepModel.h"
#include "ui/TokenText.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <QPolygonF>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using engine::Step;

std::int64_t vocabularySize(const Step& step)
{
    return static_cast<std::int64_t>(step.candidates.size()) + step.others.count;
}

/// "4,096 → top-k 20 → top-p 0.90 → 11": the stages that removed or changed scores, in the order
/// they ran, and how many tokens were left.
QString funnelText(const Step& step, bool shortened)
{
    QStringList parts = {countText(vocabularySize(step))};
    for (const engine::StageTrace& stage : step.stages) {
        QString text = stageText(stage.stage, stage.value);
        if (shortened)
            text = text.replace(QStringLiteral("top-"), QString())
                       .replace(QStringLiteral("repetition-penalty"), QStringLiteral("rep"))
                       .replace(QStringLiteral("unnamed-ids"), QStringLiteral("unnamed"))
                       .replace(QStringLiteral("temperature"), QStringLiteral("T"));
        if (stage.after < stage.before || stage.changed > 0)
            parts << text;
    }
    if (step.index < 0)
        return parts.first();
    parts << (step.draw ? countText(step.keptCount) : DecodeCard::tr("largest"));
    return parts.join(QStringLiteral(" → "));
}

/// Every stage on a line of its own, with what it removed.
QString stageLines(const Step& step)
{
    QStringList lines;
    for (const engine::StageTrace& stage : step.stages) {
        QString line = stageText(stage.stage, stage.value) + QStringLiteral(": ") +
                       countText(stage.before) + QStringLiteral(" → ") + countText(stage.after);
        if (stage.after < stage.before)
            line += DecodeCard::tr(", removes %1").arg(percentText(stage.removedProbability));
        if (stage.changed > 0)
            line += DecodeCard::tr(", changes %1 scores").arg(countText(stage.changed));
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

QString outcomeText(const Step& step)
{
    if (step.index < 0)
        return DecodeCard::tr("given by the prompt");
    QString text = step.draw ? QStringLiteral("u = ") + QString::number(step.draw->u, 'f', 3)
                             : DecodeCard::tr("takes the largest");
    if (step.forced)
        text += DecodeCard::tr(" · but you forced another");
    return text;
}

} // namespace

DecodeCard::DecodeCard(QWidget* parent) : StageCard(4, tr("Decode"), parent)
{
    setSubtitle(tr("keep, then pick"));
}

void DecodeCard::showStep(const StepModel& steps)
{
    const Step* step = steps.selectedStep();
    const bool isGiven = step && step->index < 0;
    m_segments = step ? drawSegments(*step) : std::vector<DrawSegment>();
    m_u = step && step->draw ? std::optional(step->draw->u) : std::nullopt;
    m_funnel = step ? funnelText(*step, false) : QString();
    m_shortFunnel = step ? funnelText(*step, true) : QString();
    m_outcome = step ? outcomeText(*step) : QString();
    setSubtitle(!step        ? tr("keep, then pick")
                : isGiven    ? tr("nothing to pick")
                : step->draw ? tr("keep, then draw")
                             : tr("greedy"));
    describe(step ? tr("%1. %2.").arg(m_funnel, m_outcome) : tr("No step yet."));
    if (const QString lines = step ? stageLines(*step) : QString(); !lines.isEmpty())
        setToolTip(m_funnel + QLatin1Char('\n') + lines);
}

void DecodeCard::paintContent(QPainter& painter, const QRectF& area) const
{
    if (m_segments.empty())
        return;
    const double line = theme().px(17);
    paintFunnel(painter, QRectF(area.left(), area.top(), area.width(), line));
    const QRectF bar(area.left(), area.top() + line + theme().px(3), area.width(), theme().px(19));
    paintBar(painter, bar);
    paintPointer(painter, bar, area);
}

void DecodeCard::paintFunnel(QPainter& painter, const QRectF& band) const
{
    const QFont font = theme().monoFont(11);
    const QFontMetricsF metrics(font);
    QString text = m_funnel;
    if (metrics.horizontalAdvance(text) > band.width())
        text = m_shortFunnel;
    painter.setFont(font);
    painter.setPen(theme().mutedText);
    painter.drawText(band, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideMiddle, band.width()));
}

void DecodeCard::paintBar(QPainter& painter, const QRectF& bar) const
{
    painter.save();
    QPainterPath rounded;
    rounded.addRoundedRect(bar, theme().px(3), theme().px(3));
    painter.setClipPath(rounded, Qt::IntersectClip);
    painter.fillRect(bar, theme().gain);
    const auto paint = [&](const DrawSegment& segment, double least) {
        const double left = bar.left() + segment.low * bar.width();
        const double width = std::max(least, (segment.high - segment.low) * bar.width());
        paintSegment(painter,
                     QRectF(std::min(left, bar.right() - width), bar.top(), width, bar.height()),
                     segment);
    };
    for (const DrawSegment& segment : m_segments)
        paint(segment, 0);
    for (const DrawSegment& segment : m_segments) // seen even where it is one of thousands
        if (segment.isPicked)
            paint(segment, theme().px(2));
    painter.restore();
}

void DecodeCard::paintSegment(QPainter& painter, const QRectF& rect,
                              const DrawSegment& segment) const
{
    const QColor fill = segment.isPicked   ? theme().picked
                        : !segment.piece   ? theme().promptChip
                        : segment.isArgmax ? theme().argmax
                                           : theme().kept;
    // A hair of the card between two slices, but never all of a thin one.
    const double gap = std::min(1.0, rect.width() / 3);
    painter.fillRect(rect.adjusted(0, 0, -gap, 0), fill);
    const QString text =
        segment.piece ? visibleText(*segment.piece, 12).remove(QChar(0x2423)) : tr("others");
    const QFont font = theme().tokenFont(10.5, text);
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    if (width + theme().px(6) > rect.width())
        return;
    const bool onDark = segment.isArgmax && !segment.isPicked;
    painter.setFont(font);
    painter.setPen(onDark                               ? theme().accentText
                   : segment.isPicked && theme().isDark ? theme().pickedPillText
                                                        : theme().text);
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, text);
}

void DecodeCard::paintPointer(QPainter& painter, const QRectF& bar, const QRectF& area) const
{
    const QFont font = theme().monoFont(11);
    const QFontMetricsF metrics(font);
    const QString text = metrics.elidedText(m_outcome, Qt::ElideRight, area.width());
    const double width = metrics.horizontalAdvance(text);
    double x = area.left();
    if (m_u) {
        const double tip = bar.left() + *m_u * bar.width();
        const double half = theme().px(4);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().text);
        const double top = bar.bottom() + 1;
        painter.drawPolygon(QPolygonF()
                            << QPointF(tip, top) << QPointF(tip + half, top + 1.6 * half)
                            << QPointF(tip - half, top + 1.6 * half));
        // Only into the foot of the slice: through all of it, it would cross out the token's name.
        const double foot = theme().px(5);
        painter.fillRect(QRectF(tip - 0.75, bar.bottom() - foot, 1.5, foot + 1), theme().text);
        const double after = tip + half + theme().px(4);
        x = after + width <= area.right() ? after : tip - half - theme().px(4) - width;
        x = std::clamp(x, area.left(), std::max(area.left(), area.right() - width));
    }
    double baseline = bar.bottom() + theme().px(3) + metrics.ascent();
    if (m_u) { // beside the tip where there is room, else under it
        const double tip = bar.left() + *m_u * bar.width();
        const bool collides = x < tip + theme().px(5) && x + width > tip - theme().px(5);
        if (collides)
            baseline = area.bottom() - metrics.descent();
    }
    painter.setFont(font);
    painter.setPen(theme().text);
    painter.drawText(QPointF(x, baseline), text);
}

} // namespace ui
