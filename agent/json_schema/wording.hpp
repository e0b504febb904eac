#pragma once
// The words that messages are made of. Nothing here echoes more than a few dozen bytes of what it
// is given.
#include "base/json/json.hpp"

#include <span>

namespace postrider::agent::json_schema {

// At most `bytes` long, "…" included; never within a code point.
std::string cut(std::string text, std::size_t bytes);

// "\"city\"", escaped like JSON and cut.
std::string quote(std::string_view text);

// A short value as JSON, a longer one cut.
std::string shown(boost::json::value const& value);

// "a, b, c and 12 more"
std::string listed(std::span<std::string const> words);

// "an integer", for a name of JSON Schema's types; "a number" for a value.
std::string_view kind_called(std::string_view type);
std::string_view kind_of(boost::json::value const& value);

// "1 item", "3 items"
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

} // namespace postrider::agent::json_schema
