#pragma once

#include "engine/api/Error.h"
#include "engine/api/Token.h"
#include "engine/tokenizer/Vocabulary.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Two neighbouring tokens and the one they become.
struct Merge
{
    TokenId left;
    TokenId right;
    TokenId merged;

    bool operator==(const Merge&) const = default;
};

/// The merge of two pieces that must be in the vocabulary, as must their concatenation. `where`
/// begins the message. Errors: BadFormat that names the merge and the piece that is missing.
Result<Merge> findMerge(std::string_view left, std::string_view right, const Vocabulary& vocabulary,
                        const std::string& where);

/// A merge written "left right", as merges.txt and most tokenizer.json files have it.
/// Errors: BadFormat, those of findMerge.
Result<Merge> parseMerge(std::string_view line, const Vocabulary& vocabulary,
                         const std::string& where);

/// Byte-pair encoding: of all neighbouring pairs the one that was learned first is merged, the
/// leftmost among equals, until no pair is left.
/// Time: n log n for n symbols, whatever they are. Thread: const; each caller has its Workspace.
/// Source: Sennrich et al. 2016 (arXiv:1508.07909).
class BpeMerges
{
public:
    /// Memory that is used again from word to word.
    class Workspace
    {
        friend class BpeMerges;
        struct Symbol
        {
            std::int32_t id;
            std::int32_t previous;
            std::int32_t next;
        };
        struct Candidate
        {
            std::uint32_t rank;
            std::int32_t position;
            std::int32_t left;
            std::int32_t right;
            std::int32_t merged;
        };
        std::vector<Symbol> m_symbols;
        std::vector<Candidate> m_heap;
    };

    BpeMerges() = default;
    /// In order of rank, first learned first. Of a pair given twice the first counts.
    explicit BpeMerges(const std::vector<Merge>& merges);

    /// Replaces `tokens` by what the merges make of them. Ids below 0 stay as they are.
    void apply(std::vector<TokenId>& tokens, Workspace& workspace) const;

private:
    struct Slot
    {
        std::uint64_t pair = kFree;
        std::uint32_t rank = 0;
        std::int32_t merged = 0;
    };
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};

    const Slot* find(std::int32_t left, std::int32_t right) const;
    void consider(std::int32_t position, Workspace& workspace) const;

    std::vector<Slot> m_slots; ///< open addressing, a power of two
    int m_shift = 0;
};

} // namespace engine
