#include "agent/language/utc_offset.hpp"

#include <optional>

namespace postrider::agent {

namespace {

using minutes = std::chrono::minutes;

base::error unknown() {
    return {
        base::errc::invalid,
        "only UTC and fixed offsets such as +02:00 are known, between -14:00 and +14:00"};
}

// One or two digits.
std::optional<int> number_of(std::string_view text) {
    if (text.empty() || text.size() > 2) return std::nullopt;
    int number = 0;
    for (char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

std::string upper_without_space(std::string_view text) {
    std::string upper;
    for (char c : text) {
        if (c == ' ') continue;
        upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return upper;
}

} // namespace

base::result<minutes> parse_utc_offset(std::string_view text) {
    auto kept = upper_without_space(text);
    std::string_view rest = kept;
    bool named = false;
    for (std::string_view name : {"UTC", "GMT", "Z"}) {
        if (!rest.starts_with(name)) continue;
        rest.remove_prefix(name.size());
        named = true;
        break;
    }
    if (rest.empty() && (named || text.empty())) return minutes{0};
    if (rest.empty() || (rest.front() != '+' && rest.front() != '-')) return unknown();
    int const sign = rest.front() == '-' ? -1 : 1;
    rest.remove_prefix(1);

    auto const colon = rest.find(':');
    auto hours_text = rest.substr(0, colon);
    auto odd_text = colon == rest.npos ? std::string_view{} : rest.substr(colon + 1);
    if (colon == rest.npos && rest.size() > 2) { // 0530
        odd_text = rest.substr(rest.size() - 2);
        hours_text.remove_suffix(2);
    }
    auto const hours = number_of(hours_text);
    auto const odd =
        odd_text.empty() && colon == rest.npos ? std::optional{0} : number_of(odd_text);
    if (!hours || !odd || *odd > 59 || *hours * 60 + *odd > 14 * 60) return unknown();
    return minutes{sign * (*hours * 60 + *odd)};
}

} // namespace postrider::agent
