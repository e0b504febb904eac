#include "server/api/own_hosts.hpp"

#include "base/ascii.hpp"
#include "net/host_pattern.hpp"

namespace postrider::api {

namespace {

struct authority {
    std::string_view host; // an IPv6 address in brackets
    std::string_view port;
};

authority split(std::string_view text) {
    auto const colon = text.rfind(':');
    // Not one within the brackets.
    if (colon == text.npos || (text.ends_with(']'))) return {text, {}};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

bool is_this_machine(std::string_view host) {
    return base::equals_without_case(host, "localhost") || host == "[::1]" ||
           (host.starts_with("127.") && net::is_local_host(host) &&
            host.find_first_not_of("0123456789.") == host.npos);
}

} // namespace

bool is_own_host(std::string_view host, std::span<std::string const> configured) {
    auto const [name, port] = split(host);
    if (name.empty()) return false;
    return net::is_address_or_localhost(name) || net::matches_any_host(configured, name, port);
}

bool is_own_origin(
    std::string_view origin, std::string_view host, std::span<std::string const> configured
) {
    auto const scheme = origin.find("://");
    if (scheme == origin.npos) return false;
    auto const from = origin.substr(scheme + 3);
    auto const [name, port] = split(from);
    if (name.empty()) return false;
    bool const own_page = base::equals_without_case(from, host) && is_own_host(host, configured);
    return own_page || is_this_machine(name) || net::matches_any_host(configured, name, port);
}

} // namespace postrider::api
