#include "net/host_pattern.hpp"

#include "base/ascii.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <array>

namespace postrider::net {

namespace {

struct pattern_parts {
    std::string_view host;
    std::string_view port; // empty = every port
};

bool is_digits(std::string_view text) {
    return !text.empty() && text.size() <= 5 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

pattern_parts split(std::string_view pattern) {
    auto const colon = pattern.rfind(':');
    auto const bracket = pattern.rfind(']');
    if (colon == pattern.npos || (bracket != pattern.npos && colon < bracket)) return {pattern, {}};
    return {pattern.substr(0, colon), pattern.substr(colon + 1)};
}

bool is_name(std::string_view host) {
    return !host.empty() && host.size() <= 253 && host.front() != '.' && host.back() != '.' &&
           std::ranges::all_of(host, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '-' || c == '_';
           });
}

bool is_address_v6(std::string_view host) {
    if (!host.starts_with('[') || !host.ends_with(']')) return false;
    boost::system::error_code ec;
    boost::asio::ip::make_address_v6(std::string(host.substr(1, host.size() - 2)), ec);
    return !ec;
}

bool is_address(std::string_view host) {
    boost::system::error_code ec;
    boost::asio::ip::make_address_v4(std::string(host), ec);
    return !ec || is_address_v6(host);
}

} // namespace

bool is_host_pattern(std::string_view text) noexcept {
    auto [host, port] = split(text);
    if (host.size() != text.size() && !is_digits(port)) return false;
    if (is_address_v6(host)) return true;
    if (host.starts_with("*.")) host.remove_prefix(2);
    return is_name(host);
}

bool matches_host(std::string_view pattern, std::string_view host, std::string_view port) noexcept {
    auto const allowed = split(pattern);
    if (!allowed.port.empty() && allowed.port != port) return false;
    if (!allowed.host.starts_with("*.")) return base::equals_without_case(allowed.host, host);
    auto const ending = allowed.host.substr(1);
    return host.size() > ending.size() &&
           base::equals_without_case(host.substr(host.size() - ending.size()), ending);
}

bool matches_any_host(
    std::span<std::string const> patterns, std::string_view host, std::string_view port
) noexcept {
    return std::ranges::any_of(patterns, [host, port](auto const& pattern) {
        return matches_host(pattern, host, port);
    });
}

bool is_local_host(std::string_view host) {
    constexpr std::array<std::string_view, 5> endings{
        ".localhost", ".local", ".internal", ".lan", ".home.arpa"};
    if (is_address(host) || host.find('.') == host.npos) return true;
    auto const name = base::to_lower(std::string(host));
    return std::ranges::any_of(endings, [&name](auto ending) { return name.ends_with(ending); });
}

bool is_address_or_localhost(std::string_view host) {
    if (is_address(host)) return true;
    auto const name = base::to_lower(std::string(host));
    return name == "localhost" || name.ends_with(".localhost");
}

} // namespace postrider::net
