#include "ui/explore/TokenFinder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace ui {
namespace {

/// How well a token fits; smaller is better.
enum class Fit
{
    Id,
    Whole,
    Beginning,
    Inside,
};

std::optional<Fit> fitOf(const engine::TokenPiece& piece, std::string_view text,
                         std::optional<std::int32_t> id)
{
    if (id && piece.id.value == *id)
        return Fit::Id;
    const std::string_view bytes = piece.bytes;
    const std::size_t at = bytes.find(text);
    if (at == std::string_view::npos)
        return std::nullopt;
    const bool isAtBegin = at == 0 || (at == 1 && bytes.front() == ' ');
    if (!isAtBegin)
        return Fit::Inside;
    return at + text.size() == bytes.size() ? Fit::Whole : Fit::Beginning;
}

} // namespace

TokenMatches findTokens(const std::vector<engine::TokenPiece>& vocabulary, const QString& query,
                        std::size_t most)
{
    TokenMatches matches;
    if (query.isEmpty())
        return matches;
    QString plain = query;
    plain.replace(QChar(0x2423), QLatin1Char(' ')).replace(QChar(0x21B5), QLatin1Char('\n'));
    const std::string text = plain.toStdString();
    bool isNumber = false;
    const int number = query.trimmed().toInt(&isNumber);
    const auto id = isNumber ? std::optional<std::int32_t>(number) : std::nullopt;

    std::vector<std::pair<Fit, const engine::TokenPiece*>> found;
    for (const engine::TokenPiece& piece : vocabulary)
        if (const auto fit = fitOf(piece, text, id))
            found.emplace_back(*fit, &piece);
    matches.count = static_cast<std::int64_t>(found.size());
    const auto better = [](const auto& a, const auto& b) {
        return std::tuple(a.first, a.second->id) < std::tuple(b.first, b.second->id);
    };
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
    std::partial_sort(found.begin(), end, found.end(), better);
    for (auto match = found.begin(); match != end; ++match)
        matches.shown.push_back(*match->second);
    return matches;
}

} // namespace ui
