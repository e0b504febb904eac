#include "server/api/browser_rules.hpp"

#include "base/ascii.hpp"
#include "server/api/own_hosts.hpp"

namespace postrider::api {

namespace {

constexpr std::string_view site_field = "Sec-Fetch-Site";

bool only_looks(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

net::http_response foreign_page(std::string_view detail) {
    return net::http_response::problem(403, "foreign_origin", detail);
}

// "null" has no scheme, so it equals no host.
bool origin_is_host(net::http_request const& head) {
    auto const origin = head.headers.find("Origin");
    auto const host = head.headers.find("Host");
    auto const scheme = origin.find("://");
    if (head.headers.count("Origin") != 1 || scheme == origin.npos || host.empty()) return false;
    auto const kind = origin.substr(0, scheme);
    bool const is_web =
        base::equals_without_case(kind, "http") || base::equals_without_case(kind, "https");
    return is_web && base::equals_without_case(origin.substr(scheme + 3), host);
}

} // namespace

bool is_https(net::http_request const& head, own_names const& names) {
    if (head.https) return true;
    return !names.https_authority.empty() &&
           base::equals_without_case(head.headers.find("Host"), names.https_authority);
}

std::optional<net::http_response> refuse_foreign_host(
    net::http_request const& head, own_names const& names
) {
    auto const host = head.headers.find("Host");
    if (head.headers.count("Host") == 1 && is_own_host(host, names.hosts)) return std::nullopt;
    return foreign_page("this server does not know the host name that you called it by: an IP "
                        "address and localhost "
                        "work, and what server.public_url and server.hosts (POSTRIDER_HOSTS) name");
}

bool is_from_own_page(net::http_request const& head) {
    return head.headers.count(site_field) == 1 && head.headers.find(site_field) == "same-origin";
}

std::optional<net::http_response> refuse_foreign_page(
    net::http_request const& head, own_names const& names
) {
    if (auto refused = refuse_foreign_host(head, names)) return refused;
    bool const looks = only_looks(head.method);
    bool own = looks || origin_is_host(head);
    if (head.headers.count(site_field) > 0) {
        bool const typed =
            head.headers.count(site_field) == 1 && head.headers.find(site_field) == "none";
        own = is_from_own_page(head) || (looks && typed);
    }
    if (own) return std::nullopt;
    return foreign_page("a page of another site may not do this with the console's session");
}

} // namespace postrider::api
