#include "server/api/endpoints.hpp"
#include "server/api/operation_answer.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/audit.hpp"
#include "storage/transact.hpp"

#include <boost/json/array.hpp>

#include <set>

namespace postrider::api {

namespace {

using queue::operation;

constexpr int usual_bulk = 100;
constexpr int largest_bulk = 1000;

struct bulk_request {
    queue::job_operation operation;
    std::vector<job_id> jobs; // newest first; empty = those that match the filter
    queue::job_filter filter;
    int limit = usual_bulk;
    bool dry_run = false;
};

struct bulk_outcome {
    std::vector<job_id> jobs;
    queue::bulk_result result;
};

// Each once.
std::vector<job_id> newest_first(std::set<std::int64_t> const& ids) {
    std::vector<job_id> jobs;
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) jobs.push_back(job_id{*id});
    return jobs;
}

bulk_request read_bulk(operation operation, members& body) {
    bulk_request request;
    request.operation.operation = operation;
    if (operation == operation::cancel && body.flag("rollback"))
        request.operation.operation = operation::roll_back;
    if (operation == operation::retry) request.operation.version = read_version(body);
    auto const ids = body.ids("job_ids", queue::bulk_chunk);
    request.filter = read_filter(body);
    auto const limit = body.integer("limit", 1, largest_bulk);
    request.limit = static_cast<int>(limit.value_or(usual_bulk));
    request.dry_run = body.flag("dry_run");
    if (ids) {
        if (!matches_all(request.filter) || limit)
            body.mistake("job_ids exclude a filter and limit: they say which jobs are meant");
        request.jobs = newest_first(*ids);
        return request;
    }
    // Or a forgotten body would mean everything.
    if (matches_all(request.filter))
        body.mistake("a filter is needed; state alone will do, and so will job_ids");
    bool const any_state = request.filter.states.empty() && !request.filter.degraded;
    if (any_state) request.filter.states = queue::usual_states(operation);
    return request;
}

// One transaction: the jobs that are named, or the next ones below the last, and the operation on them.
bulk_outcome do_chunk(
    storage::transaction& tx, bulk_request const& request, std::optional<job_id> before, int most
) {
    bulk_outcome outcome;
    outcome.jobs = request.jobs;
    if (outcome.jobs.empty()) outcome.jobs = queue::matching_jobs(tx, request.filter, before, most);
    if (outcome.jobs.empty()) return outcome;
    outcome.result = request.dry_run ? queue::try_on(tx, outcome.jobs, request.operation)
                                     : queue::operate_on(tx, outcome.jobs, request.operation);
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
    bool has_more = true;
    while (has_more && std::ssize(total.jobs) < bulk.limit) {
        auto const left = bulk.limit - static_cast<int>(total.jobs.size());
        auto const most = std::min(left, static_cast<int>(queue::bulk_chunk));
        std::optional<job_id> before;
        if (!total.jobs.empty()) before = total.jobs.back();
        auto work = [bulk, before, most, actor = actor_of(caller)](storage::transaction& tx) {
            storage::act_as(tx, actor);
            return do_chunk(tx, bulk, before, most);
        };
        auto chunk =
            co_await storage::transact(db, "api.bulk", std::move(work), database_waits.of(use));
        if (!chunk) {
            failure = chunk.error();
            break;
        }
        total.jobs.insert(total.jobs.end(), chunk->jobs.begin(), chunk->jobs.end());
        total.result += std::move(chunk->result);
        has_more = bulk.jobs.empty() && std::ssize(chunk->jobs) == most;
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
