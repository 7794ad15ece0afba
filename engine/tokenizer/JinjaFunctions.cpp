#include "engine/tokenizer/JinjaFunctions.h"

#include "engine/tokenizer/Utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>

namespace engine {

namespace {

using Kind = JinjaValue::Kind;

/// Python's default white space, of which templates only ever meet ASCII and the Unicode spaces.
MarkedText stripped(const MarkedText& text, const JinjaValue& characters, bool left, bool right)
{
    const bool isGiven = characters.is(Kind::Text);
    const auto drops = [&](const Utf8Character& character) {
        if (!isGiven)
            return isWhiteSpace(character.codepoint) ||
                   (character.codepoint >= 0x1C && character.codepoint <= 0x1F);
        const std::string& set = characters.text.bytes;
        for (std::size_t at = 0; at < set.size(); at += characterSize(set, at))
            if (characterAt(set, at).codepoint == character.codepoint)
                return true;
        return false;
    };
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (left && begin < end) {
        const Utf8Character character = characterAt(text.bytes, begin);
        if (!drops(character))
            break;
        begin += character.size;
    }
    while (right && begin < end) {
        std::size_t last = end - 1;
        while (last > begin && (static_cast<unsigned char>(text.bytes[last]) & 0xC0) == 0x80)
            --last;
        if (!drops(characterAt(text.bytes, last)))
            break;
        end = last;
    }
    return text.part(begin, end);
}

/// Character by character, each with its mark.
MarkedText withCase(const MarkedText& text, bool upper)
{
    MarkedText result;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = characterAt(text.bytes, at);
        const auto codepoint = static_cast<utf8proc_int32_t>(character.codepoint);
        std::string changed;
        appendUtf8(changed, static_cast<char32_t>(upper ? utf8proc_toupper(codepoint)
                                                        : utf8proc_tolower(codepoint)));
        result.append({changed, std::string(changed.size(), text.marks[at])});
        at += character.size;
    }
    return result;
}

MarkedText capitalized(const MarkedText& text)
{
    MarkedText result = withCase(text, false);
    const std::size_t size = text.empty() ? 0 : characterSize(result.bytes, 0);
    MarkedText first = withCase(result.part(0, size), true);
    first.append(result.part(size, result.size()));
    return first;
}

MarkedText replaced(const MarkedText& text, const std::string& from, const MarkedText& to,
                    std::int64_t count)
{
    MarkedText result;
    std::size_t offset = 0;
    while (count-- != 0 && !from.empty()) {
        const std::size_t found = text.bytes.find(from, offset);
        if (found == std::string::npos)
            break;
        result.append(text.part(offset, found));
        result.append(to);
        offset = found + from.size();
    }
    result.append(text.part(offset, text.size()));
    return result;
}

JinjaValue::List split(const MarkedText& text, const JinjaValue& separator, std::int64_t most)
{
    JinjaValue::List parts;
    std::size_t offset = 0;
    if (separator.is(Kind::Text) && !separator.text.empty()) {
        while (most-- != 0) {
            const std::size_t found = text.bytes.find(separator.text.bytes, offset);
            if (found == std::string::npos)
                break;
            parts.push_back(JinjaValue::string(text.part(offset, found)));
            offset = found + separator.text.size();
        }
        parts.push_back(JinjaValue::string(text.part(offset, text.size())));
        return parts;
    }
    // By runs of white space, with none at the ends.
    while (true) {
        const MarkedText rest = stripped(text.part(offset, text.size()), {}, true, false);
        offset = text.size() - rest.size();
        if (rest.empty())
            return parts;
        std::size_t end = 0;
        while (end < rest.size() && !isWhiteSpace(characterAt(rest.bytes, end).codepoint))
            end += characterSize(rest.bytes, end);
        parts.push_back(JinjaValue::string(rest.part(0, most-- == 0 ? rest.size() : end)));
        offset += parts.back().text.size();
    }
}

std::int64_t length(const JinjaValue& value)
{
    if (value.is(Kind::List))
        return static_cast<std::int64_t>(value.list->size());
    if (value.is(Kind::Map))
        return static_cast<std::int64_t>(value.map->size());
    std::int64_t characters = 0;
    for (std::size_t at = 0; at < value.text.size(); at += characterSize(value.text.bytes, at))
        ++characters;
    return characters;
}

JinjaValue::List items(const JinjaValue& map)
{
    JinjaValue::List pairs;
    for (const auto& [key, value] : *map.map)
        pairs.push_back(JinjaValue::listOf({JinjaValue::string(key), value}));
    return pairs;
}

JinjaValue joined(const JinjaValue::List& elements, const MarkedText& separator)
{
    MarkedText result;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (i > 0)
            result.append(separator);
        result.append(elements[i].shown());
    }
    return JinjaValue::string(std::move(result));
}

