#pragma once
// The HTTP API as a whole: /api/v1 behind bearer tokens and sessions, and its description, which needs
// none. One object owns what all requests share; it outlives the server that answers with its routes.
#include "server/api/endpoints.hpp"
#include "server/api/metrics.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::api {

class rest {
public:
    rest(
        api_databases databases,
        storage::batcher& reads,
        access_secrets secrets,
        base::clock& clock,
        resources with
    );
    rest(rest const&) = delete;
    rest& operator=(rest const&) = delete;

    // Beside those of endpoints.def; before routes().
    void add(std::vector<endpoint> more);
    std::vector<net::route> routes();
    // Of these routes; before routes() it is empty. OpenAPI 3.1.
    std::string const& description() const noexcept { return *description_; }
    status_counts const& counts() const noexcept { return counts_; }
    stream_counts streams() const;
    // Requests without a token or session that counts.
    std::uint64_t refusals() const noexcept { return who_.refusals(); }

    // Notes which tokens and sessions were used; once, and again and again until it is cancelled.
    base::awaitable<void> note_token_uses() { return who_.note_uses(); }
    base::awaitable<void> keep_noting_token_uses();

private:
    api_databases databases_;
    resources with_;
    std::vector<endpoint> more_;
    std::shared_ptr<std::string const> description_ = std::make_shared<std::string const>();
    authentication who_;
    status_counts counts_{};
};

} // namespace postrider::api
