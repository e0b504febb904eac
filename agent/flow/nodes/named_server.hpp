#pragma once
// A server that a node names by host and port: what the operator allows there. Pure.
#include "base/error.hpp"
#include "net/credential.hpp"

#include <span>
#include <string>

namespace postrider::agent::flow {

struct node_services;

// [credentials.NAME], for that server; null where no name is given. It lives as long as the services.
// not_found: none of these kinds has the name; refused: its hosts do not have the server.
base::result<net::credential const*> credential_for(
    node_services const& services,
    std::string const& name,
    std::string const& host,
    std::string const& port,
    std::span<net::credential_kind const> kinds
);

// Only what the operator named may be in this network: a host of the credential, or one that requests
// may reach.
bool may_be_in_network(
    node_services const& services,
    net::credential const* credential,
    std::string const& host,
    std::string const& port
);

} // namespace postrider::agent::flow
