#pragma once
// The character U+0000, which JSON may hold and Postgres stores neither in jsonb nor in text. Pure; as
// deep as parse_json() lets values be.
//
// Whoever asks for something at an edge (a request of the API, a webhook, an update, a definition of a
// flow, an option of a command, a call of a tool) is refused with nul_refusal(). Who only answers (a
// model, a page) is not heard again, so the character is left out: drop_nul(). What rows keep of others
// has U+FFFD in its place: storable() and base/json/row.hpp.
#include "base/error.hpp"
#include "base/utf8.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace postrider::base {

// In a text or the name of a member.
bool holds_nul(boost::json::value const& value) noexcept;

// invalid: "the character U+0000 in SUBJECT cannot be stored".
error nul_refusal(std::string_view subject);

void drop_nul(std::string& text);
// In names of members too.
void drop_nul(boost::json::value& value);

// With U+FFFD in its place.
std::string replace_nul(std::string_view text);
// The same, and in place of what is not UTF-8: as Postgres can store it.
std::string storable(std::string text);
// A value as the text of a jsonb that Postgres can store.
std::string storable_json(boost::json::value const& value);

} // namespace postrider::base
