#include "engine/tokenizer/BpeMerges.h"

#include "engine/io/FileError.h"

#include <algorithm>
#include <bit>

namespace engine {

namespace {

std::uint64_t pairKey(std::int32_t left, std::int32_t right)
{
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
}

/// Fibonacci hashing: the high bits of a product with 2^64 / golden ratio.
std::uint64_t mixed(std::uint64_t key)
{
    return key * 0x9E3779B97F4A7C15ull;
}

std::string quoted(std::string_view text)
{
    std::string result = "\"";
    return result.append(printable(text)).append("\"");
}

} // namespace

Result<Merge> findMerge(std::string_view left, std::string_view right, const Vocabulary& vocabulary,
                        const std::string& where)
{
    const auto leftId = vocabulary.find(left);
    const auto rightId = vocabulary.find(right);
    std::string whole(left);
    whole.append(right);
    const auto merged = vocabulary.find(whole);
    if (leftId && rightId && merged)
        return Merge{*leftId, *rightId, *merged};
    const std::string_view missing = !leftId ? left : !rightId ? right : std::string_view(whole);
    return Error{ErrorCode::BadFormat, where + ": merge of " + quoted(left) + " and " +
                                           quoted(right) + ": token " + quoted(missing) +
                                           " is not in the vocabulary"};
}

Result<Merge> parseMerge(std::string_view line, const Vocabulary& vocabulary,
                         const std::string& where)
{
    const std::size_t space = line.find(' ', 1);
    if (line.size() < 3 || space == std::string_view::npos || space + 1 >= line.size() ||
        line.find(' ', space + 1) != std::string_view::npos)
        return Error{ErrorCode::BadFormat, where +
                                               ": expected a merge as two tokens with one "
                                               "space between, found " +
                                               quoted(line)};
    return findMerge(line.substr(0, space), line.substr(space + 1), vocabulary, where);
}

BpeMerges::BpeMerges(const std::vector<Merge>& merges)
{
    const std::size_t size = std::bit_ceil(merges.size() * 2 + 2);
    m_slots.resize(size);
    m_shift = 64 - std::countr_zero(size);
    std::uint32_t rank = 0;
    for (const Merge& merge : merges) {
        const std::uint64_t key = pairKey(merge.left.value, merge.right.value);
        std::size_t slot = mixed(key) >> m_shift;
        while (m_slots[slot].pair != kFree && m_slots[slot].pair != key)
            slot = (slot + 1) & (size - 1);
        if (m_slots[slot].pair == kFree)
            m_slots[slot] = {key, rank, merge.merged.value};
        ++rank;
    }
}

const BpeMerges::Slot* BpeMerges::find(std::int32_t left, std::int32_t right) const
{
    if (left < 0 || right < 0 || m_slots.empty())
        return nullptr;
    const std::uint64_t key = pairKey(left, right);
    std::size_t slot = mixed(key) >> m_shift;
    while (m_slots[slot].pair != key) {
        if (m_slots[slot].pair == kFree)
            return nullptr;
        slot = (slot + 1) & (m_slots.size() - 1);
    }
    return &m_slots[slot];
}

namespace {

/// The heap's order: the candidate to merge first is at the front.
constexpr auto comesLater = [](const auto& a, const auto& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.position > b.position;
};

} // namespace

void BpeMerges::consider(std::int32_t position, Workspace& workspace) const
{
    if (position < 0)
        return;
    const auto& symbols = workspace.m_symbols;
    const auto& left = symbols[static_cast<std::size_t>(position)];
    if (left.next < 0)
        return;
    const auto& right = symbols[static_cast<std::size_t>(left.next)];
    const Slot* slot = find(left.id, right.id);
    if (!slot)
        return;
    workspace.m_heap.push_back({slot->rank, position, left.id, right.id, slot->merged});
    std::push_heap(workspace.m_heap.begin(), workspace.m_heap.end(), comesLater);
}

void BpeMerges::apply(std::vector<TokenId>& tokens, Workspace& workspace) const
{
    if (tokens.size() < 2)
        return;
    auto& symbols = workspace.m_symbols;
    auto& heap = workspace.m_heap;
    symbols.clear();
    heap.clear();
    const auto count = static_cast<std::int32_t>(tokens.size());
    for (std::int32_t i = 0; i < count; ++i)
        symbols.push_back(
            {tokens[static_cast<std::size_t>(i)].value, i - 1, i + 1 < count ? i + 1 : -1});
    for (std::int32_t i = 0; i + 1 < count; ++i)
        consider(i, workspace);

    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), comesLater);
        const auto best = heap.back();
        heap.pop_back();
        auto& left = symbols[static_cast<std::size_t>(best.position)];
        // A merge since then may have changed either side; a symbol that is gone has no id.
        if (left.id != best.left || left.next < 0 ||
            symbols[static_cast<std::size_t>(left.next)].id != best.right)
            continue;
        auto& right = symbols[static_cast<std::size_t>(left.next)];
        left.id = best.merged;
        left.next = right.next;
        right.id = -1;
        right.next = -1;
        if (left.next >= 0)
            symbols[static_cast<std::size_t>(left.next)].previous = best.position;
        consider(left.previous, workspace);
        consider(best.position, workspace);
    }

    tokens.clear();
    for (std::int32_t i = 0; i >= 0; i = symbols[static_cast<std::size_t>(i)].next)
        tokens.push_back({symbols[static_cast<std::size_t>(i)].id});
}

} // namespace engine
