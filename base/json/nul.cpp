#include "base/json/nul.hpp"

#include "base/json/text.hpp"

#include <algorithm>

namespace postrider::base {

namespace json = boost::json;

namespace {

std::string without_nul(std::string_view text) {
    std::string kept(text);
    drop_nul(kept);
    return kept;
}

} // namespace

bool holds_nul(json::value const& value) noexcept {
    if (auto const* text = value.if_string()) return has_nul(*text);
    if (auto const* items = value.if_array()) return std::ranges::any_of(*items, holds_nul);
    auto const* object = value.if_object();
    return object && std::ranges::any_of(*object, [](auto const& member) {
               return has_nul(member.key()) || holds_nul(member.value());
           });
}

error nul_refusal(std::string_view subject) {
    return {errc::invalid, "the character U+0000 in " + std::string(subject) + " cannot be stored"};
}

void drop_nul(std::string& text) {
    std::erase(text, '\0');
}

void drop_nul(json::value& value) {
    if (auto* text = value.if_string()) {
        if (has_nul(*text)) *text = without_nul(*text);
    } else if (auto* array = value.if_array()) {
        for (auto& item : *array) drop_nul(item);
    } else if (auto* object = value.if_object()) {
        bool renamed = false;
        for (auto& member : *object) {
            drop_nul(member.value());
            renamed = renamed || has_nul(member.key());
        }
        if (!renamed) return;
        json::object clean;
        for (auto& member : *object)
            clean.insert_or_assign(without_nul(member.key()), std::move(member.value()));
        *object = std::move(clean);
    }
}

std::string replace_nul(std::string_view text) {
    std::string result;
    for (auto const c : text)
        if (c == '\0')
            result += "\xEF\xBF\xBD";
        else
            result += c;
    return result;
}

std::string storable(std::string text) {
    text = as_utf8(std::move(text));
    return has_nul(text) ? replace_nul(text) : text;
}

std::string storable_json(json::value const& value) {
    std::string text;
    append_json(text, value, nul::replaced);
    return text;
}

} // namespace postrider::base
