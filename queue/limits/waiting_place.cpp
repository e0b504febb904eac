#include "queue/limits/waiting_place.hpp"

#include "queue/store/statements.hpp"
#include "storage/query.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::queue {

using std::chrono::milliseconds;
namespace json = boost::json;

base::awaitable<base::result<std::optional<waiting_place>>> find_place(
    storage::batcher& quick, job_id job, std::string_view resource, base::duration within
) {
    json::object row{{"job_id", base::raw(job)}, {"resource", std::string(resource)}};
    auto place_rows = co_await query_apart(quick, sql::find_place, std::move(row), within);
    if (!place_rows) co_return place_rows.error();
    std::optional<waiting_place> place;
    if (!place_rows->empty()) {
        auto const& columns = place_rows->front();
        place = waiting_place{
            milliseconds{columns.int64(1)},
            milliseconds{columns.int64(2)},
            columns.boolean(3),
            columns.text(4)};
    }
    co_return place;
}

storage::write keep_place(
    job_id job, lane_id lane, std::string_view resource, admission const& until
) {
    json::object row{
        {"job_id", base::raw(job)},
        {"lane_id", base::raw(lane)},
        {"ms", until.wait.count()},
        {"reserved", until.reserved},
        {"resource", std::string(resource)},
        {"reason", std::string(until.reason)}};
    return {&sql::keep_place, json::serialize(row)};
}

storage::write leave_place(
    job_id job,
    std::string_view resource,
    waiting_place const& place,
    milliseconds waited,
    bool passed
) {
    json::object row{
        {"job_id", base::raw(job)},
        {"resource", std::string(resource)},
        {"until", place.until},
        {"waited", waited.count()},
        {"passed", passed}};
    return {&sql::leave_place, json::serialize(row), storage::job_range::only(job)};
}

} // namespace postrider::queue
