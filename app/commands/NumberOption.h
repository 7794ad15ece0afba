#pragma once

#include "engine/api/Error.h"

#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace app {

/// A number in the words of a call, by the one rule for all of them: decimal, filling its word, and
/// in the range that the message names. `Number` is int, std::int64_t, std::uint64_t or double (a
/// double may have a fraction and an exponent, and is finite). Errors: InvalidArgument, such as
/// "--top-k: expected a whole number from 0 to 9, found "0x10"".
template <typename Number>
engine::Result<Number> parseNumber(const std::string& text, const std::string& option, Number least,
                                   Number greatest);

/// An option whose value is such a number. One that breaks the rule ends the parsing with
/// CLI::ValidationError.
template <typename Number>
CLI::Option* addNumber(CLI::App& command, const std::string& option, Number least, Number greatest,
                       const std::string& description, std::function<void(Number)> take);

/// The same for a variable, whose value so far the help shows as the default if it is in the range.
template <typename Number>
CLI::Option* addNumber(CLI::App& command, const std::string& option, Number& value, Number least,
                       Number greatest, const std::string& description);

} // namespace app
