#pragma once

#include "engine/tokenizer/JinjaValue.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// The arguments of a filter, test, method or macro.
struct JinjaArguments
{
    std::vector<JinjaValue> values;
    std::vector<std::pair<std::string, JinjaValue>> named;

    /// The argument at `index`, or of that name; Undefined where there is none.
    JinjaValue get(std::size_t index, std::string_view name = {}) const;
};

// Each gives nothing where it does not know the name, or not for such values. All work on copies;
// texts keep their marks. Source: the Jinja documentation 3.1, "List of Builtin Filters" and "List
// of Builtin Tests"; Python's str and dict for the methods.

/// `value | name(...)`, but for the filters that apply others (map, select, ...).
std::optional<JinjaValue> applyJinjaFilter(std::string_view name, const JinjaValue& value,
                                           const JinjaArguments& arguments);
/// `value is name(...)`
std::optional<bool> applyJinjaTest(std::string_view name, const JinjaValue& value,
                                   const JinjaArguments& arguments);
/// `value.name(...)`
std::optional<JinjaValue> callJinjaMethod(std::string_view name, const JinjaValue& value,
                                          const JinjaArguments& arguments);

/// Python's `needle in haystack`; nothing where that makes no sense.
std::optional<bool> jinjaContains(const JinjaValue& haystack, const JinjaValue& needle);

/// What a loop goes over: elements, keys, or characters; nothing where there are none.
std::optional<JinjaValue::List> jinjaElements(const JinjaValue& value);

} // namespace engine
