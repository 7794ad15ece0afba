#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace ui {

struct Theme;

/// An icon of ui/icons ("step", "back", ...), its strokes in `colour`; greyed by the theme's faint
/// text while disabled. Drawn at 1x, 2x and 3x, so that it is crisp on any screen.
QIcon tintedIcon(const QString& name, const Theme& theme, const QColor& colour);

/// The same in the colour of text.
QIcon tintedIcon(const QString& name, const Theme& theme);

/// One picture of it, `sizePx` wide at 100 %.
QPixmap tintedPixmap(const QString& name, const QColor& colour, int sizePx, double pixelRatio);

/// The program's mark in the theme's colours.
QPixmap logoPixmap(const Theme& theme, int sizePx, double pixelRatio);

} // namespace ui
