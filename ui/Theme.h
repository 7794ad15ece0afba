#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

namespace ui {

/// Every colour and size of the window, named by meaning. A change of theme hands a new one to each
/// widget; nothing reads colours from anywhere else.
///
/// Contrast (checked by ThemeTest): text on the surfaces it is used on is at least 4.5:1, marks
/// that carry a fact (bars, hatch, the picked outline) at least 3:1 against a card.
///
/// Thread: GUI (fonts are cached without a lock).
struct Theme
{
    bool isDark = false;
    double scale = 1.0; ///< all sizes in px go through px()

    QColor window, surface, raised, border, grid;
    QColor text, mutedText, faintText;
    QColor kept, gain, argmax, accent, accentTint;
    QColor accentText;  ///< on a surface filled with `accent`
    QColor inputBorder; ///< of fields that can be typed in, stronger than `border`
    QColor picked, pickedPill, pickedPillText, pickedRow;
    QColor cutHatch;
    QColor promptChip, specialText;
    QColor error, errorTint; ///< text and surface of the error banner, nothing else
    /// The 2nd to 4th of runs that are compared; the first has `accent`. Never alone: a run's
    /// letter stands beside its colour.
    QColor runB, runC, runD;

    static Theme light();
    static Theme dark();

    int px(double value) const;

    /// Inter, then Noto and DejaVu, ending in CJK and colour emoji. Fonts are cached: cheap in
    /// paint.
    QFont uiFont(double sizePx, QFont::Weight weight = QFont::Normal) const;
    /// JetBrains Mono, then DejaVu Sans Mono, with the same tail: tokens and changing numbers.
    QFont monoFont(double sizePx, QFont::Weight weight = QFont::Normal) const;
    /// monoFont for showing `token`: text of scripts that need no shaping is drawn without, since
    /// ligatures would show characters that are not there.
    QFont tokenFont(double sizePx, const QString& token) const;
    /// `font` for a line that may contain tokens, by the same rule: the letters' font joins "->"
    /// to an arrow as well.
    static QFont withoutLigatures(QFont font, const QString& text);

    /// The tint of a generated token's chip: `surface` at probability 0, full at 1.
    QColor probabilityTint(double probability) const;
    /// Whitespace glyphs and other faint text on such a chip.
    QColor tintedFaint() const;

    /// Of the run with this number, from 0: text and marks on a card.
    QColor runColour(int run) const;
    /// The surface of that run's chips.
    QColor runTint(int run) const;

    QPalette palette() const;
    /// For the whole application window: ui/style/window.qss with these colours, and its px values
    /// through px(). Labels are styled by their dynamic property "role" ("cardTitle", "secondary",
    /// "hint", "caption", "value"), cards by the object property "card".
    QString styleSheet() const;

    bool operator==(const Theme&) const = default;
};

} // namespace ui
