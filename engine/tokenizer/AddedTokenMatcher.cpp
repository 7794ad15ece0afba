#include "engine/tokenizer/AddedTokenMatcher.h"

#include "engine/tokenizer/Regex.h"

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

/// \w of the library that Hugging Face's tokenizers use here (Unicode Technical Standard #18).
bool isWordCharacter(std::string_view character)
{
    static const Result<Regex> word =
        Regex::compile(R"([\w\x{200C}\x{200D}])", "built-in word characters");
    bool found = false;
    return word && word->forEachMatch(character, [&](ByteRange) { found = true; }) && found;
}

bool touchesWord(std::string_view text, ByteRange range)
{
    if (range.begin > 0) {
        const std::size_t previous = previousCharacter(text, range.begin);
        if (isWordCharacter(text.substr(previous, range.begin - previous)))
            return true;
    }
    return range.end < text.size() &&
           isWordCharacter(text.substr(range.end, characterSize(text, range.end)));
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
