#pragma once
// Under which names this server is called, and from which pages: against pages that make a browser
// reach a server of the reader's own network (DNS rebinding). Pure.
#include <span>
#include <string>
#include <string_view>

namespace postrider::api {

// The Host of a request: an address, localhost, or a configured name. No other name of the own network: who
// answers for names there (DNS of the router, multicast DNS) could lead one here.
bool is_own_host(std::string_view host, std::span<std::string const> configured);

// The Origin of a request to that Host: a page of this machine, of this server, or of a configured
// host. "null" is none.
bool is_own_origin(
    std::string_view origin, std::string_view host, std::span<std::string const> configured
);

} // namespace postrider::api
