#include "server/api/endpoints.hpp"
#include "server/api/operation_answer.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/audit.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

using queue::operation;

constexpr int usual_bulk = 100;
constexpr int largest_bulk = 1000;

struct bulk_request {
    queue::job_operation operation;
    queue::job_filter filter;
    int limit = usual_bulk;
    bool dry_run = false;
};

struct bulk_outcome {
    std::vector<job_id> jobs;
    queue::bulk_result result;
};

bulk_request read_bulk(operation operation, members& body) {
    bulk_request request;
    request.operation.operation = operation;
    if (operation == operation::cancel && body.flag("rollback"))
        request.operation.operation = operation::roll_back;
    if (operation == operation::retry) request.operation.version = read_version(body);
    request.filter = read_filter(body);
    request.limit = static_cast<int>(body.integer("limit", 1, largest_bulk).value_or(usual_bulk));
    request.dry_run = body.flag("dry_run");
    // Or a forgotten body would mean everything.
    if (matches_all(request.filter)) body.mistake("a filter is needed; state alone will do");
    bool const any_state = request.filter.states.empty() && !request.filter.degraded;
    if (any_state) request.filter.states = queue::usual_states(operation);
    return request;
}

// One transaction: the next jobs below the last one, and the operation on them.
bulk_outcome do_chunk(
    storage::transaction& tx, bulk_request const& request, std::optional<job_id> before, int most
) {
    bulk_outcome outcome;
    outcome.jobs = queue::matching_jobs(tx, request.filter, before, most);
    if (!request.dry_run && !outcome.jobs.empty())
        outcome.result = queue::operate_on(tx, outcome.jobs, request.operation);
    return outcome;
}

boost::json::object bulk_json(bulk_request const& request, bulk_outcome const& outcome) {
    boost::json::array ids, refusals;
    for (auto const job : outcome.jobs) ids.push_back(base::raw(job));
    for (auto const& refused : outcome.result.refused) {
        auto refusal = to_json(refused);
        refusal["job_id"] = refused.job ? boost::json::value(base::raw(*refused.job)) : nullptr;
        refusals.push_back(std::move(refusal));
    }
    return {
        {"dry_run", request.dry_run},
        {"matched", std::ssize(outcome.jobs)},
        {"done", outcome.result.done},
        {"asked", outcome.result.asked},
        {"refused", std::move(refusals)},
        {"job_ids", std::move(ids)},
        {"stopped", nullptr}};
}

base::awaitable<net::http_response> operate_on_many(
    operation operation, net::http_request request, caller caller, storage::database& db
) {
    parameters query(request);
    members body(request);
    auto const bulk = read_bulk(operation, body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);

    auto const use = bulk.dry_run ? database_use::read : database_use::change;
    bulk_outcome total;
    std::optional<base::error> failure;
    while (std::ssize(total.jobs) < bulk.limit && !failure) {
        auto const left = bulk.limit - static_cast<int>(total.jobs.size());
        auto const most = std::min(left, static_cast<int>(queue::bulk_chunk));
        std::optional<job_id> before;
        if (!total.jobs.empty()) before = total.jobs.back();
        auto chunk = std::make_shared<bulk_outcome>();
        std::function<void(storage::transaction&)> work =
            [chunk, bulk, before, most, actor = actor_of(caller)](auto& tx) {
                storage::act_as(tx, actor);
                *chunk = do_chunk(tx, bulk, before, most);
            };
        auto done = co_await db.run("api.bulk", std::move(work), database_waits.of(use));
        if (!done) {
            failure = done.error();
            break;
        }
        total.jobs.insert(total.jobs.end(), chunk->jobs.begin(), chunk->jobs.end());
        total.result += std::move(chunk->result);
        if (std::ssize(chunk->jobs) < most) break;
    }
    if (failure && total.jobs.empty()) co_return problem_of(*failure, use);
    auto answer = bulk_json(bulk, total);
    if (failure) answer["stopped"] = base::to_string(failure->code);
    co_return json_answer(200, answer);
}

endpoint bulk(std::string const& verb, operation operation) {
    endpoint bulk;
    bulk.method = "POST";
    bulk.pattern = "/api/v1/jobs/" + verb;
    bulk.handle = [operation](call incoming) {
        return operate_on_many(operation, std::move(incoming.request), incoming.by, incoming.db);
    };
    return bulk;
}

} // namespace

std::vector<endpoint> bulk_endpoints(resources const&) {
    return {
        bulk("retry", operation::retry),
        bulk("cancel", operation::cancel),
        bulk("pause", operation::pause),
        bulk("resume", operation::resume)};
}

} // namespace postrider::api
