#include "engine/tokenizer/Normalizer.h"

#include "engine/tokenizer/TokenizerSpec.h"
#include "engine/tokenizer/Utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace engine {

namespace {

Result<std::string> unicodeForm(Normalizer::Form form, std::string text)
{
    const bool ascii = std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii) // the same in all four forms
        return text;
    int options = UTF8PROC_STABLE;
    switch (form) {
    case Normalizer::Form::Nfc:
        options |= UTF8PROC_COMPOSE;
        break;
    case Normalizer::Form::Nfd:
        options |= UTF8PROC_DECOMPOSE;
        break;
    case Normalizer::Form::Nfkc:
        options |= UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
        break;
    case Normalizer::Form::Nfkd:
        options |= UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
        break;
    }
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t size =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                     static_cast<utf8proc_option_t>(options));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    if (size < 0)
        return Error{size == UTF8PROC_ERROR_NOMEM ? ErrorCode::OutOfMemory
                                                  : ErrorCode::InvalidArgument,
                     std::string("text: cannot be normalised: ") + utf8proc_errmsg(size)};
    return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size));
}

std::string lowercase(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const Utf8Character character = characterAt(text, offset);
        offset += character.size;
        appendUtf8(result, static_cast<char32_t>(utf8proc_tolower(
                               static_cast<utf8proc_int32_t>(character.codepoint))));
        // U+0130 is the one character whose full lower case is two: i and a dot above.
        if (character.codepoint == 0x130 && !result.ends_with("\xCC\x87")) {
            if (!result.ends_with('i'))
                result.replace(result.size() - 2, 2, "i");
            appendUtf8(result, 0x307);
        }
    }
    return result;
}

std::string replaceAll(std::string_view text, std::string_view literal, std::string_view content)
{
    std::string result;
    result.reserve(text.size());
    std::size_t offset = 0;
    while (true) {
        const std::size_t found = text.find(literal, offset);
        if (literal.empty() || found == std::string_view::npos)
            break;
        result.append(text.substr(offset, found - offset)).append(content);
        offset = found + literal.size();
    }
    return result.append(text.substr(offset));
}

Result<std::string> replaceAll(std::string_view text, const Regex& pattern,
                               std::string_view content)
{
    std::string result;
    result.reserve(text.size());
    std::size_t offset = 0;
    const auto done = pattern.forEachMatch(text, [&](ByteRange match) {
        result.append(text.substr(offset, match.begin - offset)).append(content);
        offset = match.end;
    });
    if (!done)
        return done.error();
    return result.append(text.substr(offset));
}

std::string strip(std::string_view text, bool left, bool right)
{
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (left && begin < end) {
        const Utf8Character character = characterAt(text, begin);
        if (!isWhiteSpace(character.codepoint))
            break;
        begin += character.size;
    }
    while (right && begin < end) {
        std::size_t last = end - 1;
        while (last > begin && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80)
            --last;
        if (!isWhiteSpace(characterAt(text, last).codepoint))
            break;
        end = last;
    }
    return std::string(text.substr(begin, end - begin));
}

std::string withoutMarks(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const Utf8Character character = characterAt(text, offset);
        const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(character.codepoint));
        if (category != UTF8PROC_CATEGORY_MN && category != UTF8PROC_CATEGORY_MC &&
            category != UTF8PROC_CATEGORY_ME)
            result.append(text.substr(offset, character.size));
        offset += character.size;
    }
    return result;
}

std::string sentencePieceSpaces(std::string_view text, bool removesExtra, bool addsPrefix)
{
    if (removesExtra) // at the start; elsewhere below
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty())
        return {};
    std::string result;
    result.reserve(text.size() + text.size() / 4);
    if (addsPrefix)
        result.append(kSpaceMark);
    bool behindSpace = false;
    for (const char byte : text) {
        if (byte != ' ')
            result += byte;
        else if (!removesExtra || !behindSpace)
            result.append(kSpaceMark);
        behindSpace = byte == ' ';
    }
    while (removesExtra && result.ends_with(kSpaceMark))
        result.resize(result.size() - kSpaceMark.size());
    return result;
}

} // namespace

