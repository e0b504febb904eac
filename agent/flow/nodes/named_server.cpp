#include "agent/flow/nodes/named_server.hpp"

#include "agent/flow/parts/services.hpp"
#include "net/host_pattern.hpp"

#include <algorithm>

namespace postrider::agent::flow {

base::result<net::credential const*> credential_for(
    node_services const& services,
    std::string const& name,
    std::string const& host,
    std::string const& port,
    std::span<net::credential_kind const> kinds
) {
    net::credential const* credential = nullptr;
    if (name.empty()) return credential;
    if (services.credentials)
        if (auto const entry = services.credentials->find(name);
            entry != services.credentials->end())
            credential = &entry->second;
    if (!credential || std::ranges::find(kinds, credential->kind) == kinds.end())
        return base::error(
            base::errc::not_found, "no credential with a password has the node's name"
        );
    if (!net::matches_any_host(credential->hosts, host, port))
        return base::error(base::errc::refused, "the credential is not for this server");
    return credential;
}

bool may_be_in_network(
    node_services const& services,
    net::credential const* credential,
    std::string const& host,
    std::string const& port
) {
    if (!net::is_local_host(host)) return false;
    if (credential && net::matches_any_host(credential->hosts, host, port)) return true;
    auto const configured = services.tools.find("http_request");
    return configured != services.tools.end() &&
           net::matches_any_host(configured->second.values.words("allowed_hosts"), host, port);
}

} // namespace postrider::agent::flow
