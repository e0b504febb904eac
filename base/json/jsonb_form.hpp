#pragma once
// A JSON value as jsonb gives it back: members in its order, U+FFFD for U+0000, which it does not
// keep (base/json/row.hpp), and numbers as they are read from its text: 5.0 and 1e16 are integers, and
// what JSON has no number for is null. So what is used at once is the same, byte for byte, as what is
// read from the record later. Pure; as deep as base::parse_json() lets values be.
#include <boost/json/value.hpp>

#include <string>

namespace postrider::base {

void to_jsonb_form(boost::json::value& value);
void to_jsonb_form(boost::json::object& object);
void to_jsonb_form(std::string& text);

} // namespace postrider::base
