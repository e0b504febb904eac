#include "storage/stores/answers.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

// A message before the last of these steps is no answer yet ("one moment…"). A step's key is
// "node/step", then "node/step#2" and so on; one with "~" is of a life before a restart. Of the models of
// an agent the first is "model", and the others "model:2", "model:1.2".
constexpr statement read_answered{
    "read_answered",
    R"(
select t.i, coalesce(bool_and(m.delivery = 'sent') and max(m.created_at) >= max(s.ended_at), false)
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, step text)
left join lateral (select max(s.ended_at) as ended_at from postrider.step s
                   where s.job_id between $2::bigint and $3::bigint and s.job_id = t.job_id
                     and s.outcome = 'done' and position('~' in s.key) = 0
                     and s.key ~ ('/(' || t.step || ')([:#][^/]*)?$')
                   offset 0) s on true
left join lateral (select m.delivery, m.created_at from postrider.message m
                   where m.lane_id = t.lane_id and m.job_id = t.job_id and m.role = 'assistant' and m.delivery is not null
                     and not coalesce(m.detail ?| '{asked,interim}', false)
                     and m.position >= 0 -- a life before a restart stands below
                   offset 0) m on true
group by t.i
)",
    12,
    rows_and_range};

} // namespace

base::awaitable<base::result<bool>> was_answered(
    batcher& reads, lane_id lane, job_id job, std::string_view step, base::duration deadline
) {
    base::json_row row{{"lane_id", base::raw(lane)}, {"job_id", base::raw(job)}, {"step", step}};
    write request{&read_answered, std::move(row).text(), job_range::only(job)};
    auto const found = co_await query(reads, std::move(request), deadline);
    if (!found) co_return found.error();
    co_return found->at(0).boolean(1);
}

} // namespace postrider::storage
