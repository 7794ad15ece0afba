#include "engine/tokenizer/JinjaValue.h"

#include <algorithm>

namespace engine {

MarkedText MarkedText::part(std::size_t begin, std::size_t end) const
{
    return {bytes.substr(begin, end - begin), marks.substr(begin, end - begin)};
}

void MarkedText::append(const MarkedText& other)
{
    bytes += other.bytes;
    marks += other.marks;
}

JinjaValue JinjaValue::none()
{
    JinjaValue value;
    value.kind = Kind::None;
    return value;
}

JinjaValue JinjaValue::boolean(bool flag)
{
    JinjaValue value;
    value.kind = Kind::Boolean;
    value.integer = flag ? 1 : 0;
    return value;
}

JinjaValue JinjaValue::number(std::int64_t count)
{
    JinjaValue value;
    value.kind = Kind::Integer;
    value.integer = count;
    return value;
}

JinjaValue JinjaValue::string(MarkedText content)
{
    JinjaValue value;
    value.kind = Kind::Text;
    value.text = std::move(content);
    return value;
}

JinjaValue JinjaValue::string(std::string_view content)
{
    return string(MarkedText::plain(content));
}

JinjaValue JinjaValue::listOf(List values)
{
    JinjaValue value;
    value.kind = Kind::List;
    value.list = std::make_shared<List>(std::move(values));
    return value;
}

JinjaValue JinjaValue::mapOf(Map members)
{
    JinjaValue value;
    value.kind = Kind::Map;
    value.map = std::make_shared<Map>(std::move(members));
    return value;
}

JinjaValue JinjaValue::function(std::string_view name)
{
    JinjaValue value;
    value.kind = Kind::Function;
    value.text = MarkedText::plain(name);
    return value;
}

bool JinjaValue::isTrue() const
{
    switch (kind) {
    case Kind::Undefined:
    case Kind::None:
        return false;
    case Kind::Boolean:
    case Kind::Integer:
        return integer != 0;
    case Kind::Text:
        return !text.empty();
    case Kind::List:
        return !list->empty();
    case Kind::Map:
        return !map->empty();
    case Kind::Function:
        return true;
    }
    return false;
}

const JinjaValue* JinjaValue::member(std::string_view name) const
{
    if (kind != Kind::Map)
        return nullptr;
    const auto found = std::find_if(map->begin(), map->end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == map->end() ? nullptr : &found->second;
}

void JinjaValue::setMember(std::string_view name, JinjaValue value)
{
    for (auto& [key, old] : *map)
        if (key == name) {
            old = std::move(value);
            return;
        }
    map->emplace_back(name, std::move(value));
}

bool JinjaValue::operator==(const JinjaValue& other) const
{
    const auto isNumber = [](const JinjaValue& value) {
        return value.kind == Kind::Boolean || value.kind == Kind::Integer;
    };
    if (isNumber(*this) && isNumber(other))
        return integer == other.integer;
    if (kind != other.kind)
        return false;
    switch (kind) {
    case Kind::Text:
    case Kind::Function:
        return text.bytes == other.text.bytes;
    case Kind::List:
        return *list == *other.list;
    case Kind::Map:
        return map->size() == other.map->size() &&
               std::all_of(map->begin(), map->end(), [&](const auto& entry) {
                   const JinjaValue* same = other.member(entry.first);
                   return same && *same == entry.second;
               });
    default:
        return true;
    }
}

MarkedText JinjaValue::shown() const
{
    switch (kind) {
    case Kind::Text:
        return text;
    case Kind::None:
        return MarkedText::plain("None");
    case Kind::Boolean:
        return MarkedText::plain(integer != 0 ? "True" : "False");
    case Kind::Undefined:
        return {};
    default:
        return json();
    }
}

namespace {

/// A byte as it stands inside a JSON string.
std::string escaped(char c)
{
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::string_view special = "\"\\\n\r\t\b\f";
    constexpr std::string_view letters = "\"\\nrtbf";
    const std::size_t known = special.find(c);
    const auto byte = static_cast<unsigned char>(c);
    std::string text;
    if (known != std::string_view::npos) {
        text.push_back('\\');
        text.push_back(letters[known]);
    } else if (byte < 0x20) {
        text.append("\\u00");
        text.push_back(digits[byte >> 4]);
        text.push_back(digits[byte & 15]);
    } else {
        text.push_back(c);
    }
    return text;
}

MarkedText quoted(const MarkedText& text)
{
    MarkedText result = MarkedText::plain("\"");
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string written = escaped(text.bytes[i]);
        result.append({written, std::string(written.size(), text.marks[i])});
    }
    result.append(MarkedText::plain("\""));
    return result;
}

} // namespace

MarkedText JinjaValue::json() const
{
    switch (kind) {
    case Kind::Text:
        return quoted(text);
    case Kind::Boolean:
        return MarkedText::plain(integer != 0 ? "true" : "false");
    case Kind::Integer:
        return MarkedText::plain(std::to_string(integer));
    case Kind::List: {
        MarkedText result = MarkedText::plain("[");
        for (std::size_t i = 0; i < list->size(); ++i) {
            result.append(MarkedText::plain(i > 0 ? ", " : ""));
            result.append((*list)[i].json());
        }
        result.append(MarkedText::plain("]"));
        return result;
    }
    case Kind::Map: {
        MarkedText result = MarkedText::plain("{");
        for (std::size_t i = 0; i < map->size(); ++i) {
            result.append(MarkedText::plain(i > 0 ? ", " : ""));
            result.append(quoted(MarkedText::plain((*map)[i].first)));
            result.append(MarkedText::plain(": "));
            result.append((*map)[i].second.json());
        }
        result.append(MarkedText::plain("}"));
        return result;
    }
    default:
        return MarkedText::plain("null");
    }
}

} // namespace engine
