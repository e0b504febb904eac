#pragma once
// The character U+0000, which JSON may hold and Postgres stores neither in jsonb nor in text. Pure.
#include <boost/json/value.hpp>

#include <string_view>

namespace postrider::base {

bool has_nul(std::string_view text) noexcept;
// In a text or the name of a member, however deep: as deep as parse_json() lets values be.
bool holds_nul(boost::json::value const& value) noexcept;

} // namespace postrider::base
