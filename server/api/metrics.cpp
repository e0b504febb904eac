#include "server/api/metrics.hpp"

#include "agent/talk/degradation.hpp"
#include "server/api/agent_metrics.hpp"
#include "server/api/metric_families.hpp"

#include <prometheus/text_serializer.h>

#include <algorithm>

namespace postrider::api {

namespace {

void add_http(metric_families& families, net::http_server_counts const& http) {
    families.gauge("http_connections", "Connections that are open.").sample(http.connections);
    families.counter("http_connections_total", "Connections that were accepted.")
        .sample(http.accepted);
    families.counter("http_requests_total", "Requests whose head was read.").sample(http.requests);
    families
        .counter("http_refused_framing_total", "Requests that two parsers could read differently.")
        .sample(http.refused_framing);
    families.counter("http_timeouts_total", "Connections closed at a deadline.")
        .sample(http.timed_out);
    families.counter("http_evicted_total", "Connections closed to make room for another.")
        .sample(http.evicted);
}

void add_api(metric_families& families, status_counts const& answers) {
    families.counter("api_requests_total", "Requests to /api/v1, by the class of their answer.");
    for (std::size_t hundreds = 2; hundreds < answers.size(); ++hundreds)
        families.sample(answers[hundreds], {{"status", std::to_string(hundreds) + "xx"}});
}

void add_streams(metric_families& families, stream_counts const& streams) {
    families.gauge("api_streams", "Streams of server-sent events that are open.")
        .sample(streams.events, {{"of", "events"}})
        .sample(streams.executions, {{"of", "executions"}})
        .sample(streams.conversations, {{"of", "conversations"}});
}

void add_engine(metric_families& families, queue::engine_counts const& engine) {
    families.gauge("engine_slots", "Jobs that may run at a time on this node.")
        .sample(engine.slots);
    families.gauge("engine_slots_busy", "Jobs that run on this node, one per lane.")
        .sample(engine.busy);
    families
        .counter(
            "engine_runs_total",
            "Runs of jobs, by outcome. started counts all runs, and completed includes degraded "
            "ones."
        )
        .sample(engine.started, {{"event", "started"}})
        .sample(engine.completed, {{"event", "completed"}})
        .sample(engine.degraded, {{"event", "degraded"}})
        .sample(engine.failed, {{"event", "failed"}})
        .sample(engine.cancelled, {{"event", "cancelled"}})
        .sample(engine.parked, {{"event", "parked"}})
        .sample(engine.lost, {{"event", "lost"}});
    families
        .counter(
            "engine_lanes_rescued_total", "Lanes taken over from nodes that stopped responding."
        )
        .sample(engine.rescued);
}

// All reasons from the start, so that a rate sees the first of each.
void add_degraded(metric_families& families, queue::engine_counts const& engine) {
    families.counter("degraded_jobs_total", "Jobs that completed without the requested result.");
    for (auto const& kind : agent::degradation_kinds()) {
        auto const entry = engine.degraded_by.find(kind.word);
        std::uint64_t const count = entry == engine.degraded_by.end() ? 0 : entry->second;
        families.sample(count, {{"reason", std::string(kind.word)}});
    }
}

void add_batchers(
    metric_families& families,
    std::vector<std::pair<std::string, storage::batcher_counts>> const& batchers
) {
    auto add_all = [&](auto member) {
        for (auto const& [name, counts] : batchers)
            families.sample(counts.*member, {{"batcher", name}});
    };
    families.counter("batcher_commits_total", "Transactions of a batcher.");
    add_all(&storage::batcher_counts::commits);
    families.counter("batcher_units_total", "Requests that these transactions carried.");
    add_all(&storage::batcher_counts::units);
    families.counter(
        "batcher_splits_total", "Batches that ran again in parts because a row failed."
    );
    add_all(&storage::batcher_counts::split);
    families.gauge("batcher_waiting", "Requests that no transaction has taken yet.");
    add_all(&storage::batcher_counts::waiting);
    families.gauge(
        "batcher_oldest_seconds", "Wait of the oldest request, or duration of the running batch."
    );
    for (auto const& [name, counts] : batchers)
        families.sample(
            std::chrono::duration<double>(std::max(counts.oldest, counts.under_way)).count(),
            {{"batcher", name}}
        );
}

void add_queue(metric_families& families, queue_health const& queue) {
    families.gauge("queue_nodes", "Server processes that share the database.").sample(queue.nodes);
    families.gauge("queue_lanes", "Lanes with work, by status; up to 10,000 per priority.")
        .sample(queue.lanes_running, {{"status", "running"}})
        .sample(queue.lanes_ready, {{"status", "ready"}})
        .sample(queue.lanes_parked, {{"status", "parked"}});
    families.gauge("queue_oldest_ready_seconds", "Wait of the lane that has been ready longest.")
        .sample(queue.oldest_ready);
    families
        .gauge(
            "queue_oldest_transaction_seconds", "Age of the transaction with the oldest snapshot."
        )
        .sample(queue.oldest_transaction);
    families.gauge("queue_dead_tuples", "Dead rows of the tables that change often.")
        .sample(queue.dead_tuples);
    families.gauge("queue_partitions_ahead", "Empty partitions ahead of the newest job.")
        .sample(queue.partitions_ahead);
    families.gauge("queue_events", "Events that no job has consumed yet, up to 10,000.")
        .sample(queue.events);
    families.gauge("queue_paused", "Scopes that are paused.").sample(queue.paused);
    families.gauge("approvals_waiting", "Calls of tools that wait for a person's approval.")
        .sample(queue.approvals);
    families.gauge(
        "queue_jobs_about", "Approximate number of jobs by state, from planner statistics."
    );
    for (auto const& [state, count] : queue.jobs_about) families.sample(count, {{"state", state}});
}

void add_notices(metric_families& families, storage::notices_counts const& notices) {
    families.gauge("notices_listening", "1 while LISTEN is in effect.")
        .sample(notices.listening ? 1 : 0);
    families.counter("notices_wanted_total", "Reasons to notify other nodes.")
        .sample(notices.requested);
    families.counter("notices_sent_total", "NOTIFY commands sent to other nodes.")
        .sample(notices.sent);
    families.counter("notices_received_total", "Notices received from other nodes.")
        .sample(notices.received);
}

void add_bots(metric_families& families, std::map<std::string, bool> const& stopped) {
    families.gauge("bot_stopped", "1 while the bot cannot be used, as when its token is refused.");
    for (auto const& [bot, is_stopped] : stopped)
        families.sample(is_stopped ? 1 : 0, {{"bot", bot}});
}

void add_breakers(metric_families& families, std::vector<queue::gate_status> const& gates) {
    families.gauge("breaker_open", "1 while calls of the target are held back.");
    for (auto const& gate : gates) families.sample(gate.open ? 0 : 1, {{"target", gate.resource}});
    families.counter(
        "breaker_openings_total", "How often this node saw the target's breaker open."
    );
    for (auto const& gate : gates) families.sample(gate.openings, {{"target", gate.resource}});
}

void add_traces(metric_families& families, telemetry::trace_counts const& traces) {
    families.counter("traces_total", "Traces of jobs, by outcome.")
        .sample(traces.exported, {{"outcome", "exported"}})
        .sample(traces.dropped, {{"outcome", "dropped"}});
    families.counter("trace_spans_rejected_total", "Spans that the collector did not take.")
        .sample(traces.rejected_spans);
    families.gauge("traces_waiting", "Jobs that have ended and are not exported yet.")
        .sample(traces.waiting);
}

} // namespace

std::string render(metrics_snapshot const& now) {
    metric_families families;
    families.gauge("ready", "1 while /readyz is 200.").sample(now.ready ? 1 : 0);
    families.counter("updates_total", "Updates from Telegram, by disposition.");
    for (auto const& [disposition, count] : now.updates)
        families.sample(count, {{"disposition", disposition}});
    families.counter(
        "refused_total", "Requests without a valid token, session, secret, signature or link."
    );
    families.sample(now.refused.telegram, {{"at", "telegram"}});
    families.sample(now.refused.hooks, {{"at", "hooks"}}).sample(now.refused.api, {{"at", "api"}});
    families.sample(now.refused.console, {{"at", "console"}});
    add_bots(families, now.stopped_bots);
    add_breakers(families, now.gates);
    if (now.measures) add_agents(families, *now.measures);
    add_engine(families, now.engine);
    add_degraded(families, now.engine);
    add_batchers(families, now.batchers);
    if (now.queue) add_queue(families, *now.queue);
    if (now.notices) add_notices(families, *now.notices);
    if (now.traces) add_traces(families, *now.traces);
    add_http(families, now.http);
    add_api(families, now.api);
    add_streams(families, now.streams);
    return prometheus::TextSerializer{}.Serialize(families.all());
}

} // namespace postrider::api
