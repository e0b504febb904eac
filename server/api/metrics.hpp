#pragma once
// /metrics in the Prometheus text format, made from the parts' own counts at the moment of asking.
// Pure. The names are documented in docs/reference.md.
#include "net/http_server.hpp"
#include "queue/node/engine.hpp"
#include "server/api/endpoint.hpp"
#include "server/api/queue_health.hpp"
#include "server/telemetry/exporter.hpp"
#include "server/telemetry/measures.hpp"
#include "storage/batcher.hpp"
#include "storage/notices.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace postrider::api {

// Requests without a valid token, session, secret, signature or link.
struct refusal_counts {
    std::uint64_t telegram = 0;
    std::uint64_t hooks = 0;
    std::uint64_t api = 0;
    std::uint64_t console = 0; // logins
};

// Streams that are open, by what they watch.
struct stream_counts {
    int events = 0; // all that a page shows
    int executions = 0;
    int conversations = 0;
};

struct metrics_snapshot {
    net::http_server_counts http;
    queue::engine_counts engine;
    std::vector<std::pair<std::string, storage::batcher_counts>> batchers; // by name
    std::map<std::string, std::uint64_t> updates;                          // by disposition
    refusal_counts refused{};
    status_counts api{};                            // by hundreds
    std::optional<queue_health> queue;              // as of some seconds ago
    std::optional<storage::notices_counts> notices; // absent: not listening by choice
    std::optional<telemetry::trace_counts> traces;  // absent: none are exported
    bool ready = false;
    telemetry::measures const* measures = nullptr; // outlives this
    std::vector<queue::gate_status> gates = {};
    std::map<std::string, bool> stopped_bots = {}; // by the name of each configured bot
    stream_counts streams = {};
};

std::string render(metrics_snapshot const& now);

} // namespace postrider::api
