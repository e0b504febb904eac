#pragma once
// English names of months and weekdays, and their first letters, as machines write and read them.
#include <array>
#include <string_view>

namespace postrider::base {

inline constexpr std::array<std::string_view, 7> weekday_names{
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
inline constexpr std::array<std::string_view, 12> month_names{
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"};

inline constexpr std::array<std::string_view, 7> short_weekdays{
    "sun", "mon", "tue", "wed", "thu", "fri", "sat"};
inline constexpr std::array<std::string_view, 12> short_months{
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

} // namespace postrider::base
