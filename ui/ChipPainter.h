#pragma once

#include "engine/api/Token.h"
#include "ui/Theme.h"

#include <QPainter>
#include <QPen>
#include <QRectF>
#include <QSizeF>

namespace ui {

/// How one chip is to look.
struct ChipStyle
{
    QColor fill;
    QPen outline = Qt::NoPen;
    QColor text;
    QColor faint;           ///< whitespace glyphs
    double fontPx = 14;     ///< at 100 %
    bool underline = false; ///< orange line: picked, but not the argmax
    QColor underlineColor;
};

/// Beyond this many characters a chip is cut in the middle with "…".
inline constexpr int chipCharacters = 24;

/// Token chips are drawn in three places (context, chart, pipeline) and look alike in all of them.
/// `chipSize` is the natural size; in a narrower rectangle the text is cut in the middle.
QSizeF chipSize(const engine::TokenPiece& piece, const ChipStyle& style, const Theme& theme);
void paintChip(QPainter& painter, const QRectF& rect, const engine::TokenPiece& piece,
               const ChipStyle& style, const Theme& theme);

} // namespace ui
