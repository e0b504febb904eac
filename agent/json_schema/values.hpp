#pragma once
// JSON values: when two are the same, how deep and how large one is, and a string as a text.
#include "base/json/json.hpp"

namespace postrider::agent::json_schema {

inline std::string_view text_of(boost::json::string_view text) noexcept {
    return {text.data(), text.size()};
}

// What looking at all of it costs, see check_limits::work.
std::size_t work_of(std::string_view text);
std::size_t work_of(boost::json::value const& value);

// Arrays and objects within each other; recurses no deeper than the levels.
bool deeper_than(boost::json::value const& value, std::size_t levels);

// Numbers by what they are worth, objects in any order. Recurses as deep as the shallower of the
// two.
bool same(boost::json::value const& a, boost::json::value const& b);

// Equal for values that are the same.
std::size_t hash_of(boost::json::value const& value);

} // namespace postrider::agent::json_schema
