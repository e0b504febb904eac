#include "agent/flow/answer_headers.hpp"

#include "base/ascii.hpp"
#include "net/message_head.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace postrider::agent::flow {

namespace {

// Other names could speak for this whole server to a browser
// (Set-Cookie, Clear-Site-Data, Strict-Transport-Security, Alt-Svc), undo what is added below, or
// command the proxy in front (X-Accel-Redirect, X-Sendfile).
constexpr std::array<std::string_view, 15> answer_headers{
    "access-control-allow-origin",
    "access-control-expose-headers",
    "allow",
    "cache-control",
    "content-disposition",
    "content-language",
    "content-location",
    "content-type",
    "etag",
    "expires",
    "last-modified",
    "link",
    "location",
    "retry-after",
    "vary",
};
constexpr std::array<std::string_view, 9> commands{
    "x-accel-",
    "x-content-type-options",
    "x-forwarded-",
    "x-frame-options",
    "x-lighttpd-",
    "x-litespeed-",
    "x-reproxy-",
    "x-request-id",
    "x-sendfile"};

bool is_for_flows(std::string_view lower) {
    if (std::ranges::find(answer_headers, lower) != answer_headers.end()) return true;
    return lower.starts_with("x-") &&
           std::ranges::none_of(commands, [&](auto command) { return lower.starts_with(command); });
}

// Relative, http or https. Whatever a browser skips before or within a scheme makes it another one here.
bool leads_to_a_page(std::string_view location) {
    auto const end = location.find_first_of(":/?#");
    if (end == location.npos || location[end] != ':') return true;
    auto const scheme = base::to_lower(std::string(location.substr(0, end)));
    return scheme == "http" || scheme == "https";
}

} // namespace

std::string_view why_left_out(std::string_view name, std::string_view value) {
    if (!net::fits_header(name, "")) return "it is no name of a header";
    auto const lower = base::to_lower(std::string(name));
    if (!is_for_flows(lower)) return "a flow may not set it";
    if (!net::fits_header(name, value)) return "its value has characters that no header may have";
    if (lower == "location" && !leads_to_a_page(value))
        return "it may only lead to http, https or a relative address";
    return "";
}

} // namespace postrider::agent::flow
