#pragma once
// The cookie that holds a session of the console. Scripts cannot read it, requests that other sites
// begin do not have it, and by https it is of this host alone. Pure.
#include "base/secret.hpp"
#include "net/http.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::api {

// Its value; it lives as long as the headers. Empty where several differ: another program of this
// host may have set one, and nothing tells which is ours. Nothing where there is none. By https only
// the name counts that browsers let nobody else set.
std::optional<std::string_view> session_cookie(net::header_list const& headers, bool https);

// Values of Set-Cookie.
std::string new_session_cookie(
    base::secret const& session, bool https, std::chrono::seconds lifetime
);
std::string no_session_cookie(bool https);

} // namespace postrider::api
