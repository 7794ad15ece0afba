#include "engine/tokenizer/PieceTrie.h"

#include <algorithm>

namespace engine {

namespace {

/// The pieces from `first` up to `last`, which share their first `depth` bytes, under one node.
struct Range
{
    std::size_t first;
    std::size_t last;
    std::size_t depth;
    std::int32_t node;
};

} // namespace

class PieceTrie::Builder
{
public:
    Builder(std::vector<Node>& nodes,
            const std::vector<std::pair<std::string_view, TokenId>>& pieces)
        : m_nodes(nodes), m_pieces(pieces)
    {
        m_nodes.resize(static_cast<std::size_t>(kCodes) + 1);
        m_nodes[0].check = 0; // the root is nobody's child
    }

    void run()
    {
        // A stack of our own: a long piece would be too deep for the program's.
        std::vector<Range> open = {{0, m_pieces.size(), 0, 0}};
        while (!open.empty()) {
            const Range range = open.back();
            open.pop_back();
            place(range, open);
        }
    }

private:
    std::int32_t codeAt(std::size_t piece, std::size_t depth) const
    {
        const std::string_view text = m_pieces[piece].first;
        return depth == text.size() ? kEnd : codeOf(text[depth]);
    }

    bool isFree(std::int32_t at) const
    {
        return at >= static_cast<std::int32_t>(m_nodes.size()) ||
               m_nodes[static_cast<std::size_t>(at)].check < 0;
    }

    /// The children of one node; sorted pieces make those of one child neighbours.
    void place(const Range& range, std::vector<Range>& open)
    {
        m_codes.clear();
        m_begins.clear();
        for (std::size_t i = range.first; i < range.last; ++i) {
            const std::int32_t code = codeAt(i, range.depth);
            if (m_codes.empty() || m_codes.back() != code) {
                m_codes.push_back(code);
                m_begins.push_back(i);
            }
        }
        m_begins.push_back(range.last);
        const std::int32_t base = findBase();
        m_nodes[static_cast<std::size_t>(range.node)].base = base;
        const auto needed = static_cast<std::size_t>(base + kCodes) + 1;
        if (needed > m_nodes.size())
            m_nodes.resize(std::max(needed, m_nodes.size() * 2));
        for (std::size_t i = 0; i < m_codes.size(); ++i) {
            const std::int32_t child = base + m_codes[i];
            Node& node = m_nodes[static_cast<std::size_t>(child)];
            node.check = range.node;
            if (m_codes[i] == kEnd)
                node.base = m_pieces[m_begins[i]].second.value;
            else
                open.push_back({m_begins[i], m_begins[i + 1], range.depth + 1, child});
        }
    }

    /// The first base at which all codes meet free nodes. A front that is nearly full is left
    /// behind, so that the search does not start over for each node.
    std::int32_t findBase()
    {
        const std::int32_t first = m_codes.front();
        while (!isFree(m_searchFrom))
            ++m_searchFrom;
        std::int32_t at = std::max(m_searchFrom, first + 1);
        const std::int32_t begin = at;
        std::int32_t taken = 0;
        const auto allFree = [&] {
            return std::all_of(m_codes.begin(), m_codes.end(),
                               [&](std::int32_t code) { return isFree(at - first + code); });
        };
        for (; !allFree(); ++at)
            taken += isFree(at) ? 0 : 1;
        if (taken > (at - begin + 1) / 20 * 19)
            m_searchFrom = std::max(m_searchFrom, at);
        return at - first;
    }

    std::vector<Node>& m_nodes;
    const std::vector<std::pair<std::string_view, TokenId>>& m_pieces;
    std::vector<std::int32_t> m_codes; ///< of the node at hand
    std::vector<std::size_t> m_begins; ///< the first piece of each code, then the end
    std::int32_t m_searchFrom = 1;
};

PieceTrie::PieceTrie(std::vector<std::pair<std::string_view, TokenId>> pieces)
{
    if (pieces.empty())
        return;
    std::sort(pieces.begin(), pieces.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    Builder(m_nodes, pieces).run();
}

} // namespace engine