void Normalizer::addForm(Form form)
{
    m_steps.push_back({.kind = Kind::Form, .form = form});
}

void Normalizer::addLowercase()
{
    m_steps.push_back({.kind = Kind::Lowercase});
}

void Normalizer::addPrepend(std::string content)
{
    m_steps.push_back({.kind = Kind::Prepend, .content = std::move(content)});
}

void Normalizer::addReplace(std::string literal, std::string content)
{
    m_steps.push_back({.kind = Kind::ReplaceLiteral,
                       .literal = std::move(literal),
                       .content = std::move(content)});
}

void Normalizer::addReplace(Regex pattern, std::string content)
{
    m_steps.push_back({.kind = Kind::ReplacePattern,
                       .literal = pattern.pattern(),
                       .content = std::move(content),
                       .pattern = std::move(pattern)});
}

void Normalizer::addStrip(bool left, bool right)
{
    m_steps.push_back({.kind = Kind::Strip, .left = left, .right = right});
}

void Normalizer::addStripAccents()
{
    m_steps.push_back({.kind = Kind::StripAccents});
}

void Normalizer::addCharacterMap(CharacterMap map)
{
    std::string digest = map.sha256();
    m_steps.push_back(
        {.kind = Kind::MapGraphemes, .literal = std::move(digest), .map = std::move(map)});
}

void Normalizer::addCharacterMap(CharacterMap map, PieceTrie kept)
{
    std::string digest = map.sha256();
    m_steps.push_back({.kind = Kind::MapLongest,
                       .literal = std::move(digest),
                       .map = std::move(map),
                       .kept = std::move(kept)});
}

void Normalizer::addSentencePieceSpaces(bool removesExtra, bool addsPrefix)
{
    m_steps.push_back(
        {.kind = Kind::SentencePieceSpaces, .left = addsPrefix, .right = removesExtra});
}

Result<std::string> Normalizer::apply(const Step& step, std::string text, bool atStart)
{
    switch (step.kind) {
    case Kind::Form:
        return unicodeForm(step.form, std::move(text));
    case Kind::Lowercase:
        return lowercase(text);
    case Kind::Prepend:
        return text.empty() ? text : step.content + text;
    case Kind::ReplaceLiteral:
        return replaceAll(text, step.literal, step.content);
    case Kind::ReplacePattern:
        return replaceAll(text, *step.pattern, step.content);
    case Kind::Strip:
        return strip(text, step.left, step.right);
    case Kind::StripAccents:
        return withoutMarks(text);
    case Kind::MapLongest:
        return step.map->applyToLongest(text, step.kept);
    case Kind::MapGraphemes:
        return step.map->applyToGraphemes(text);
    case Kind::SentencePieceSpaces:
        return sentencePieceSpaces(text, step.right, step.left && atStart);
    }
    return text;
}

Result<std::string> Normalizer::apply(std::string_view text, bool atStart) const
{
    std::string current(text);
    for (const Step& step : m_steps) {
        Result<std::string> next = apply(step, std::move(current), atStart);
        if (!next)
            return next;
        current = *std::move(next);
    }
    return current;
}

std::string Normalizer::canonical() const
{
    std::string text;
    for (const Step& step : m_steps) {
        text += "kind " + std::to_string(static_cast<int>(step.kind));
        text += " form " + std::to_string(static_cast<int>(step.form));
        text += " strip " + std::to_string(step.left) + std::to_string(step.right);
        for (const std::string* field : {&step.literal, &step.content})
            text.append(" ").append(std::to_string(field->size())).append(":").append(*field);
        text += "\n";
    }
    return text;
}

} // namespace engine
