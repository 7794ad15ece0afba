#include "app/commands/NumberOption.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace app {

namespace {

template <typename Number>
std::string shown(Number number)
{
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

template <typename Number>
bool isFinite(Number number)
{
    if constexpr (std::is_floating_point_v<Number>)
        return std::isfinite(number);
    return true;
}

} // namespace

template <typename Number>
engine::Result<Number> parseNumber(const std::string& text, const std::string& option, Number least,
                                   Number greatest)
{
    Number number{};
    const char* const last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(text.data(), last, number);
    if (fault == std::errc() && end == last && isFinite(number) && number >= least &&
        number <= greatest)
        return number;
    const char* const kind = std::is_integral_v<Number> ? "a whole number" : "a number";
    return engine::Error{engine::ErrorCode::InvalidArgument,
                         option + ": expected " + kind + " from " + shown(least) + " to " +
                             shown(greatest) + ", found \"" + text + "\""};
}

template <typename Number>
CLI::Option* addNumber(CLI::App& command, const std::string& option, Number least, Number greatest,
                       const std::string& description, std::function<void(Number)> take)
{
    const auto read = [option, least, greatest, take = std::move(take)](const std::string& text) {
        const auto number = parseNumber(text, option, least, greatest);
        if (!number)
            throw CLI::ValidationError(number.error().message);
        take(*number);
    };
    return command.add_option_function<std::string>(option, read, description)
        ->type_name(std::is_integral_v<Number> ? "INTEGER" : "NUMBER");
}

template <typename Number>
CLI::Option* addNumber(CLI::App& command, const std::string& option, Number& value, Number least,
                       Number greatest, const std::string& description)
{
    CLI::Option* added = addNumber<Number>(command, option, least, greatest, description,
                                           [&value](Number number) { value = number; });
    if (value >= least && value <= greatest)
        added->default_str(shown(value));
    return added;
}

#define TOKENSCOPE_NUMBER_OPTION(Number)                                                           \
    template engine::Result<Number> parseNumber(const std::string&, const std::string&, Number,    \
                                                Number);                                           \
    template CLI::Option* addNumber(CLI::App&, const std::string&, Number, Number,                 \
                                    const std::string&, std::function<void(Number)>);              \
    template CLI::Option* addNumber(CLI::App&, const std::string&, Number&, Number, Number,        \
                                    const std::string&);

TOKENSCOPE_NUMBER_OPTION(int)
TOKENSCOPE_NUMBER_OPTION(std::int64_t)
TOKENSCOPE_NUMBER_OPTION(std::uint64_t)
TOKENSCOPE_NUMBER_OPTION(double)

} // namespace app
