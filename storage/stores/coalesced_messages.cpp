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

} // namespace postrider::storage
