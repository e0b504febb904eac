#pragma once
// What all parts of the process share. They outlive them.
#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "net/http_client.hpp"
#include "server/api/health.hpp"
#include "server/demo/demo.hpp"
#include "server/start/config.hpp"

namespace postrider::server {

struct surroundings {
    base::asio::any_io_executor executor;
    config const& settings;
    base::clock& clock;
    base::random_source& random;
    net::http_client& http;
    api::health& health;
    std::vector<base::settings::line> const& shown_settings;
    server::demo* demo = nullptr; // null outside demo mode
};

} // namespace postrider::server
