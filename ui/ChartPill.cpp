#include "ui/ChartPill.h"

#include "ui/DistributionRows.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainterPath>
#include <QPolygonF>

#include <cmath>
#include <numbers>

namespace ui {
namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::ChartPill)
};

struct PillColours
{
    QColor fill, outline, text;
};

PillColours coloursOf(Pill pill, const Theme& theme)
{
    switch (pill) {
    case Pill::Argmax:
        return {theme.accentTint, theme.accentTint, theme.accent};
    case Pill::Picked:
        return {theme.pickedPill, theme.pickedPill, theme.pickedPillText};
    case Pill::Forced:
        return {theme.surface, theme.pickedPill, theme.text};
    case Pill::Given:
        return {theme.promptChip, theme.border, theme.text};
    case Pill::RuleChoice:
        return {theme.surface, theme.border, theme.mutedText};
    }
    return {};
}

QPainterPath star(const QPointF& centre, double radius)
{
    QPolygonF points;
    for (int i = 0; i < 10; ++i) {
        const double angle = -std::numbers::pi / 2 + i * std::numbers::pi / 5;
        const double r = i % 2 == 0 ? radius : radius * 0.42;
        points << centre + QPointF(r * std::cos(angle), r * std::sin(angle));
    }
    QPainterPath path;
    path.addPolygon(points);
    path.closeSubpath();
    return path;
}

/// A drawing pin: head, collar and needle.
QPainterPath pin(const QPointF& centre, double radius)
{
    const double r = radius;
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    path.addRoundedRect(QRectF(centre.x() - 0.55 * r, centre.y() - r, 1.1 * r, 1.0 * r), 0.25 * r,
                        0.25 * r);
    path.addRoundedRect(QRectF(centre.x() - 0.85 * r, centre.y() - 0.1 * r, 1.7 * r, 0.35 * r),
                        0.17 * r, 0.17 * r);
    path.addRect(QRectF(centre.x() - 0.12 * r, centre.y() + 0.2 * r, 0.24 * r, 0.9 * r));
    return path;
}

void paintShape(QPainter& painter, Pill pill, const QPointF& centre, double radius,
                const PillColours& colours)
{
    QPainterPath path;
    switch (pill) {
    case Pill::Argmax:
        path = star(centre, radius);
        break;
    case Pill::Picked:
        path.addEllipse(centre, radius * 0.8, radius * 0.8);
        break;
    case Pill::Forced:
        path = pin(centre, radius);
        break;
    case Pill::Given:
        path.addRect(QRectF(centre.x() - radius * 0.7, centre.y() - radius * 0.7, radius * 1.4,
                            radius * 1.4));
        break;
    case Pill::RuleChoice:
        painter.setPen(QPen(colours.text, radius * 0.3));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, radius * 0.7, radius * 0.7);
        return;
    }
    painter.fillPath(path, pill == Pill::Forced ? colours.outline : colours.text);
}

} // namespace

std::vector<Pill> pillsOf(const DistributionRow& row)
{
    std::vector<Pill> pills;
    if (row.isArgmax)
        pills.push_back(Pill::Argmax);
    if (row.isPicked)
        pills.push_back(Pill::Picked);
    if (row.isGiven)
        pills.push_back(Pill::Given);
    if (row.isForced)
        pills.push_back(Pill::Forced);
    if (row.isRuleChoice)
        pills.push_back(Pill::RuleChoice);
    return pills;
}

QString pillText(Pill pill)
{
    switch (pill) {
    case Pill::Argmax:
        return Words::tr("argmax");
    case Pill::Picked:
        return Words::tr("picked");
    case Pill::Forced:
        return Words::tr("forced");
    case Pill::Given:
        return Words::tr("in the prompt");
    case Pill::RuleChoice:
        return Words::tr("rule’s choice");
    }
    return {};
}

double pillWidth(Pill pill, double fontPx, bool withWord, const Theme& theme)
{
    const double em = fontPx * theme.scale;
    if (!withWord)
        return em * 1.7;
    const QFontMetricsF metrics(theme.uiFont(fontPx, QFont::DemiBold));
    return em * 2.2 + metrics.horizontalAdvance(pillText(pill));
}

void paintPill(QPainter& painter, const QPointF& at, double height, Pill pill, double fontPx,
               bool withWord, const Theme& theme)
{
    const PillColours colours = coloursOf(pill, theme);
    const double em = fontPx * theme.scale;
    const QRectF rect(at.x(), at.y() - height / 2, pillWidth(pill, fontPx, withWord, theme),
                      height);
    painter.setPen(QPen(colours.outline, 1));
    painter.setBrush(colours.fill);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2);
    const QPointF centre(withWord ? rect.left() + em * 0.95 : rect.center().x(), at.y());
    paintShape(painter, pill, centre, em * 0.42, colours);
    if (!withWord)
        return;
    const QFont font = theme.uiFont(fontPx, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(colours.text);
    painter.drawText(
        QPointF(rect.left() + em * 1.6, at.y() + (metrics.ascent() - metrics.descent()) / 2),
        pillText(pill));
}

} // namespace ui
