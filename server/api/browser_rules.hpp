#pragma once
// What a browser may do with the cookie of a session, or on its way to one: it must have reached this
// server under one of its own names (against DNS rebinding), and the page that asks must be one of
// this server's own (against requests that other sites forge). Pure.
#include "net/http.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::api {

// Under which names browsers reach this server.
struct own_names {
    std::vector<std::string>
        hosts; // patterns (net/host_pattern.hpp), beside addresses and localhost
    // Host and port of the public URL, where that is https; empty = none. A proxy ends its TLS.
    std::string https_authority = {};
};

// Whether the browser speaks https: a trusted proxy says so, or it asks for the public URL's host.
bool is_https(net::http_request const& head, own_names const& names);

// 403 where the Host is none of this server's.
std::optional<net::http_response> refuse_foreign_host(
    net::http_request const& head, own_names const& names
);

// 403 where the Host is foreign, or another site's page asks. A request that may change something
// needs `Sec-Fetch-Site: same-origin`, or, from a browser without that header, an Origin that equals
// the Host. Others may also come from nowhere: an address that a person typed.
std::optional<net::http_response> refuse_foreign_page(
    net::http_request const& head, own_names const& names
);

// A page of this server's own asks.
bool is_from_own_page(net::http_request const& head);

} // namespace postrider::api
