#include "server/hooks/hook_route.hpp"

#include "agent/flow/lane_key.hpp"
#include "agent/flow/lane_manner.hpp"
#include "agent/flow/start/start_once.hpp"
#include "base/fault.hpp"
#include "base/log.hpp"
#include "base/outage.hpp"
#include "base/texts.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/problem.hpp"
#include "server/hooks/flow_answer.hpp"
#include "server/hooks/proof.hpp"
#include "server/hooks/request_item.hpp"
#include "server/telemetry/trace_context.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

namespace postrider::hooks {

namespace {

using agent::flow::execution_start;
using agent::flow::webhook_start;
using net::http_request;
using net::http_response;

constexpr int retry_after = 2; // seconds
constexpr base::duration commit_deadline = std::chrono::seconds{10};

// Until the next suspension: the flow's own may be replaced then.
using admission = std::variant<webhook_start const*, http_response>;
using proven = bool (*)(request_proof const&, base::secret const&, http_request const&);

http_response problem(base::error const& failure) {
    return http_response::problem(400, "invalid", failure.detail);
}

http_response accepted(job_id execution, bool answer_may_come) {
    auto answer =
        http_response::json(202, fmt::format(R"({{"execution":{}}})", base::raw(execution)));
    if (answer_may_come) answer.headers.add("Retry-After", std::to_string(retry_after));
    return answer;
}

class webhook_receiver {
public:
    explicit webhook_receiver(hook_services services) : services_(services) {}

    net::gate_result gate(http_request const& head) {
        auto admission = admit(head, may_be_proven);
        if (auto* refused = std::get_if<http_response>(&admission)) return std::move(*refused);
        if (auto refused = api::refuse_key(head)) return std::move(*refused);
        auto const& trigger = *std::get<webhook_start const*>(admission);
        auto const method = trigger.requests.proof.method;
        return net::admitted{.proven = method != proof_method::signature};
    }

    base::awaitable<http_response> handle(http_request request) {
        auto admitted = admit(request, is_proven);
        if (auto* refused = std::get_if<http_response>(&admitted)) co_return std::move(*refused);
        auto const& trigger = *std::get<webhook_start const*>(admitted);
        bool const waits = trigger.requests.answered_by_node;
        auto execution = read(trigger, request);
        if (!execution) co_return problem(execution.error());
        auto const flow = trigger.to.flow;
        auto key = key_of(request);

        auto started = co_await start(std::move(*execution), std::move(key), flow);
        base::fault::point("hook.committed");
        if (!started) {
            if (started.error() == base::errc::overloaded) co_return too_busy();
            report_failure(flow, started.error());
            co_return api::problem_of(started.error(), api::database_use::change);
        }
        if (auto const lasted = outage_.over(base::system_clock().steady()))
            base::log::info("hook.starts_resumed", {{"after", *lasted}});
        if (started->other_request) co_return api::key_reused();
        if (!waits) co_return accepted(started->job, false);
        co_return co_await answer_of(started->job);
    }

private:
    // The trigger that takes the request, which has proven itself; or what it is answered instead.
    admission admit(http_request const& request, proven holds) {
        auto const path = request.param("path");
        auto const* trigger = services_.flows.starts().webhook(request.method, path);
        if (!trigger) return nowhere(services_.flows.starts().methods(path));
        auto const& proof = trigger->requests.proof;
        auto const secret = services_.secrets.find(proof.secret);
        bool const has_secret = secret != services_.secrets.end();
        if (has_secret && holds(proof, secret->second, request)) return trigger;
        report_refusal(
            *trigger, request, has_secret ? "not proven" : "its secret is not configured"
        );
        auto refused = http_response::problem(401, "unauthorized", "the request proves nothing");
        if (proof.method == proof_method::bearer)
            refused.headers.add("WWW-Authenticate", R"(Bearer realm="postrider")");
        return refused;
    }

    static http_response nowhere(std::vector<std::string> const& methods) {
        if (methods.empty()) return http_response::problem(404, "not_found", "no such webhook");
        auto const allowed = base::joined(methods, ", ");
        auto problem = http_response::problem(405, "method_not_allowed", "allowed: " + allowed);
        problem.headers.add("Allow", allowed);
        return problem;
    }

