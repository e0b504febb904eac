#include "server/hooks/starts.hpp"

#include "agent/flow/lane_key.hpp"
#include "agent/flow/lane_manner.hpp"
#include "base/log.hpp"
#include "server/telemetry/trace_context.hpp"
#include "storage/reachability.hpp"

namespace postrider::hooks {

namespace {

constexpr base::duration commit_deadline = std::chrono::seconds{10};

} // namespace

// A busy address is refused before it fills the places that all of them share.
class hook_starts::waiting_place {
public:
    waiting_place(hook_starts& at, std::string const& flow)
        : at_(at),
          waiting_(&at.waiting_[flow]) {
        granted_ = *waiting_ < at_.limits_.of_flow && at_.all_waiting_ < at_.limits_.of_all;
        if (!granted_) return;
        ++*waiting_;
        ++at_.all_waiting_;
    }
    ~waiting_place() {
        if (!granted_) return;
        --*waiting_;
        --at_.all_waiting_;
    }
    waiting_place(waiting_place const&) = delete;
    waiting_place& operator=(waiting_place const&) = delete;
    bool granted() const noexcept { return granted_; }

private:
    hook_starts& at_;
    std::size_t* waiting_; // in a map of nodes, which stay where they are
    bool granted_ = false;
};

agent::flow::execution_start hook_starts::execution_of(
    agent::flow::start const& to, boost::json::object item, net::http_request const& request
) const {
    auto const& current = *flows_.current(to.flow);
    auto const& settings = current.opening->settings;
    agent::flow::execution_start start;
    start.lane.manner = agent::flow::manner_of(settings);
    start.lane.key = agent::flow::lane_or_own(*current.opening, item, base::system_random());
    agent::flow::execution_input input{.flow = to.flow, .version = to.version, .trigger = to.node};
    input.data = std::move(item);
    start.job.kind = agent::flow::flow_kind;
    start.job.input = agent::flow::to_json(input);
    telemetry::continue_trace(start.job.input, request);
    start.job.deadline = settings.timeout;
    return start;
}

base::awaitable<base::result<agent::flow::started_execution>> hook_starts::start(
    agent::flow::execution_start execution,
    std::optional<storage::request_key> key,
    std::string flow
) {
    waiting_place const place(*this, flow);
    if (!place.granted()) co_return base::error(base::errc::overloaded);
    auto const until = base::system_clock().steady() + commit_deadline;
    agent::flow::start_conditions conditions{.key = std::move(key)};
    auto started = co_await agent::flow::start_once(
        executions_, std::move(execution), std::move(conditions), until
    );
    if (!started) {
        if (started.error() != base::errc::overloaded) report_failure(flow, started.error());
    } else if (auto const lasted = outage_.over(base::system_clock().steady())) {
        base::log::info("hook.starts_resumed", {{"after", *lasted}});
    }
    co_return started;
}

void hook_starts::report_failure(std::string const& flow, base::error const& error) {
    bool const away = base::retryable(error.code) || error == base::errc::ambiguous;
    auto const now = base::system_clock().steady();
    if (away && !outage_.failed(now, storage::tolerated(error))) return;
    base::log::warn("hook.not_started", {{"flow", flow}, {"error", error}});
}

} // namespace postrider::hooks
