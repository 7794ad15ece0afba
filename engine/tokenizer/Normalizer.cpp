#include "engine/tokenizer/Normalizer.h"

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

Result<std::string> Normalizer::apply(const Step& step, std::string text)
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
    }
    return text;
}

Result<std::string> Normalizer::apply(std::string_view text) const
{
    std::string current(text);
    for (const Step& step : m_steps) {
        Result<std::string> next = apply(step, std::move(current));
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
