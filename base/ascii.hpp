#pragma once
// Letters of ASCII whatever the locale is: HTTP, cron and our own formats know no others. Pure.
#include <string>
#include <string_view>

namespace postrider::base {

std::string to_lower(std::string text);
bool equals_without_case(std::string_view a, std::string_view b) noexcept;

} // namespace postrider::base
