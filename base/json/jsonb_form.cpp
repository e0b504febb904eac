#include "base/json/jsonb_form.hpp"

#include "base/json/json.hpp"
#include "base/json/nul.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

namespace postrider::base {

namespace json = boost::json;

namespace {

// The shortest digits of the number, which is what our writers send, as jsonb prints them: without an
// exponent, and without the sign of a zero.
std::string jsonb_text(double number) {
    std::array<char, 32> written;
    auto* const begin = written.data();
    auto* const end = begin + written.size();
    auto const [last, failure] =
        std::to_chars(begin, end, std::abs(number), std::chars_format::scientific);
    std::string_view const scientific(begin, last);
    auto const e = scientific.find('e');
    auto exponent_text = scientific.substr(e + 1);
    if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
    int exponent = 0;
    std::from_chars(exponent_text.begin(), exponent_text.end(), exponent);
    std::string text(scientific.substr(0, e));
    std::erase(text, '.');
    if (exponent < 0) {
        text.insert(0, "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0'));
    } else if (auto const whole = static_cast<std::size_t>(exponent) + 1; whole < text.size()) {
        text.insert(whole, ".");
    } else {
        text.append(whole - text.size(), '0');
    }
    return number < 0 ? "-" + text : text;
}

// Read back until it stays the same: Boost.JSON 1.81 errs in the last digit of many numbers that have
// more than 15, and takes the largest of all for infinity.
json::value number_read_back(double number) {
    constexpr int most_rounds = 64;
    if (!std::isfinite(number)) return nullptr;
    for (int round = 0; round < most_rounds; ++round) {
        auto const read = parse_json(jsonb_text(number));
        if (!read) {
            number = std::nextafter(number, 0.0);
            continue;
        }
        auto const* fraction = read->if_double();
        if (!fraction) return *read;
        if (*fraction == number) break;
        number = *fraction;
    }
    return number;
}

} // namespace

void to_jsonb_form(std::string& text) {
    if (has_nul(text)) text = replace_nul(text);
}

// Short names come first.
void to_jsonb_form(json::object& object) {
    using member = std::pair<std::string, json::value>;
    std::vector<member> members;
    for (auto& [name, value] : object) {
        members.emplace_back(name, std::move(value));
        to_jsonb_form(members.back().first);
        to_jsonb_form(members.back().second);
    }
    std::ranges::stable_sort(members, [](member const& left, member const& right) {
        auto const& a = left.first;
        auto const& b = right.first;
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    json::object ordered;
    for (auto& [name, value] : members) ordered.insert_or_assign(name, std::move(value));
    object = std::move(ordered);
}

void to_jsonb_form(json::value& value) {
    if (auto* text = value.if_string(); text && has_nul(*text)) *text = replace_nul(*text);
    if (auto const* number = value.if_double()) value = number_read_back(*number);
    if (auto* array = value.if_array())
        for (auto& item : *array) to_jsonb_form(item);
    if (auto* object = value.if_object()) to_jsonb_form(*object);
}

} // namespace postrider::base
