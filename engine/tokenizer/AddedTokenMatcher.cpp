#include "engine/tokenizer/AddedTokenMatcher.h"

#include <utf8proc.h>

#include <algorithm>
#include <functional>

namespace engine {

namespace {

std::size_t previousCharacter(std::string_view text, std::size_t offset)
{
    std::size_t begin = offset - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
        --begin;
    return begin;
}

/// A letter, mark, digit or connecting punctuation such as the underscore.
bool isWordCharacter(char32_t codepoint)
{
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(codepoint))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
        return true;
    default:
        return false;
    }
}

bool touchesWord(std::string_view text, ByteRange range)
{
    if (range.begin > 0 &&
        isWordCharacter(characterAt(text, previousCharacter(text, range.begin)).codepoint))
        return true;
    return range.end < text.size() && isWordCharacter(characterAt(text, range.end).codepoint);
}

/// `range` with the white space that the token takes, but not before `from`.
ByteRange stripped(std::string_view text, ByteRange range, const AddedToken& token,
                   std::size_t from)
{
    while (token.leftStrip && range.begin > from) {
        const std::size_t previous = previousCharacter(text, range.begin);
        if (!isWhiteSpace(characterAt(text, previous).codepoint))
            break;
        range.begin = previous;
    }
    while (token.rightStrip && range.end < text.size()) {
        const Utf8Character character = characterAt(text, range.end);
        if (!isWhiteSpace(character.codepoint))
            break;
        range.end += character.size;
    }
    return range;
}

} // namespace

AddedTokenMatcher::AddedTokenMatcher(std::vector<AddedToken> tokens) : m_tokens(std::move(tokens))
{
    std::erase_if(m_tokens, [](const AddedToken& token) { return token.content.empty(); });
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        const std::string& content = m_tokens[i].content;
        m_byContent.emplace(content, i);
        m_lengths[static_cast<unsigned char>(content.front())].push_back(content.size());
    }
    for (auto& lengths : m_lengths) {
        std::sort(lengths.begin(), lengths.end(), std::greater<>());
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    }
}

const AddedToken* AddedTokenMatcher::longestAt(std::string_view text, std::size_t offset,
                                               const SpecialPolicy& policy) const
{
    for (const std::size_t length : m_lengths[static_cast<unsigned char>(text[offset])]) {
        if (length > text.size() - offset)
            continue;
        const auto found = m_byContent.find(text.substr(offset, length));
        if (found == m_byContent.end())
            continue;
        const AddedToken& token = m_tokens[found->second];
        const bool isPlain =
            !policy.parse || (offset < policy.plain.end && offset + length > policy.plain.begin);
        if (!token.special || !isPlain)
            return &token;
    }
    return nullptr;
}

std::vector<AddedTokenMatcher::Part> AddedTokenMatcher::split(std::string_view text,
                                                              const SpecialPolicy& policy) const
{
    std::vector<Part> parts;
    std::size_t done = 0;
    std::size_t offset = 0;
    while (offset < text.size()) {
        const AddedToken* token = longestAt(text, offset, policy);
        if (!token) {
            ++offset;
            continue;
        }
        const ByteRange match{offset, offset + token->content.size()};
        offset = match.end;
        if (token->singleWord && touchesWord(text, match))
            continue;
        const ByteRange range = stripped(text, match, *token, done);
        if (range.begin > done)
            parts.push_back({{done, range.begin}});
        parts.push_back({range, token});
        done = range.end;
        offset = std::max(offset, done);
    }
    if (done < text.size())
        parts.push_back({{done, text.size()}});
    return parts;
}

} // namespace engine
