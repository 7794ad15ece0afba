#pragma once

#include "engine/api/Token.h"

#include <QString>

#include <vector>

namespace ui {

/// A stretch of a token's text drawn in one colour.
struct TextRun
{
    enum class Style
    {
        Letters,
        Whitespace, ///< made visible: ␣ ↵ ⇥ and named controls; drawn fainter than letters
        Bytes,      ///< bytes that make no character: "⟨E2 82⟩"
        Special,    ///< the written form of a special token
    };
    QString text;
    Style style = Style::Letters;

    bool operator==(const TextRun&) const = default;
};

/// What a chip shows of a token: never interpreted, never reordering its neighbours (bidirectional
/// and other control characters are shown by code point). An empty token shows "∅".
std::vector<TextRun> visibleRuns(const engine::TokenPiece& piece);

/// The same runs cut in the middle with one "…" so that at most `maxCharacters` remain, "…"
/// counted; a character is what a reader would count as one (a grapheme cluster).
std::vector<TextRun> elidedRuns(const std::vector<TextRun>& runs, int maxCharacters);

/// visibleRuns joined into one string, cut in the middle with "…" beyond `maxCharacters`. Text that
/// runs right to left is wrapped in isolates (U+2068, U+2069), so that what is written around it
/// stays in order.
QString visibleText(const engine::TokenPiece& piece, int maxCharacters = 24);

/// Bytes in upper-case hex with spaces: "20 6D 61 74".
QString hexBytes(const std::string& bytes);

/// UTF-8 to text, U+FFFD where bytes make no character.
QString decodedText(const std::string& bytes);

} // namespace ui
