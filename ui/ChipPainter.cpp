#include "ui/ChipPainter.h"

#include "ui/TokenText.h"

#include <QCache>
#include <QFontMetricsF>
#include <QHashFunctions>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ui {
namespace {

/// One run as it is drawn: by itself, so that no font joins or reorders it with its neighbours.
struct Part
{
    TextRun run;
    QFont font;
    double width = 0;
};

std::vector<Part> partsOf(const std::vector<TextRun>& runs, const ChipStyle& style,
                          const Theme& theme)
{
    std::vector<Part> parts;
    parts.reserve(runs.size());
    for (const TextRun& run : runs) {
        Part part{run, theme.tokenFont(style.fontPx, run.text), 0};
        part.width = QFontMetricsF(part.font).horizontalAdvance(run.text);
        parts.push_back(std::move(part));
    }
    return parts;
}

/// What the laid-out form of a chip depends on.
struct LayoutKey
{
    std::string bytes;
    engine::TokenKind kind;
    int sizePx;

    bool operator==(const LayoutKey&) const = default;
};

size_t qHash(const LayoutKey& key, size_t seed)
{
    return qHashMulti(seed, std::hash<std::string>()(key.bytes), static_cast<int>(key.kind),
                      key.sizePx);
}

/// A chip's text at its natural width. The same tokens come again at every step, and measuring text
/// costs as much as drawing it. Thread: GUI.
std::vector<Part> naturalParts(const engine::TokenPiece& piece, const ChipStyle& style,
                               const Theme& theme)
{
    static QCache<LayoutKey, std::vector<Part>> cache(2048);
    const LayoutKey key{piece.bytes, piece.kind, theme.px(style.fontPx)};
    if (const std::vector<Part>* known = cache.object(key))
        return *known;
    auto parts = partsOf(elidedRuns(visibleRuns(piece), chipCharacters), style, theme);
    cache.insert(key, new std::vector<Part>(parts));
    return parts;
}

double widthOf(const std::vector<Part>& parts)
{
    double width = 0;
    for (const Part& part : parts)
        width += part.width;
    return width;
}

double horizontalPadding(const ChipStyle& style, const Theme& theme)
{
    return theme.px(style.fontPx * 0.5);
}

/// The longest form that is no wider than `room`.
std::vector<Part> partsThatFit(const engine::TokenPiece& piece, double room, const ChipStyle& style,
                               const Theme& theme)
{
    std::vector<Part> parts = naturalParts(piece, style, theme);
    if (widthOf(parts) <= room + 0.5)
        return parts;
    const std::vector<TextRun> runs = visibleRuns(piece);
    const double cell = QFontMetricsF(theme.monoFont(style.fontPx)).horizontalAdvance(u'0');
    int characters = std::min(chipCharacters, static_cast<int>(room / cell) + 1);
    while (widthOf(parts) > room + 0.5 && characters > 1) {
        parts = partsOf(elidedRuns(runs, characters), style, theme);
        --characters;
    }
    return parts;
}

QColor colourOf(TextRun::Style run, const ChipStyle& style, const Theme& theme)
{
    switch (run) {
    case TextRun::Style::Letters:
        return style.text;
    case TextRun::Style::Whitespace:
        return style.faint;
    case TextRun::Style::Bytes:
    case TextRun::Style::Special:
        return theme.specialText;
    }
    return style.text;
}

} // namespace

QSizeF chipSize(const engine::TokenPiece& piece, const ChipStyle& style, const Theme& theme)
{
    const auto parts = naturalParts(piece, style, theme);
    const QFontMetricsF metrics(theme.monoFont(style.fontPx));
    const double padding = horizontalPadding(style, theme);
    const double height = metrics.ascent() + metrics.descent() + theme.px(style.fontPx * 0.3);
    return {widthOf(parts) + 2 * padding, height};
}

void paintChip(QPainter& painter, const QRectF& rect, const engine::TokenPiece& piece,
               const ChipStyle& style, const Theme& theme)
{
    const double radius = std::min<double>(theme.px(5), rect.height() / 4);
    const double inset = style.outline.style() == Qt::NoPen ? 0 : style.outline.widthF() / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(style.fill);
    painter.setPen(style.outline);
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius);

    const double padding = horizontalPadding(style, theme);
    const auto parts = partsThatFit(piece, rect.width() - 2 * padding, style, theme);
    const QFontMetricsF metrics(theme.monoFont(style.fontPx));
    const double baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    const double width = widthOf(parts);
    double x = rect.left() + std::max(padding, (rect.width() - width) / 2);
    if (style.underline) {
        painter.setPen(QPen(style.underlineColor, theme.px(2), Qt::SolidLine, Qt::RoundCap));
        const double y = std::min(baseline + theme.px(3), rect.bottom() - theme.px(2));
        painter.drawLine(QPointF(x, y), QPointF(x + width, y));
    }
    for (const Part& part : parts) {
        painter.setFont(part.font);
        painter.setPen(colourOf(part.run.style, style, theme));
        painter.drawText(QPointF(x, baseline), part.run.text);
        x += part.width;
    }
    painter.restore();
}

} // namespace ui
