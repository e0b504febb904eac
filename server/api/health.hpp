#pragma once
// Is the process well (/healthz), and should it get work (/readyz)?
//
// /healthz is answered by the loop alone: it tells that the loop turns. /readyz is 503 with the
// reasons while the database has not answered for 5 s, its schema is older than this binary's, or
// the server drains. On the loop's thread.
#include "base/async.hpp"
#include "net/http.hpp"
#include "storage/database.hpp"

#include <string>
#include <vector>

namespace postrider::api {

class health {
public:
    static constexpr base::duration answer_is_fresh = std::chrono::seconds{5};

    health(base::clock& clock, int schema) : clock_(clock), schema_(schema) {}

    void database_answered(int schema);
    void begin_drain() noexcept { draining_ = true; }

    // Empty = ready.
    std::vector<std::string> reasons_against() const;

private:
    base::clock& clock_;
    int schema_; // what this binary needs
    std::optional<base::steady_time> answered_;
    int schema_found_ = 0;
    bool draining_ = false;
};

net::http_response healthz();
net::http_response readyz(health const& state);

// Asks the database every two seconds, for ever.
base::awaitable<void> watch_database(storage::database& db, health& state);

} // namespace postrider::api
