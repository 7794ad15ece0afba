#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// A text that remembers which of its bytes are the user's own words, through whatever a template
/// does with it.
struct MarkedText
{
    std::string bytes;
    std::string marks; ///< as long as `bytes`: 1 for the user's, else 0

    static MarkedText plain(std::string_view text)
    {
        return {std::string(text), std::string(text.size(), '\0')};
    }
    static MarkedText users(std::string_view text)
    {
        return {std::string(text), std::string(text.size(), '\1')};
    }

    std::size_t size() const { return bytes.size(); }
    bool empty() const { return bytes.empty(); }
    MarkedText part(std::size_t begin, std::size_t end) const;
    void append(const MarkedText& other);
};

/// A value of a template: what Python's None, bool, int, str, list and dict are to Jinja.
/// Lists and maps are shared, as there: a namespace is changed through every copy.
struct JinjaValue
{
    enum class Kind
    {
        Undefined,
        None,
        Boolean,
        Integer,
        Text,
        List,
        Map,
        Function, ///< a macro or a function that the renderer offers, by name
    };
    using List = std::vector<JinjaValue>;
    using Map = std::vector<std::pair<std::string, JinjaValue>>;

    Kind kind = Kind::Undefined;
    std::int64_t integer = 0; ///< also of a Boolean
    MarkedText text;          ///< also the name of a Function
    std::shared_ptr<List> list;
    std::shared_ptr<Map> map;

    static JinjaValue none();
    static JinjaValue boolean(bool value);
    static JinjaValue number(std::int64_t value);
    static JinjaValue string(MarkedText value);
    static JinjaValue string(std::string_view value);
    static JinjaValue listOf(List values);
    static JinjaValue mapOf(Map members);
    static JinjaValue function(std::string_view name);

    bool is(Kind expected) const { return kind == expected; }
    bool isTrue() const;
    const JinjaValue* member(std::string_view name) const;
    void setMember(std::string_view name, JinjaValue value);
    bool operator==(const JinjaValue& other) const; ///< as Python's ==
    /// As Python's str().
    MarkedText shown() const;
    /// As Python's json.dumps(value, ensure_ascii=False).
    MarkedText json() const;
};

} // namespace engine
