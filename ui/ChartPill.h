#pragma once

#include "ui/Theme.h"

#include <QPainter>
#include <QPointF>
#include <QString>

#include <vector>

namespace ui {

struct DistributionRow;

/// What is said of a row beside its numbers, each by a shape, a colour and a word of its own.
enum class Pill
{
    Argmax,
    Picked,
    Forced,
    Given,      ///< stands in the prompt
    RuleChoice, ///< what the rule had picked, where the user forced another token
};

/// The pills of a row in the order they are drawn.
std::vector<Pill> pillsOf(const DistributionRow& row);

QString pillText(Pill pill);

/// `fontPx` at 100 %. Without its word a pill shows its shape only.
double pillWidth(Pill pill, double fontPx, bool withWord, const Theme& theme);

/// Left edge and vertical middle at `at`; `height` in device pixels.
void paintPill(QPainter& painter, const QPointF& at, double height, Pill pill, double fontPx,
               bool withWord, const Theme& theme);

} // namespace ui
