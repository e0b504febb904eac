#include "base/json/nul.hpp"

#include <algorithm>

namespace postrider::base {

bool has_nul(std::string_view text) noexcept {
    return text.find('\0') != text.npos;
}

bool holds_nul(boost::json::value const& value) noexcept {
    if (auto const* text = value.if_string()) return has_nul(*text);
    if (auto const* items = value.if_array()) return std::ranges::any_of(*items, holds_nul);
    auto const* object = value.if_object();
    return object && std::ranges::any_of(*object, [](auto const& member) {
               return has_nul(member.key()) || holds_nul(member.value());
           });
}

} // namespace postrider::base
