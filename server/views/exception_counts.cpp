#include "server/views/exception_counts.hpp"

namespace postrider::server {

namespace {

// What is in doubt of an earlier life of its job (~) is settled by that.
constexpr storage::statement exceptional_jobs{"exceptions.jobs", R"sql(
select (select count(*) from (select from postrider.job where failed limit $1::bigint) x),
       (select count(*) from (select from postrider.job where paused_at is not null limit $1::bigint) x),
       (select count(*) from (select from postrider.timer limit $1::bigint) x),
       (select count(*) from (select from postrider.effect where doubted and position('~' in key) = 0 limit $1::bigint) x),
       (select count(*) from (select from postrider.job
                              where degraded and degraded_reason = 'undelivered'
                                and finished_at > postrider.now() - interval '7 days' limit $1::bigint) x))sql"};

// Whose job is over waits in vain.
constexpr storage::statement waits_for_people{"exceptions.people", R"sql(
select (select count(*) from (select from postrider.approval a
                              cross join lateral (select from postrider.job j
                                                  where j.job_id = a.job_id and j.finished_at is null offset 0) j
                              where a.state = 'waiting' and a.expires_at > postrider.now() limit $1::bigint) x),
       (select count(*) from (select from postrider.question q
                              cross join lateral (select from postrider.job j
                                                  where j.job_id = q.job_id and j.finished_at is null offset 0) j
                              where q.until_at > postrider.now()
                                and not exists (select from postrider.approval a where a.question = q.question_id)
                              limit $1::bigint) x))sql"};

} // namespace

exception_counts count_exceptions(storage::transaction& tx) {
    auto const jobs = tx.query(exceptional_jobs, {most_counted}).front();
    auto const people = tx.query(waits_for_people, {most_counted}).front();
    return {
        .failed = jobs.int64(0),
        .paused = jobs.int64(1),
        .scheduled = jobs.int64(2),
        .effects_in_doubt = jobs.int64(3),
        .undelivered = jobs.int64(4),
        .approvals = people.int64(0),
        .questions = people.int64(1)};
}

} // namespace postrider::server
