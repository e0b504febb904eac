#pragma once
// Lists of hosts, as operators and authors of flows write them. Pure.
//
// A pattern is a name or an address ("example.org", "10.0.0.7", "[fd00::7]"), "*.example.org" for
// every name below that, and either with a port. Without a port it is every port.
#include <span>
#include <string>
#include <string_view>

namespace postrider::net {

bool is_host_pattern(std::string_view text) noexcept;

// The host as it stands in a URL, an IPv6 address in brackets.
bool matches_host(std::string_view pattern, std::string_view host, std::string_view port) noexcept;
bool matches_any_host(
    std::span<std::string const> patterns, std::string_view host, std::string_view port
) noexcept;

// Whether the host can only mean one of this network: an address, a name without a dot, or one of
// the endings that are kept for such. The owner of any other name decides what it leads to.
bool is_local_host(std::string_view host);

// Whether it is an IP address, an IPv6 address in brackets, or a name of this machine: "localhost" and what is
// below it. Nobody else decides what such a host leads to.
bool is_address_or_localhost(std::string_view host);

} // namespace postrider::net
