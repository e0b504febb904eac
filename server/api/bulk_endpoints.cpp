#include "server/api/endpoints.hpp"
#include "server/api/operation_answer.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

using queue::job_state;
using queue::operation;

constexpr int usual_bulk = 100;
constexpr int largest_bulk = 1000;

struct bulk_request {
    queue::job_operation how;
    queue::job_filter filter;
    int limit = usual_bulk;
    bool dry_run = false;
};

struct bulk_outcome {
    std::vector<job_id> jobs;
    queue::bulk_result became;
};

// The states in which the operation can do something, when the filter names none.
std::vector<job_state> usual_states(operation what) {
    switch (what) {
    case operation::retry:
        return {job_state::failed};
    case operation::resume:
        return {job_state::paused};
    case operation::pause:
        return {
            job_state::available,
            job_state::scheduled,
            job_state::running,
            job_state::waiting,
            job_state::retryable};
    default:
        return {
            job_state::available,
            job_state::scheduled,
            job_state::running,
            job_state::waiting,
            job_state::retryable,
            job_state::paused};
    }
}

bulk_request read_bulk(operation what, members& body) {
    bulk_request made;
    made.how.what = what;
    if (what == operation::cancel && body.flag("rollback")) made.how.what = operation::roll_back;
    made.filter = read_filter(body);
    made.limit = static_cast<int>(body.integer("limit", 1, largest_bulk).value_or(usual_bulk));
    made.dry_run = body.flag("dry_run");
    // Or a forgotten body would mean everything.
    if (matches_all(made.filter)) body.mistake("a filter is needed; state alone will do");
    if (made.filter.states.empty()) made.filter.states = usual_states(what);
    return made;
}

// One transaction: the next jobs below the last one, and the operation on them.
bulk_outcome do_chunk(
    storage::transaction& tx, bulk_request const& asked, std::optional<job_id> before, int most
) {
    bulk_outcome made;
    made.jobs = queue::matching_jobs(tx, asked.filter, before, most);
    if (!asked.dry_run && !made.jobs.empty())
        made.became = queue::operate_on(tx, made.jobs, asked.how);
    return made;
}

boost::json::object bulk_json(bulk_request const& asked, bulk_outcome const& made) {
    boost::json::array ids, refusals;
    for (auto const job : made.jobs) ids.push_back(base::raw(job));
    for (auto const& each : made.became.refused) {
        auto refusal = to_json(each);
        refusal["job_id"] = each.job ? boost::json::value(base::raw(*each.job)) : nullptr;
        refusals.push_back(std::move(refusal));
    }
    return {
        {"dry_run", asked.dry_run},
        {"matched", std::ssize(made.jobs)},
        {"done", made.became.done},
        {"asked", made.became.asked},
        {"refused", std::move(refusals)},
        {"job_ids", std::move(ids)},
        {"stopped", nullptr}};
}

base::awaitable<net::http_response> operate_on_many(
    operation what, net::http_request request, storage::database& db
) {
    parameters query(request);
    members body(request);
    auto const asked = read_bulk(what, body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);

    bulk_outcome all;
    std::optional<base::error> failure;
    while (std::ssize(all.jobs) < asked.limit && !failure) {
        auto const left = asked.limit - static_cast<int>(all.jobs.size());
        auto const most = std::min(left, static_cast<int>(queue::bulk_chunk));
        std::optional<job_id> before;
        if (!all.jobs.empty()) before = all.jobs.back();
        auto chunk = std::make_shared<bulk_outcome>();
        std::function<void(storage::transaction&)> work = [chunk, asked, before, most](auto& tx) {
            *chunk = do_chunk(tx, asked, before, most);
        };
        auto done = co_await db.run("api.bulk", std::move(work), work_deadline);
        if (!done) {
            failure = done.error();
            break;
        }
        all.jobs.insert(all.jobs.end(), chunk->jobs.begin(), chunk->jobs.end());
        all.became += std::move(chunk->became);
        if (std::ssize(chunk->jobs) < most) break;
    }
    if (failure && all.jobs.empty()) co_return problem_of(*failure);
    auto answer = bulk_json(asked, all);
    if (failure) answer["stopped"] = base::to_string(failure->code);
    co_return json_answer(200, answer);
}

endpoint bulk(std::string verb, operation what) {
    endpoint made;
    made.method = "POST";
    made.pattern = "/api/v1/jobs/" + verb;
    made.handle = [what](net::http_request request, storage::database& db) {
        return operate_on_many(what, std::move(request), db);
    };
    return made;
}

} // namespace

std::vector<endpoint> bulk_endpoints() {
    return {
        bulk("retry", operation::retry),
        bulk("cancel", operation::cancel),
        bulk("pause", operation::pause),
        bulk("resume", operation::resume),
    };
}

} // namespace postrider::api
