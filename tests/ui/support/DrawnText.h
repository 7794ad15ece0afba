#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>

#include <vector>

class QWidget;

namespace support {

/// A piece of text as a widget draws it, in the coordinates of its window.
struct DrawnText
{
    QString text;
    QRectF ink;     ///< what its glyphs cover
    QRectF visible; ///< of that, what clipping leaves
    const QWidget* widget = nullptr;
};

/// Every piece of text that `window` and the visible widgets in it draw, found by having them draw
/// on a device that keeps nothing but text. Thread: GUI.
std::vector<DrawnText> drawnTexts(QWidget& window);

/// What is wrong with the text in `window`, one sentence each: cut off by a border, shortened with
/// an ellipsis without a tool tip that tells the rest, or drawn over other text. Text that can be
/// scrolled into view counts as whole. Empty when all is well.
QStringList textFaults(QWidget& window);

} // namespace support
