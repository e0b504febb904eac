#include "server/api/endpoints.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/operation_answer.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/job_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::api {

namespace {

planned list_jobs(net::http_request const& request) {
    parameters query(request);
    auto const filter = read_filter(query);
    auto const before = read_id_cursor<job_id>(query);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter, before, limit](storage::transaction& tx) {
        auto const page = queue::list_jobs(tx, filter, before, limit);
        boost::json::array jobs;
        for (auto const& job : page.jobs) jobs.push_back(server::job_json(job));
        boost::json::object body{{"jobs", std::move(jobs)}};
        if (page.continues) body["next"] = base::to_string(*page.continues);
        return json_answer(200, body);
    });
}

net::http_response no_such_job(job_id job) {
    return net::http_response::problem(
        404, "not_found", fmt::format("there is no job {}", base::raw(job))
    );
}

planned show_job(net::http_request const& request) {
    parameters query(request);
    auto const job = path_job(request, query);
    auto const most_bytes = query.integer("most_bytes", 1, largest_number);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([job, most_bytes](storage::transaction& tx) {
        auto const details = queue::read_job_details(tx, job, most_bytes);
        if (!details) return no_such_job(job);
        auto body = server::job_json(*details, queue::list_job_waits(tx, job));
        if (most_bytes) body["cut"] = server::cut_places(*details);
        return json_answer(200, body);
    });
}

// What the body says beyond the path.
queue::job_operation read_operation(queue::operation operation, members& body) {
    queue::job_operation request;
    request.operation = operation;
    switch (operation) {
    case queue::operation::cancel:
        if (body.flag("rollback")) request.operation = queue::operation::roll_back;
        break;
    case queue::operation::fork:
        request.input = body.json("input");
        request.answer = body.flag("answer");
        [[fallthrough]];
    case queue::operation::restart:
        request.from_step = body.text("from_step");
        [[fallthrough]];
    case queue::operation::retry:
        request.version = read_version(body);
        break;
    case queue::operation::send_event:
        request.event.type = body.required_text("type");
        request.event.payload = body.json("payload").value_or(nullptr);
        request.event.match = body.text("match");
        break;
    default:
        break;
    }
    return request;
}

net::http_response operated(
    storage::transaction& tx, queue::operation_result const& result, bool fresh
) {
    if (!result.done) return refused(result);
    job_id const job = result.job.value();
    auto const now = queue::summaries_of(tx, {&job, 1});
    if (now.empty()) return no_such_job(job);
    auto body = server::job_json(now.front());
    body["operation"] = to_json(result);
    auto answer = json_answer(status_of(result, fresh), body);
    if (fresh) answer.headers.add("Location", "/api/v1/jobs/" + base::to_string(job));
    return answer;
}

planned fork_job(net::http_request const& request) {
    if (auto wrong_key = refuse_key(request)) return std::move(*wrong_key);
    parameters query(request);
    members body(request);
    auto const job = path_job(request, query);
    auto const operation = read_operation(queue::operation::fork, body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    auto const key = key_of(request, "POST " + request.path, request.body);
    return work([job, operation, key](storage::transaction& tx) {
        auto const first = [&]() -> first_answer {
            auto const result = queue::operate(tx, job, operation);
            auto answer = operated(tx, result, true);
            return {std::move(answer), result.done ? result.job : std::nullopt};
        };
        auto const again = [&](job_id copy) {
            queue::operation_result before;
            before.job = copy;
            before.done = true;
            before.code = "done";
            before.detail = fmt::format("forked from {} before", base::raw(job));
            return operated(tx, before, true);
        };
        return start_once(tx, key, first, again);
    });
}

planned operate_on_job(queue::operation verb, net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const job = path_job(request, query);
    auto const operation = read_operation(verb, body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([job, operation](storage::transaction& tx) {
        auto const result = queue::operate(tx, job, operation);
        return operated(tx, result, false);
    });
}

planned settle(queue::effect_settlement settlement, net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const job = path_job(request, query);
    auto const key = path_text(request, "key", query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([job, key, settlement](storage::transaction& tx) {
        return operated(tx, queue::settle_effect(tx, job, key, settlement), false);
    });
}

endpoint operation_endpoint(std::string_view verb, queue::operation operation) {
    auto const plan = [operation](net::http_request const& request) {
        return operate_on_job(operation, request);
    };
    return {"POST", fmt::format("/api/v1/jobs/{{id}}/{}", verb), in_a_transaction(plan)};
}

endpoint settlement(std::string_view verb, queue::effect_settlement settlement) {
    auto const plan = [settlement](net::http_request const& request) {
        return settle(settlement, request);
    };
    return {
        "POST",
        fmt::format("/api/v1/jobs/{{id}}/effects/{{key}}/{}", verb),
        in_a_transaction(plan)};
}

planned list_effects(net::http_request const& request) {
    parameters query(request);
    if (auto const state = query.text("state"); state && *state != "in_doubt")
        query.mistake("state is not in_doubt");
    auto const before = read_id_cursor<job_id>(query);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([before, limit](storage::transaction& tx) {
        auto const page = queue::list_effects_in_doubt(tx, before, limit);
        boost::json::array effects;
        for (auto const& effect : page.effects) effects.push_back(server::effect_json(effect));
        boost::json::object body{{"effects", std::move(effects)}};
        if (page.continues) body["next"] = base::to_string(*page.continues);
        return json_answer(200, body);
    });
}

} // namespace

std::vector<endpoint> job_endpoints(resources const&) {
    using queue::operation;
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/jobs", in_a_transaction(list_jobs)},
        {"GET", "/api/v1/jobs/{id}", in_a_transaction(show_job)},
        operation_endpoint("retry", operation::retry),
        operation_endpoint("restart", operation::restart),
        operation_endpoint("cancel", operation::cancel),
        operation_endpoint("pause", operation::pause),
        operation_endpoint("resume", operation::resume),
        {"POST", "/api/v1/jobs/{id}/fork", in_a_transaction(fork_job)},
        operation_endpoint("events", operation::send_event),
        {"GET", "/api/v1/effects", in_a_transaction(list_effects)},
        settlement("done", queue::effect_settlement::done),
        settlement("resend", queue::effect_settlement::resend),
        settlement("drop", queue::effect_settlement::drop),
    };
    return endpoints;
}

} // namespace postrider::api
