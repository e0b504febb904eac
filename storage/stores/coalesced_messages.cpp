#include "storage/stores/coalesced_messages.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <algorithm>

namespace postrider::storage {

namespace {

// A job that took the place of others may have lost its own to a newer one: answering_job() names the last.
constexpr statement coalesced_messages{
    "coalesced_messages",
    R"(
select t.i, j.job_id, j.input
from json_to_recordset($1::json) as t(i int, job_id bigint, turn bigint)
cross join lateral (select j.job_id, j.input, j.output from postrider.job j where j.job_id = t.job_id offset 0) j
where case when j.output ? 'coalesced_into' then postrider.answering_job(j.job_id) = t.turn end
)",
    10};

constexpr statement coalesced_arrivals{
    "coalesced_arrivals",
    R"(
select t.i, j.job_id, j.input, m.content
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint)
cross join lateral (select j.job_id, j.input, j.output from postrider.job j
                    where j.job_id between $2::bigint and $3::bigint and j.lane_id = t.lane_id and j.job_id < t.job_id
                    order by j.job_id desc limit 1000) j
left join lateral (select m.content from postrider.message m
                   where m.lane_id = t.lane_id and m.job_id = j.job_id and m.position = 0 offset 0) m on true
where case when j.output ? 'coalesced_into' then postrider.answering_job(j.job_id) = t.job_id end
)",
    10,
    rows_and_range};

// What a turn takes the place of came shortly before it: so many numbers are drawn in a quarter of an hour by a
// server that is busy.
constexpr std::int64_t numbers_before = 200'000;

} // namespace

base::awaitable<base::result<std::vector<coalesced_message>>> read_coalesced_messages(
    batcher& reads, std::vector<job_id> jobs, job_id turn, base::duration deadline
) {
    std::vector<coalesced_message> messages;
    if (jobs.empty()) co_return messages;
    std::vector<write> rows_of_jobs;
    for (auto const job : jobs) {
        base::json_row row{{"job_id", base::raw(job)}, {"turn", base::raw(turn)}};
        rows_of_jobs.push_back({&coalesced_messages, std::move(row).text()});
    }
    auto found = co_await query(reads, std::move(rows_of_jobs), deadline);
    if (!found) co_return found.error();
    for (auto const& row : found->front()) messages.push_back({row.id<job_id>(1), row.json(2)});
    std::ranges::sort(messages, {}, &coalesced_message::job);
    co_return messages;
}

base::awaitable<base::result<std::vector<coalesced_arrival>>> read_coalesced_arrivals(
    batcher& reads, lane_id lane, job_id turn, base::duration deadline
) {
    base::json_row row{{"lane_id", base::raw(lane)}, {"job_id", base::raw(turn)}};
    write look{&coalesced_arrivals, std::move(row).text()};
    look.jobs = {.least = base::raw(turn) - numbers_before, .greatest = base::raw(turn)};
    auto arrived = co_await query(reads, std::move(look), deadline);
    if (!arrived) co_return arrived.error();
    std::vector<coalesced_arrival> arrivals;
    for (auto const& entry : *arrived)
        arrivals.push_back({entry.id<job_id>(1), entry.json(2), entry.optional_text(3)});
    std::ranges::sort(arrivals, {}, &coalesced_arrival::job);
    co_return arrivals;
}

} // namespace postrider::storage
