#pragma once
// JSON as people write it: 46 and 0.5, where Boost.JSON writes 4.6E1 and 5E-1. It is UTF-8 whatever
// the texts are: bytes that are none become U+FFFD, and numbers that JSON does not have null. Pure.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace postrider::base {

// Objects and arrays have overloads of their own: as values they would be copied whole.
std::string json_text(boost::json::value const& value);
std::string json_text(boost::json::object const& members);
std::string json_text(boost::json::array const& items);

// What becomes of U+0000, which Postgres stores neither in jsonb nor in text: \u0000, or U+FFFD.
enum class nul { escaped, replaced };

// Behind what is there; a text with its quotes.
void append_json(std::string& to, std::string_view text, nul nuls);
// As deep as base::parse_json() and expressions let values be.
void append_json(std::string& to, boost::json::value const& value, nul nuls);
void append_json(std::string& to, boost::json::object const& members, nul nuls);
void append_json(std::string& to, boost::json::array const& items, nul nuls);

} // namespace postrider::base
