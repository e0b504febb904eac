#pragma once
// Where the process keeps its data: Postgres, found or started and brought up to date, and every
// connection to it. Its construction is its start.
#include "server/api/health.hpp"
#include "server/app/surroundings.hpp"
#include "server/start/start_up.hpp"
#include "storage/connections.hpp"

namespace postrider::server {

struct store {
    // Blocking, before the first coroutine; as prepare() does it, and throws.
    store(surroundings const& in, std::vector<std::string> const& bots, server::mode mode);
    store(store const&) = delete;
    store& operator=(store const&) = delete;

    // What still waits becomes unavailable.
    void stop() { postgres.close(); }

    prepared ready;
    storage::connections postgres;
};

} // namespace postrider::server
