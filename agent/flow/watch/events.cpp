#include "agent/flow/watch/events.hpp"

#include "agent/flow/watch/redaction.hpp"
#include "queue/admin/replay_workflow.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::size_t detail_bytes = 2u << 10;

double in_ms(std::chrono::microseconds d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

json::value text_or_null(std::string const& text) {
    return text.empty() ? json::value() : json::value(text);
}

event about(node const& node, std::string_view type) {
    return {0, std::string(type), {{"node", node.id}, {"name", node.name}}};
}

event connection_used(definition const& flow, happening const& happened) {
    auto const& used = flow.connections[happened.at];
    json::object data{
        {"connection", happened.at},
        {"kind", used.type},
        {"from", flow.nodes[used.from].id},
        {"output", used.output},
        {"to", flow.nodes[used.to].id},
        {"input", used.input},
        {"items", happened.items},
    };
    return {0, "connection_used", std::move(data)};
}

event node_finished(definition const& flow, trace const& seen, happening const& happened) {
    auto const& node = seen.nodes[happened.at];
    auto const end = happened.end.value_or(finish{});
    auto event = about(flow.nodes[happened.at], "node_finished");
    event.data["state"] = to_string(end.state);
    event.data["items"] = end.counts;
    if (end.failure) event.data["error"] = to_json(*end.failure);
    event.data["metadata"] = redacted(end.metadata, detail_bytes);
    auto const began = end.run == node.runs ? node.began : end.began;
    event.data["began_ms"] = in_ms(began.value_or(happened.when));
    return event;
}

event event_of(definition const& flow, trace const& history, happening const& happened) {
    switch (happened.kind) {
    case happening::sort::node_started:
        return node_started(flow.nodes[happened.at], happened.items);
    case happening::sort::connection_used:
        return connection_used(flow, happened);
    case happening::sort::node_finished:
        return node_finished(flow, history, happened);
    case happening::sort::told:
        break;
    }
    return told_by(flow.nodes[happened.at], happened.event, happened.detail);
}

bool proven(happening const& happened) {
    return happened.kind == happening::sort::connection_used ||
           happened.kind == happening::sort::node_finished;
}

// A try of a node's step.
struct node_try {
    std::size_t node;
    queue::step_summary const* step;
};

std::chrono::microseconds end_of(queue::step_summary const& step) {
    return step.begins + step.took;
}

// In the order in which they were recorded; those of steps that no node has are left out.
std::vector<node_try> tries_of(definition const& flow, queue::job_details const& record) {
    std::map<std::string_view, std::size_t> nodes;
    for (std::size_t at = 0; at < flow.nodes.size(); ++at) nodes.emplace(flow.nodes[at].id, at);
    std::vector<node_try> tries;
    for (auto const& step : record.steps) {
        auto const id = std::string_view(step.key).substr(0, step.key.find('/'));
        auto const entry = nodes.find(id);
        if (queue::part_of_the_run(step) && id.size() < step.key.size() && entry != nodes.end())
            tries.push_back({entry->second, &step});
    }
    std::ranges::sort(tries, {}, [](node_try const& tried) {
        return std::tuple(end_of(*tried.step), tried.step->number, tried.step->attempt);
    });
    return tries;
}

event step(definition const& flow, node_try const& tried) {
    auto const& node = flow.nodes[tried.node];
    auto const& summary = *tried.step;
    auto event = about(node, "step");
    event.data["step"] = summary.key.substr(node.id.size() + 1);
    event.data["attempt"] = summary.attempt;
    event.data["outcome"] = summary.outcome;
    event.data["began_ms"] = in_ms(summary.begins);
    event.data["at_ms"] = in_ms(end_of(summary));
    if (summary.next) event.data["until_ms"] = in_ms(*summary.next);
    if (!summary.error_class.empty())
        event.data["error"] = json::object{
            {"code", summary.error_class},
            {"message", redacted(json::string(summary.error), detail_bytes)}};
    return event;
}

event job_started(queue::job_summary const& job) {
    return {0, "started", {{"created_at", job.created_at}, {"started_at", job.started_at}}};
}

event job_ended(queue::job_summary const& job) {
    json::object data{
        {"finished_at", job.finished_at},
        {"took_ms", in_ms(job.took)},
        {"tokens_in", job.tokens_in.value_or(0)},
        {"tokens_out", job.tokens_out.value_or(0)},
    };
    if (!job.error_class.empty())
        data["error"] = {
            {"code", job.error_class},
            {"message", redacted(json::string(job.error), detail_bytes)}};
    return {0, job.state == "completed" ? "done" : job.state, std::move(data)};
}

event waiting(queue::job_summary const& job) {
    return {
        0,
        "waiting",
        {{"state", job.state},
         {"for", text_or_null(job.waiting_for)},
         {"until", text_or_null(job.due_at)}}};
}

} // namespace

json::object to_json(base::error const& failure) {
    json::object told{
        {"code", base::to_string(failure.code)},
        {"message", redacted(json::string(failure.detail), detail_bytes)}};
    if (!failure.reason.empty()) told["reason"] = failure.reason;
    return told;
}

std::vector<event> events_of(
    definition const& flow,
    trace const& history,
    queue::job_details const& record,
    std::int64_t behind
) {
    std::vector<event> events;
    std::int64_t proved = 0;
    auto const add_numbered = [&](auto const& make) {
        if (++proved <= behind) return;
        events.push_back(make());
        events.back().number = proved;
    };
    auto const state = queue::job_state_from_string(record.job.state);
    bool const is_over = state && queue::over(*state);
    auto const end = [&] { return job_ended(record.job); };
    if (record.job.started_at.empty()) {
        if (is_over) add_numbered(end);
        return events;
    }
    add_numbered([&] { return job_started(record.job); });
    auto const tries = tries_of(flow, record);
    auto next_try = tries.begin();
    for (auto const& happened : history.happened) {
        for (; next_try != tries.end() && end_of(*next_try->step) <= happened.when; ++next_try)
            add_numbered([&] { return step(flow, *next_try); });
        auto const tell = [&] {
            auto reported = event_of(flow, history, happened);
            reported.data["at_ms"] = in_ms(happened.when);
            return reported;
        };
        if (proven(happened))
            add_numbered(tell);
        else if (proved >= behind)
            events.push_back(tell());
    }
    for (; next_try != tries.end(); ++next_try) add_numbered([&] { return step(flow, *next_try); });
    if (is_over)
        add_numbered(end);
    else if (record.job.state != "running")
        events.push_back(waiting(record.job));
    return events;
}

event node_started(node const& node, std::size_t count) {
    auto event = about(node, "node_started");
    event.data["items"] = count;
    return event;
}

event told_by(node const& node, std::string_view type, json::object const& detail) {
    auto event = about(node, type);
    event.data["detail"] = redacted(detail, detail_bytes);
    return event;
}

} // namespace postrider::agent::flow
