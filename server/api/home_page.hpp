#pragma once
// The page at "/", for a person who opens the server's address in a browser: what this is, whether it
// is ready, what to try. Apart from the version it shows nothing that /readyz does not.
#include "net/http.hpp"
#include "server/api/health.hpp"

#include <string_view>

namespace postrider::api {

// home_page.html, embedded when the binary is built; @version@ and @state@ are to be filled in.
std::string_view home_page_template();

net::http_response home_page(health const& state, std::string_view version);

} // namespace postrider::api
