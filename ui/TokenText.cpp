#include "ui/TokenText.h"

#include <QChar>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ui {
namespace {

using Style = TextRun::Style;

/// One code point of a token, or one byte that is part of none.
struct Unit
{
    char32_t codePoint = 0;
    std::optional<std::uint8_t> strayByte;
};

bool isContinuation(std::uint8_t byte)
{
    return (byte & 0xC0U) == 0x80U;
}

/// Length of the sequence that `lead` begins, 0 where none can begin with it. Source: RFC 3629; C0,
/// C1 and F5..FF never occur.
std::size_t sequenceLength(std::uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

/// The code point that `text` begins with, and nothing where its bytes make none: too short,
/// overlong, a surrogate, or beyond U+10FFFF.
std::optional<char32_t> decodeOne(std::string_view text)
{
    const auto byteAt = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byteAt(0);
    const std::size_t length = sequenceLength(lead);
    if (length == 0 || text.size() < length)
        return std::nullopt;
    if (length == 1)
        return lead;
    char32_t value = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (!isContinuation(byteAt(i)))
            return std::nullopt;
        value = (value << 6) | (byteAt(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return std::nullopt;
    return value;
}

std::vector<Unit> unitsOf(std::string_view bytes)
{
    std::vector<Unit> units;
    units.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::optional<char32_t> codePoint = decodeOne(bytes);
        if (codePoint) {
            units.push_back({*codePoint, std::nullopt});
            bytes.remove_prefix(sequenceLength(static_cast<std::uint8_t>(bytes[0])));
        } else {
            units.push_back({0, static_cast<std::uint8_t>(bytes[0])});
            bytes.remove_prefix(1);
        }
    }
    return units;
}

QString oneCharacter(char32_t codePoint)
{
    return QString::fromUcs4(&codePoint, 1);
}

QString bracketed(const QString& inside)
{
    return QChar(0x27E8) + inside + QChar(0x27E9);
}

QString codePointName(char32_t codePoint)
{
    static constexpr std::array<const char*, 33> ascii = {
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS",  "HT",  "LF",
        "VT",  "FF",  "CR",  "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
        "SYN", "ETB", "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US",  "SP"};
    if (codePoint < ascii.size())
        return bracketed(QLatin1String(ascii[codePoint]));
    if (codePoint == 0x7F)
        return bracketed(QStringLiteral("DEL"));
    return bracketed(QStringLiteral("U+%1")
                         .arg(static_cast<uint>(codePoint), 4, 16, QLatin1Char('0'))
                         .toUpper());
}

/// Characters that a font draws as nothing although they are neither spaces nor controls: the
/// Hangul fillers and the empty braille cell.
bool isBlankLetter(char32_t codePoint)
{
    return codePoint == 0x115F || codePoint == 0x1160 || codePoint == 0x2800 ||
           codePoint == 0x3164 || codePoint == 0xFFA0;
}

bool isVariationSelector(char32_t codePoint)
{
    return (codePoint >= 0xFE00 && codePoint <= 0xFE0F) ||
           (codePoint >= 0xE0100 && codePoint <= 0xE01EF);
}

bool isJoiner(char32_t codePoint)
{
    return codePoint == 0x200C || codePoint == 0x200D;
}

/// The letters of the tag sequences that spell regional flags, after U+1F3F4.
bool isEmojiTag(char32_t codePoint)
{
    return codePoint >= 0xE0020 && codePoint <= 0xE007F;
}

bool isMark(char32_t codePoint)
{
    const QChar::Category category = QChar::category(codePoint);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining ||
           category == QChar::Mark_Enclosing;
}

/// Draws itself, and nothing else than itself.
bool isPlain(char32_t codePoint)
{
    if (isBlankLetter(codePoint) || isVariationSelector(codePoint))
        return false;
    switch (QChar::category(codePoint)) {
    case QChar::Separator_Space:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
        return false;
    default:
        return true;
    }
}

/// Joins what stands around it into one picture or word, so it has to reach the font. Beside ASCII,
/// or at the edge of a token, it does nothing and must be seen instead.
bool joinsNeighbours(const std::vector<Unit>& units, std::size_t i)
{
    const auto canJoin = [&](std::size_t at) {
        const Unit& unit = units[at];
        return !unit.strayByte && unit.codePoint > 0x7F &&
               (isPlain(unit.codePoint) || isVariationSelector(unit.codePoint));
    };
    return i > 0 && i + 1 < units.size() && canJoin(i - 1) && canJoin(i + 1);
}

/// A selector or flag letter that belongs to the character before it.
bool modifiesPrevious(const std::vector<Unit>& units, std::size_t i)
{
    if (i == 0 || units[i - 1].strayByte)
        return false;
    const char32_t previous = units[i - 1].codePoint;
    if (isVariationSelector(units[i].codePoint))
        return isPlain(previous);
    return previous == 0x1F3F4 || isEmojiTag(previous);
}

TextRun show(const std::vector<Unit>& units, std::size_t i)
{
    const char32_t codePoint = units[i].codePoint;
    switch (codePoint) {
    case U' ':
        return {QString(QChar(0x2423)), Style::Whitespace};
    case U'\n':
        return {QString(QChar(0x21B5)), Style::Whitespace};
    case U'\t':
        return {QString(QChar(0x21E5)), Style::Whitespace};
    default:
        break;
    }
    if (isMark(codePoint) && !isVariationSelector(codePoint)) {
        // Alone it would sit on whatever is drawn before it; the dotted circle is its usual seat.
        const bool seated =
            i > 0 && !units[i - 1].strayByte &&
            (isPlain(units[i - 1].codePoint) || isVariationSelector(units[i - 1].codePoint));
        return {seated ? oneCharacter(codePoint) : QChar(0x25CC) + oneCharacter(codePoint),
                Style::Letters};
    }
    if (isPlain(codePoint))
        return {oneCharacter(codePoint), Style::Letters};
    if ((isJoiner(codePoint) && joinsNeighbours(units, i)) ||
        ((isVariationSelector(codePoint) || isEmojiTag(codePoint)) && modifiesPrevious(units, i)))
        return {oneCharacter(codePoint), Style::Letters};
    return {codePointName(codePoint), Style::Whitespace};
}

void append(std::vector<TextRun>& runs, TextRun run)
{
    if (!runs.empty() && runs.back().style == run.style)
        runs.back().text += run.text;
    else
        runs.push_back(std::move(run));
}

/// Starts of the characters a reader would count, and the end of the text.
std::vector<qsizetype> characterStarts(const QString& text)
{
    std::vector<qsizetype> starts = {0};
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    for (qsizetype at = finder.toNextBoundary(); at > 0; at = finder.toNextBoundary())
        starts.push_back(at);
    return starts;
}

bool hasRightToLeft(const QString& text)
{
    return std::any_of(text.begin(), text.end(),
                       [](QChar character) {
                           return character.direction() == QChar::DirR ||
                                  character.direction() == QChar::DirAL;
                       }) ||
           text.isRightToLeft();
}

} // namespace

std::vector<TextRun> visibleRuns(const engine::TokenPiece& piece)
{
    if (piece.bytes.empty()) {
        const bool special = piece.kind == engine::TokenKind::Control;
        return {{QString(QChar(0x2205)), special ? Style::Special : Style::Whitespace}};
    }
    const std::vector<Unit> units = unitsOf(piece.bytes);
    std::vector<TextRun> runs;
    for (std::size_t i = 0; i < units.size();) {
        if (!units[i].strayByte) {
            append(runs, show(units, i));
            ++i;
            continue;
        }
        std::string stray;
        for (; i < units.size() && units[i].strayByte; ++i)
            stray.push_back(static_cast<char>(*units[i].strayByte));
        runs.push_back({bracketed(hexBytes(stray)), Style::Bytes});
    }
    if (piece.kind == engine::TokenKind::Control)
        for (TextRun& run : runs)
            run.style = Style::Special;
    return runs;
}

std::vector<TextRun> elidedRuns(const std::vector<TextRun>& runs, int maxCharacters)
{
    std::vector<std::vector<qsizetype>> starts;
    int count = 0;
    for (const TextRun& run : runs) {
        starts.push_back(characterStarts(run.text));
        count += static_cast<int>(starts.back().size()) - 1;
    }
    if (count <= maxCharacters)
        return runs;
    const int shown = std::max(0, maxCharacters - 1);
    const int head = (shown + 1) / 2;
    const int tail = count - shown / 2; // first character after the gap
    std::vector<TextRun> kept;
    bool gapShown = false;
    int at = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const int length = static_cast<int>(starts[i].size()) - 1;
        const auto part = [&](int from, int to) {
            const auto begin = starts[i][static_cast<std::size_t>(from)];
            return runs[i].text.mid(begin, starts[i][static_cast<std::size_t>(to)] - begin);
        };
        const int headEnd = std::clamp(head - at, 0, length);
        const int tailBegin = std::clamp(tail - at, 0, length);
        if (headEnd > 0)
            kept.push_back({part(0, headEnd), runs[i].style});
        if (headEnd < tailBegin && !gapShown) {
            kept.push_back({QString(QChar(0x2026)), Style::Whitespace});
            gapShown = true;
        }
        if (tailBegin < length)
            kept.push_back({part(tailBegin, length), runs[i].style});
        at += length;
    }
    return kept;
}

QString visibleText(const engine::TokenPiece& piece, int maxCharacters)
{
    QString text;
    for (const TextRun& run : elidedRuns(visibleRuns(piece), maxCharacters))
        text += run.text;
    // Isolated, so that a right-to-left token leaves the numbers around it where they are.
    return hasRightToLeft(text) ? QChar(0x2068) + text + QChar(0x2069) : text;
}

QString hexBytes(const std::string& bytes)
{
    const QByteArray raw(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QString::fromLatin1(raw.toHex(' ').toUpper());
}

QString decodedText(const std::string& bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

} // namespace ui
