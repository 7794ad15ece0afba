#pragma once

#include "engine/tokenizer/Utf8.h"
#include "engine/tokenizer/Vocabulary.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine {

/// Finds added tokens in a text: the leftmost, and of those that begin there the longest.
/// Thread: const.
class AddedTokenMatcher
{
public:
    /// Which special tokens count: those outside `plain`, if `parse` at all.
    struct SpecialPolicy
    {
        bool parse = false;
        ByteRange plain; ///< of the text that is searched
    };

    /// A stretch of the text: an added token, or plain text between two.
    struct Part
    {
        ByteRange range;
        const AddedToken* token = nullptr;
    };

    AddedTokenMatcher() = default;
    /// Tokens without content are left out.
    explicit AddedTokenMatcher(std::vector<AddedToken> tokens);
    AddedTokenMatcher(AddedTokenMatcher&&) = default;
    AddedTokenMatcher& operator=(AddedTokenMatcher&&) = default;

    bool empty() const { return m_tokens.empty(); }

    /// The whole text as parts, none empty. White space that a token strips belongs to its part.
    std::vector<Part> split(std::string_view text, const SpecialPolicy& policy) const;

private:
    const AddedToken* longestAt(std::string_view text, std::size_t offset,
                                const SpecialPolicy& policy) const;

    std::vector<AddedToken> m_tokens;
    std::unordered_map<std::string_view, std::size_t> m_byContent; ///< views into m_tokens
    /// For each first byte the lengths of the tokens that begin with it, longest first.
    std::array<std::vector<std::size_t>, 256> m_lengths;
};

} // namespace engine
