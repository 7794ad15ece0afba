#include "engine/tokenizer/CalendarDay.h"

#include <array>
#include <ctime>

namespace engine {

CalendarDay CalendarDay::today()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    if (!localtime_r(&now, &local))
        return {};
    return {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday};
}

std::optional<std::string> CalendarDay::written(std::string_view format) const
{
    constexpr std::array<std::string_view, 12> months = {
        "January", "February", "March",     "April",   "May",      "June",
        "July",    "August",   "September", "October", "November", "December"};
    const auto two = [](int number) {
        return std::string(number < 10 ? "0" : "") + std::to_string(number);
    };
    const std::string_view name = months[static_cast<std::size_t>(month - 1)];
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            text += format[i];
            continue;
        }
        switch (++i < format.size() ? format[i] : '\0') {
        case 'd':
            text += two(day);
            break;
        case 'm':
            text += two(month);
            break;
        case 'Y':
            text += std::to_string(year);
            break;
        case 'y':
            text += two(year % 100);
            break;
        case 'B':
            text += name;
            break;
        case 'b':
            text += name.substr(0, 3);
            break;
        default:
            return std::nullopt;
        }
    }
    return text;
}

} // namespace engine
