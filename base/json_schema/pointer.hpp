#pragma once
// JSON Pointers (RFC 6901), made and followed.
#include "base/json.hpp"

namespace postrider::base::json_schema {

inline std::string_view text_of(json::string_view text) noexcept {
    return {text.data(), text.size()};
}

std::string below(std::string_view pointer, std::string_view member);
std::string below(std::string_view pointer, std::size_t index);

// The unescaped steps of a pointer; none for a text that is no pointer.
std::optional<std::vector<std::string>> steps_of(std::string_view pointer);

// The child that a step names; null when there is none.
json::value const* child_of(json::value const& value, std::string_view step);

} // namespace postrider::base::json_schema
