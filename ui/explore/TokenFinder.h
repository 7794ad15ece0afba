#pragma once

#include "engine/api/Token.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace ui {

/// What a search found, the best first.
struct TokenMatches
{
    std::vector<engine::TokenPiece> shown; ///< at most as many as asked for
    std::int64_t count = 0;                ///< of all that match
};

/// The tokens that a query names: one by its id, where the query is a number, and those whose text
/// has the query in it. First the id, then tokens that are the query (with a space before it or
/// without), then those that begin with it, then the rest, each by id. The signs that the window
/// shows for a space and a line end, ␣ and ↵, stand for them. An empty query names none.
/// `vocabulary` holds each id once, in any order. One pass over it.
TokenMatches findTokens(const std::vector<engine::TokenPiece>& vocabulary, const QString& query,
                        std::size_t most);

} // namespace ui
