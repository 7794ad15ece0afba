#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// The day that a template learns when it asks the clock.
struct CalendarDay
{
    int year = 1970;
    int month = 1; ///< 1 to 12
    int day = 1;

    static CalendarDay today(); ///< in local time

    /// As Python's strftime writes it, in English; of the format's letters %d, %m, %y, %Y, %b and
    /// %B are known, and nothing is given for others.
    std::optional<std::string> written(std::string_view format) const;
};

} // namespace engine
