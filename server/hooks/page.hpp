#pragma once
// Pages for people without an account here: no script, nothing from elsewhere, not to be framed, kept or
// found. Pure.
#include "net/http.hpp"

#include <string>
#include <string_view>

namespace postrider::hooks {

// `content` is HTML; the title is a text.
net::http_response page(int status, std::string_view title, std::string_view content);

// A page with the title and one paragraph, which is a text.
net::http_response message_page(int status, std::string_view title, std::string_view text);

} // namespace postrider::hooks