    base::awaitable<base::result<agent::flow::started_execution>> start(
        execution_start execution, std::optional<storage::request_key> key, std::string flow
    ) {
        waiting_place const place(*this, flow);
        if (!place.granted()) co_return base::error(base::errc::overloaded);
        auto const until = base::system_clock().steady() + commit_deadline;
        agent::flow::start_conditions conditions{.key = std::move(key)};
        co_return co_await agent::flow::start_once(
            services_.executions, std::move(execution), std::move(conditions), until
        );
    }

    base::result<execution_start> read(webhook_start const& trigger, http_request const& request)
        const {
        auto const path = request.param("path");
        auto item = item_of(request, path, trigger.requests.proof.header);
        if (!item) return item.error();
        auto const& current = *services_.flows.current(trigger.to.flow);
        auto const& settings = current.opening->settings;
        execution_start start;
        start.lane.manner = agent::flow::manner_of(settings);
        start.lane.key = agent::flow::lane_or_own(*current.opening, *item, base::system_random());
        agent::flow::execution_input input{
            .flow = trigger.to.flow, .version = trigger.to.version, .trigger = trigger.to.node};
        input.data = std::move(*item);
        start.job.kind = agent::flow::flow_kind;
        start.job.input = agent::flow::to_json(input);
        telemetry::continue_trace(start.job.input, request);
        start.job.deadline = settings.timeout;
        return start;
    }

    static std::optional<storage::request_key> key_of(http_request const& request) {
        auto const path = request.param("path");
        auto const identity = fmt::format("{}?{}\n{}", path, request.query, request.body);
        return api::key_of(request, fmt::format("{} /hooks/{}", request.method, path), identity);
    }

    // A flow's requests that wait for their commit. A busy hook is refused before it fills the
    // places that all hooks share.
    class waiting_place {
    public:
        waiting_place(webhook_receiver& at, std::string const& flow)
            : at_(at),
              waiting_(&at.waiting_[flow]) {
            granted_ = *waiting_ < at_.services_.most_waiting_of_flow &&
                       at_.all_waiting_ < at_.services_.most_waiting;
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
        webhook_receiver& at_;
        std::size_t* waiting_; // in a map of nodes, which stay where they are
        bool granted_ = false;
    };

    static http_response too_busy() {
        auto answer = http_response::problem(
            503, "overloaded", "too many requests of this webhook wait: send it again"
        );
        answer.headers.add("Retry-After", std::to_string(retry_after));
        return answer;
    }

    base::awaitable<http_response> answer_of(job_id execution) {
        auto answer = co_await await_answer(services_.waiting, execution, services_.patience);
        if (!answer) co_return accepted(execution, true);
        co_return std::move(*answer);
    }

    void report_refusal(
        webhook_start const& trigger, http_request const& request, std::string_view reason
    ) {
        auto const times = services_.refusals.note(trigger.to.flow, base::system_clock().steady());
        if (!times) return;
        base::log::warn(
            "hook.refused",
            {{"flow", trigger.to.flow},
             {"remote", request.remote},
             {"reason", reason},
             {"times", *times}}
        );
    }

    // The database's absence is told once a minute, however many requests meet it.
    void report_failure(std::string const& flow, base::error const& error) {
        bool const away = base::retryable(error.code) || error == base::errc::ambiguous;
        if (away && !outage_.failed(base::system_clock().steady())) return;
        base::log::warn("hook.not_started", {{"flow", flow}, {"error", error}});
    }

    hook_services services_;
    base::outage outage_;
    std::map<std::string, std::size_t, std::less<>> waiting_; // by flow
    std::size_t all_waiting_ = 0;
};

} // namespace

net::route hook_route(hook_services services) {
    auto receiver = std::make_shared<webhook_receiver>(services);
    net::route route;
    route.pattern = "/hooks/{path...}";
    route.body_limit = largest_body;
    route.gate = [receiver](http_request const& head) { return receiver->gate(head); };
    route.handle = [receiver](http_request request) {
        return receiver->handle(std::move(request));
    };
    return route;
}

} // namespace postrider::hooks
