#include "agent/spam/counting.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::agent::spam {

base::setting limit_parameter(std::string_view fallback, std::string_view help) {
    return {
        .key = "limit",
        .type = base::setting_type::integer,
        .fallback = fallback,
        .constraint = "2..100",
        .help = help};
}

base::setting minutes_parameter(std::string_view fallback) {
    return {
        .key = "minutes",
        .type = base::setting_type::integer,
        .fallback = fallback,
        .constraint = "1..1440",
        .help = "The time in which they count."};
}

base::setting least_parameter(std::string_view fallback) {
    return {
        .key = "least",
        .type = base::setting_type::integer,
        .fallback = fallback,
        .constraint = "1..1000",
        .help = "Visible characters from which a text counts."};
}

std::chrono::sys_seconds counted_since(check_input const& input) {
    return input.message.sent_at - std::chrono::minutes(input.settings.number("minutes"));
}

std::vector<recent_message> equal_messages(check_input const& input) {
    std::vector<recent_message> equal;
    auto const wording = wording_of(input.text);
    auto const least = static_cast<std::size_t>(input.settings.number("least"));
    if (wording == 0 || input.text.characters < least) return equal;
    auto const oldest = counted_since(input);
    std::ranges::copy_if(
        input.recent.messages,
        std::back_inserter(equal),
        [&](recent_message const& past) {
            return past.wording == wording && past.sent_at >= oldest;
        }
    );
    return equal;
}

} // namespace postrider::agent::spam
