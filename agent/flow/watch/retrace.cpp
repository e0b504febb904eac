#include "agent/flow/watch/retrace.hpp"

#include "agent/flow/watch/parts_trace.hpp"
#include "agent/talk/refusing_messenger.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::flow {

namespace {

class silent_messenger final : public refusing_messenger {
public:
    explicit silent_messenger(messenger const& like)
        : refusing_messenger({base::errc::refused, "nothing is sent while a record is looked at"}),
          like_(like) {}

    std::optional<bot_id> find_bot(std::string_view name) const override {
        return like_.find_bot(name);
    }
    std::vector<message_content> split(address const& chat, message_content content)
        const override {
        return like_.split(chat, std::move(content));
    }

private:
    messenger const& like_;
};

// Every member is named, so that one which is added later is not forgotten here.
node_services quiet_services(node_services const& like, messenger& silent) {
    auto const& [reads, out, clock, random, limits, model, find_flow, compile, current, agents, chatbot, watcher, drafts, web, credentials, approvers, approver_chats, approval_timeout, tools, began, is_owner, servers, budgets, messages_per_minute, audit_in_full, timezone_of, tool_calls, code, transcription, links, mail, redis, sessions, started_at, embedder, spam] =
        like;
    return {
        reads,
        silent,
        clock,
        random,
        nullptr, // how models do is not heard of twice
        model,
        find_flow,
        compile,
        current,
        agents,
        chatbot,
        watcher,
        {},      // nobody reads what is written
        nullptr, // nothing outside is asked
        nullptr,
        approvers,
        approver_chats,
        approval_timeout,
        tools,
        began,
        is_owner,
        nullptr,
        std::nullopt, // nothing is paid
        messages_per_minute,
        audit_in_full,
        timezone_of,
        nullptr, // no tool is executed
        code,    // its results are in the record
        nullptr,
        links,
        nullptr,
        nullptr,
        nullptr,
        started_at,
        nullptr,
        spam};
}

bool of_node(std::string_view step, node const& node) {
    return step.size() > node.id.size() && step.starts_with(node.id) && step[node.id.size()] == '/';
}

// By node, when the first of its steps began, or its wait for an event.
using beginnings = std::map<std::string_view, std::chrono::microseconds>;

beginnings beginnings_in(queue::job_details const& record) {
    beginnings result;
    auto const note = [&result](std::string_view key, std::chrono::microseconds begins) {
        auto& first = result.try_emplace(key.substr(0, key.find('/')), begins).first->second;
        first = std::min(first, begins);
    };
    for (auto const& step : record.steps)
        if (queue::part_of_the_run(step)) note(step.key, step.begins);
    for (auto const& wait : record.waits) note(wait.key, wait.begins);
    return result;
}

bool waits(node const& node, queue::recording const& record) {
    if (record.details.job.state != "running") return true;
    return std::ranges::any_of(record.details.waits, [&](auto const& wait) {
        return of_node(wait.key, node);
    });
}

node_state state_of(
    node_trace const& node_history, node const& node, queue::recording const& record, bool ended
) {
    auto const state = queue::job_state_from_string(record.details.job.state);
    bool const is_over = ended || (state && queue::over(*state));
    if (node_history.state == node_state::not_reached && is_over) return node_state::skipped;
    if (node_history.state != node_state::running) return node_history.state;
    if (is_over) return node_state::stopped;
    return waits(node, record) ? node_state::waiting : node_state::running;
}

void add_states(retraced& execution, graph const& flow, queue::recording const& record) {
    auto const beginnings = beginnings_in(record.details);
    for (std::size_t i = 0; i < execution.seen.nodes.size(); ++i) {
        auto& node_history = execution.seen.nodes[i];
        auto const& node = flow.flow().nodes[i];
        // A node that acts began with its first step, which may be long after what it follows.
        auto const own_beginning = beginnings.find(node.id);
        if (own_beginning != beginnings.end() && node_history.began && node_history.runs < 2)
            node_history.began = std::max(*node_history.began, own_beginning->second);
        node_history.state = state_of(node_history, node, record, execution.outcome.has_value());
    }
}

// Memory may be slow to read, and nodes may have much to compute; they let others run meanwhile.
constexpr auto retrace_patience = std::chrono::seconds{10};

using ending = std::optional<queue::outcome>;

base::awaitable<base::result<ending>> run_over_again(
    graph const& flow,
    queue::replay_workflow& steps,
    node_services const& services,
    observer& watcher
) {
    try {
        auto outcome = co_await execute(flow, steps, services, watcher);
        co_return ending(std::move(outcome));
    } catch (queue::suspended const&) {
        co_return ending();
    } catch (queue::not_here const& e) {
        co_return base::error(base::errc::unavailable, e.reason);
    }
}

} // namespace

bool waited(queue::step_summary const& step) noexcept {
    auto const key = std::string_view(step.key);
    auto const name = key.substr(key.rfind('/') + 1);
    return name.substr(0, name.find('#')) == event_step ||
           (step.outcome == "done" && step.next); // the end of a sleep
}

base::awaitable<base::result<retraced>> retrace(
    graph const& flow, queue::recording const& record, node_services const& services
) {
    if (!record.details.job.started_at.empty()) co_return co_await replay(flow, record, services);
    retraced nothing;
    nothing.seen.nodes.resize(flow.flow().nodes.size());
    add_states(nothing, flow, record);
    co_return nothing;
}

base::awaitable<base::result<retraced>> replay(
    graph const& flow, queue::recording const& record, node_services const& services
) {
    silent_messenger silent(services.out);
    auto const quiet = quiet_services(services, silent);
    queue::replay_workflow steps(co_await base::asio::this_coro::executor, record);
    tracer watching(flow.flow(), [&steps] { return steps.moment(); });
    auto outcome =
        co_await base::with_timeout(run_over_again(flow, steps, quiet, watching), retrace_patience);
    if (!outcome) co_return outcome.error();
    retraced replayed;
    replayed.outcome = std::move(*outcome);
    replayed.missing = steps.missing();
    replayed.unasked = steps.unasked();
    replayed.seen = std::move(watching).take();
    add_parts(replayed, flow, record.details);
    add_states(replayed, flow, record);
    co_return replayed;
}

} // namespace postrider::agent::flow
