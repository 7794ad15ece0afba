#pragma once

#include "engine/api/Token.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// All pieces of a vocabulary that a text begins with, found in one walk over its bytes.
/// A double array: node `s` has a child by byte `c` where the check of `base(s) + c` is `s`.
/// Thread: const. Source: Aoe 1989, "An efficient digital search algorithm by using a double-array
/// structure".
class PieceTrie
{
public:
    PieceTrie() = default;
    /// Pieces that are not empty, none twice; the views are not kept.
    explicit PieceTrie(std::vector<std::pair<std::string_view, TokenId>> pieces);

    /// Calls `visit(std::size_t size, TokenId)` for each piece that begins `text`, shortest first.
    template <typename Visit>
    void forEachPrefix(std::string_view text, Visit&& visit) const
    {
        std::int32_t node = 0;
        for (std::size_t size = 0; node < static_cast<std::int32_t>(m_nodes.size());) {
            if (size > 0)
                if (const std::int32_t end = child(node, kEnd); end >= 0)
                    visit(size, TokenId{m_nodes[static_cast<std::size_t>(end)].base});
            if (size == text.size())
                return;
            node = child(node, codeOf(text[size]));
            if (node < 0)
                return;
            ++size;
        }
    }

private:
    struct Node
    {
        std::int32_t base = 0; ///< where the children are; the id at the end of a piece
        std::int32_t check = -1;
    };
    static constexpr std::int32_t kEnd = 0; ///< the code behind a piece's last byte
    static constexpr std::int32_t kCodes = 257;

    static std::int32_t codeOf(char byte)
    {
        return static_cast<std::int32_t>(static_cast<unsigned char>(byte)) + 1;
    }

    std::int32_t child(std::int32_t node, std::int32_t code) const
    {
        const std::int32_t at = m_nodes[static_cast<std::size_t>(node)].base + code;
        return m_nodes[static_cast<std::size_t>(at)].check == node ? at : -1;
    }

    class Builder;

    std::vector<Node> m_nodes; ///< always with room for all codes behind any base
};

} // namespace engine
