#pragma once
// The routes about the server itself. What they refer to must outlive them.
#include "net/router.hpp"
#include "server/api/health.hpp"
#include "server/api/metrics.hpp"

#include <functional>
#include <vector>

namespace postrider::api {

// The page at /, /healthz, /readyz and /metrics. The snapshot is taken when /metrics is asked for.
std::vector<net::route> status_routes(
    health const& state, std::function<metrics_snapshot()> snapshot
);

} // namespace postrider::api
