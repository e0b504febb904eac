#pragma once
// Entity tags and the conditions that name them (RFC 9110, sections 8.8.3 and 13.1). Pure.
#include "net/http.hpp"

#include <string>
#include <string_view>

namespace postrider::api {

// Of a content, by its SHA-256.
std::string tag_of_content(std::string_view content);

enum class condition { absent, met, failed };
// If-Match: whether one of the tags is this one, or it says "*". A weak tag matches nothing.
condition if_match(net::http_request const& request, std::string_view tag);
// If-None-Match: true when the client has this one already. A weak tag is as good.
bool not_modified(net::http_request const& request, std::string_view tag);

} // namespace postrider::api
