#include "server/hooks/hook_route.hpp"

#include "base/fault.hpp"
#include "base/log.hpp"
#include "base/texts.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/problem.hpp"
#include "server/hooks/flow_answer.hpp"
#include "server/hooks/proof.hpp"
#include "server/hooks/request_item.hpp"
#include "server/hooks/starts.hpp"

#include <fmt/format.h>

#include <memory>

namespace postrider::hooks {

namespace {

using agent::flow::webhook_start;
using net::http_request;
using net::http_response;

constexpr int retry_after = 2; // seconds

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
    explicit webhook_receiver(hook_services services)
        : services_(services),
          starts_(services.flows, services.executions, services.limits) {}

    net::gate_result gate(http_request const& head) {
        auto admission = admit(head, may_be_proven);
        if (auto* refused = std::get_if<http_response>(&admission)) return std::move(*refused);
        if (auto refused = api::refuse_key(head)) return std::move(*refused);
        auto const& trigger = *std::get<webhook_start const*>(admission);
        auto const method = trigger.requests.proof.method;
        return net::admitted{
            .proven = method == proof_method::bearer || method == proof_method::header,
            .anonymous = method == proof_method::none};
    }

    base::awaitable<http_response> handle(http_request request) {
        auto admitted = admit(request, is_proven);
        if (auto* refused = std::get_if<http_response>(&admitted)) co_return std::move(*refused);
        auto const& trigger = *std::get<webhook_start const*>(admitted);
        bool const waits = trigger.requests.answered_by_node;
        auto item = item_of(request, request.param("path"), trigger.requests.proof.header);
        if (!item) co_return problem(item.error());
        auto execution = starts_.execution_of(trigger.to, std::move(*item), request);
        auto const flow = trigger.to.flow;
        auto key = key_of(request);

        auto started = co_await starts_.start(std::move(execution), std::move(key), flow);
        base::fault::point("hook.committed");
        if (!started) {
            if (started.error() == base::errc::overloaded) co_return too_busy();
            co_return api::problem_of(started.error(), api::database_use::change);
        }
        if (started->other_request) co_return api::key_reused();
        if (!waits) co_return accepted(started->job, false);
        co_return co_await answer_of(started->job);
    }

private:
    // The trigger that takes the request, which has proven itself; or what it is answered instead.
    admission admit(http_request const& request, proven holds) {
        auto const path = request.param("path");
        auto const* trigger = services_.flows.starts().webhook(request.method, path);
        if (!trigger || trigger->requests.form)
            return nowhere(services_.flows.starts().methods(path));
        auto const& proof = trigger->requests.proof;
        if (proof.method == proof_method::none) return trigger;
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

    static std::optional<storage::request_key> key_of(http_request const& request) {
        auto const path = request.param("path");
        auto const identity = fmt::format("{}?{}\n{}", path, request.query, request.body);
        return api::key_of(request, fmt::format("{} /hooks/{}", request.method, path), identity);
    }

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

    hook_services services_;
    hook_starts starts_;
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