std::int64_t integerOr(const JinjaValue& value, std::int64_t otherwise)
{
    return value.is(Kind::Integer) || value.is(Kind::Boolean) ? value.integer : otherwise;
}

std::optional<JinjaValue> filterText(std::string_view name, const MarkedText& text,
                                     const JinjaArguments& arguments)
{
    if (name == "trim")
        return JinjaValue::string(stripped(text, arguments.get(0, "chars"), true, true));
    if (name == "upper" || name == "lower")
        return JinjaValue::string(withCase(text, name == "upper"));
    if (name == "capitalize")
        return JinjaValue::string(capitalized(text));
    if (name == "replace" && arguments.values.size() >= 2)
        return JinjaValue::string(replaced(text, arguments.values[0].shown().bytes,
                                           arguments.values[1].shown(),
                                           integerOr(arguments.get(2, "count"), -1)));
    return std::nullopt;
}

std::optional<JinjaValue> filterElements(std::string_view name, JinjaValue::List elements,
                                         const JinjaArguments& arguments)
{
    if (name == "list")
        return JinjaValue::listOf(std::move(elements));
    if (name == "first")
        return elements.empty() ? JinjaValue() : elements.front();
    if (name == "last")
        return elements.empty() ? JinjaValue() : elements.back();
    if (name == "reverse") {
        std::reverse(elements.begin(), elements.end());
        return JinjaValue::listOf(std::move(elements));
    }
    if (name == "join") {
        const JinjaValue attribute = arguments.get(1, "attribute");
        if (attribute.is(Kind::Text))
            for (JinjaValue& element : elements) {
                const JinjaValue* member = element.member(attribute.text.bytes);
                element = member ? JinjaValue(*member) : JinjaValue();
            }
        return joined(elements, arguments.get(0, "d").shown());
    }
    return std::nullopt;
}

} // namespace

JinjaValue JinjaArguments::get(std::size_t index, std::string_view name) const
{
    if (index < values.size())
        return values[index];
    for (const auto& [key, value] : named)
        if (key == name)
            return value;
    return {};
}

std::optional<JinjaValue::List> jinjaElements(const JinjaValue& value)
{
    JinjaValue::List elements;
    switch (value.kind) {
    case Kind::Undefined:
        return elements;
    case Kind::List:
        return *value.list;
    case Kind::Map:
        for (const auto& [key, member] : *value.map)
            elements.push_back(JinjaValue::string(key));
        return elements;
    case Kind::Text:
        for (std::size_t at = 0; at < value.text.size();) {
            const std::size_t size = characterSize(value.text.bytes, at);
            elements.push_back(JinjaValue::string(value.text.part(at, at + size)));
            at += size;
        }
        return elements;
    default:
        return std::nullopt;
    }
}

std::optional<bool> jinjaContains(const JinjaValue& haystack, const JinjaValue& needle)
{
    if (haystack.is(Kind::Text) && needle.is(Kind::Text))
        return haystack.text.bytes.find(needle.text.bytes) != std::string::npos;
    if (haystack.is(Kind::Map))
        return needle.is(Kind::Text) && haystack.member(needle.text.bytes);
    if (!haystack.is(Kind::List) && !haystack.is(Kind::Undefined))
        return std::nullopt;
    return haystack.is(Kind::List) &&
           std::find(haystack.list->begin(), haystack.list->end(), needle) != haystack.list->end();
}

std::optional<JinjaValue> applyJinjaFilter(std::string_view name, const JinjaValue& value,
                                           const JinjaArguments& arguments)
{
    if (name == "default" || name == "d") {
        const bool replaces =
            value.is(Kind::Undefined) || (arguments.get(1, "boolean").isTrue() && !value.isTrue());
        return replaces ? arguments.get(0, "default_value") : value;
    }
    if (name == "string")
        return JinjaValue::string(value.shown());
    if (name == "safe")
        return value;
    if (name == "tojson" && arguments.values.empty() && arguments.named.empty())
        return JinjaValue::string(value.json());
    if (name == "int" && value.is(Kind::Text)) {
        std::int64_t number = 0;
        std::from_chars(value.text.bytes.data(), value.text.bytes.data() + value.text.size(),
                        number);
        return JinjaValue::number(number);
    }
    if (name == "int" && (value.is(Kind::Integer) || value.is(Kind::Boolean)))
        return JinjaValue::number(value.integer);
    if ((name == "length" || name == "count") && jinjaElements(value))
        return JinjaValue::number(length(value));
    if (name == "items" && value.is(Kind::Map))
        return JinjaValue::listOf(items(value));
    if (name == "dictsort" && value.is(Kind::Map)) {
        JinjaValue::List pairs = items(value);
        std::stable_sort(pairs.begin(), pairs.end(), [](const JinjaValue& a, const JinjaValue& b) {
            return withCase((*a.list)[0].text, false).bytes <
                   withCase((*b.list)[0].text, false).bytes;
        });
        return JinjaValue::listOf(std::move(pairs));
    }
    if (value.is(Kind::Text) || value.is(Kind::Undefined))
        if (auto result = filterText(name, value.shown(), arguments))
            return result;
    if (auto elements = jinjaElements(value))
        return filterElements(name, *std::move(elements), arguments);
    return std::nullopt;
}

