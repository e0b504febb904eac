#include "agent/flow/nodes/summary_job.hpp"

#include "agent/flow/nodes/lane_job.hpp"
#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace {

// Ten jobs that failed wait as long as more do.
constexpr storage::statement select_summary_pause{
    "summaries_pause",
    R"(
select t.i
from json_to_recordset($1::json) as t(i int, lane_key text)
cross join lateral (select x.lane_id from postrider.lane x where x.lane_key = t.lane_key limit 1) l
cross join lateral (
    select max(y.finished_at) as ended, coalesce(min(y.n) filter (where y.state <> 'failed') - 1, count(*)) as failures
    from (select j.state, j.finished_at, row_number() over (order by j.job_id desc) as n
          from (select * from postrider.job x where x.lane_id = l.lane_id order by x.job_id desc limit 10) j) y) f
where f.failures > 0 and f.ended + least(interval '10 minutes' * power(2, f.failures - 1), interval '1 day') > postrider.now()
)",
    20};

std::string summary_lane(std::string const& session) {
    return "summary:" + session;
}

} // namespace

base::awaitable<base::result<bool>> summaries_pause(
    storage::batcher& reads, std::string const& session, base::duration deadline
) {
    base::json_row row{{"lane_key", summary_lane(session)}};
    storage::write request{&select_summary_pause, std::move(row).text()};
    auto const pauses = co_await storage::query(reads, std::move(request), deadline);
    if (!pauses) co_return pauses.error();
    co_return !pauses->empty();
}

// `user` is a name that postrider erase looks for.
std::vector<storage::write> summarise_later(summary_request const& request) {
    boost::json::object input;
    input["session"] = request.session;
    input["flow"] = request.flow;
    input["window"] = request.window;
    if (request.user != user_id{}) input["user"] = base::raw(request.user);
    put_model_of_job(input, request.model);
    return enqueue_alone(summary_lane(request.session), summary_kind, std::move(input));
}

base::result<summary_request> summary_request_from(boost::json::value const& input) {
    base::json_reader const root{input};
    summary_request request;
    request.session = root["session"].string();
    request.flow = root["flow"].string();
    request.window = static_cast<int>(root["window"].int64());
    request.user = user_id{root["user"].int64_or(0)};
    request.model = model_of_job(root);
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
