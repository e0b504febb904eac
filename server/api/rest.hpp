#pragma once
// The HTTP API as a whole: /api/v1 behind bearer tokens, and its description, which needs none. One
// object owns what all requests share; it outlives the server that answers with its routes.
#include "server/api/flow_requests.hpp"

namespace postrider::api {

class rest {
public:
    rest(
        storage::database& db,
        storage::batcher& reads,
        access_secrets secrets,
        base::clock& clock,
        base::random_source& random,
        flow_services flows
    );
    rest(rest const&) = delete;
    rest& operator=(rest const&) = delete;

    // What needs more of the process than the others; before routes().
    void add(std::vector<endpoint> more);
    std::vector<net::route> routes();
    status_counts const& counts() const noexcept { return counts_; }

private:
    storage::database& db_;
    base::random_source& random_;
    token_mint mint_;
    flow_services flows_;
    std::vector<endpoint> more_;
    authentication who_;
    status_counts counts_{};
};

// server/api/openapi.json, embedded when the binary is built.
std::string_view openapi_document();

} // namespace postrider::api