std::optional<bool> applyJinjaTest(std::string_view name, const JinjaValue& value,
                                   const JinjaArguments& arguments)
{
    const bool isIterable = value.is(Kind::Text) || value.is(Kind::List) || value.is(Kind::Map);
    if (name == "defined")
        return !value.is(Kind::Undefined);
    if (name == "undefined")
        return value.is(Kind::Undefined);
    if (name == "none")
        return value.is(Kind::None);
    if (name == "string")
        return value.is(Kind::Text);
    if (name == "mapping")
        return value.is(Kind::Map);
    if (name == "iterable")
        return isIterable || value.is(Kind::Undefined);
    if (name == "sequence")
        return isIterable || value.is(Kind::Undefined);
    if (name == "number" || name == "integer")
        return value.is(Kind::Integer) || (name == "number" && value.is(Kind::Boolean));
    if (name == "boolean")
        return value.is(Kind::Boolean);
    if (name == "true" || name == "false")
        return value.is(Kind::Boolean) && value.isTrue() == (name == "true");
    if (name == "odd" || name == "even")
        return (value.integer % 2 != 0) == (name == "odd");
    if (name == "callable")
        return value.is(Kind::Function);
    if ((name == "equalto" || name == "eq" || name == "==") && !arguments.values.empty())
        return value == arguments.values[0];
    if ((name == "ne" || name == "!=") && !arguments.values.empty())
        return !(value == arguments.values[0]);
    if (name == "in" && !arguments.values.empty())
        return jinjaContains(arguments.values[0], value);
    return std::nullopt;
}

namespace {

std::optional<JinjaValue> callTextMethod(std::string_view name, const MarkedText& text,
                                         const JinjaArguments& arguments)
{
    const JinjaValue first = arguments.get(0);
    if (name == "strip" || name == "lstrip" || name == "rstrip")
        return JinjaValue::string(stripped(text, first, name != "rstrip", name != "lstrip"));
    if (name == "split")
        return JinjaValue::listOf(
            split(text, arguments.get(0, "sep"), integerOr(arguments.get(1, "maxsplit"), -1)));
    if (name == "upper" || name == "lower")
        return JinjaValue::string(withCase(text, name == "upper"));
    if (name == "capitalize")
        return JinjaValue::string(capitalized(text));
    if (name == "startswith" && first.is(Kind::Text))
        return JinjaValue::boolean(text.bytes.starts_with(first.text.bytes));
    if (name == "endswith" && first.is(Kind::Text))
        return JinjaValue::boolean(text.bytes.ends_with(first.text.bytes));
    if (name == "replace" && arguments.values.size() >= 2)
        return JinjaValue::string(replaced(text, first.text.bytes, arguments.values[1].text,
                                           integerOr(arguments.get(2, "count"), -1)));
    if (name == "join")
        if (const auto elements = jinjaElements(first))
            return joined(*elements, text);
    return std::nullopt;
}

} // namespace

std::optional<JinjaValue> callJinjaMethod(std::string_view name, const JinjaValue& value,
                                          const JinjaArguments& arguments)
{
    if (value.is(Kind::Text))
        return callTextMethod(name, value.text, arguments);
    if (!value.is(Kind::Map))
        return std::nullopt;
    if (name == "items")
        return JinjaValue::listOf(items(value));
    if (name == "keys")
        return JinjaValue::listOf(*jinjaElements(value));
    if (name == "values") {
        JinjaValue::List values;
        for (const auto& [key, member] : *value.map)
            values.push_back(member);
        return JinjaValue::listOf(std::move(values));
    }
    if (name == "get" && !arguments.values.empty()) {
        const JinjaValue* member = value.member(arguments.values[0].text.bytes);
        if (member)
            return *member;
        return arguments.values.size() > 1 ? arguments.values[1] : JinjaValue::none();
    }
    return std::nullopt;
}

} // namespace engine
