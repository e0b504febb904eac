#include "base/jsonb_form.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace postrider::base {

namespace json = boost::json;

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::string without_nul(std::string_view text) {
    std::string kept;
    for (auto const c : text)
        if (c == '\0')
            kept += replacement;
        else
            kept += c;
    return kept;
}

bool has_nul(std::string_view text) {
    return text.find('\0') != text.npos;
}

} // namespace

void to_jsonb_form(std::string& text) {
    if (has_nul(text)) text = without_nul(text);
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
    if (auto* text = value.if_string(); text && has_nul(*text)) *text = without_nul(*text);
    if (auto* array = value.if_array())
        for (auto& item : *array) to_jsonb_form(item);
    if (auto* object = value.if_object()) to_jsonb_form(*object);
}

} // namespace postrider::base
