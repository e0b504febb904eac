#include "agent/recall/older_messages.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::agent::recall {

namespace {

constexpr storage::statement count_older{
    "measure_older_messages",
    R"(
select t.i, o.messages, o.bytes
from json_to_recordset($1::json) as t(i int, lane_id bigint, until_job bigint, most int)
left join lateral (select * from postrider.memory_progress p where p.lane_id = t.lane_id limit 1) p on true
cross join lateral (
    select count(*) as messages, coalesce(sum(x.bytes), 0)::bigint as bytes
    from (select octet_length(m.content) as bytes from postrider.message m
          where m.lane_id = t.lane_id and (m.job_id, m.position) > (coalesce(p.job_id, 0), coalesce(p.position, -1))
            and m.job_id < t.until_job and m.conversation_id <> 0 and m.removed_at is null and m.content <> ''
            and postrider.was_said(m.role, m.detail) and (p.retry_at is null or p.retry_at <= postrider.now())
          order by m.job_id, m.position limit t.most) x) o
)",
    20};

constexpr storage::statement select_older{
    "read_older_messages",
    R"(
select t.i, o.lane_id, o.job_id, o.position, md5(o.content), o.role = 'user', coalesce(o.sender_name, ''),
       left(postrider.iso(coalesce(o.sent_at, o.created_at)), 10), o.content
from json_to_recordset($1::json) as t(i int, lane_id bigint, until_job bigint, most int, most_bytes bigint)
left join lateral (select * from postrider.memory_progress p where p.lane_id = t.lane_id limit 1) p on true
cross join lateral (
    select x.*, sum(octet_length(x.content)) over (order by x.job_id, x.position) - octet_length(x.content) as before
    from (select m.* from postrider.message m
          where m.lane_id = t.lane_id and (m.job_id, m.position) > (coalesce(p.job_id, 0), coalesce(p.position, -1))
            and m.job_id < t.until_job and m.conversation_id <> 0 and m.removed_at is null and m.content <> ''
            and postrider.was_said(m.role, m.detail)
            and not exists (select from postrider.memory_source s
                            cross join lateral (select from postrider.memory y
                                                where y.memory_id = s.memory_id and y.kind = 'summary' limit 1) y
                            where s.lane_id = m.lane_id and s.job_id = m.job_id and s.position = m.position)
          order by m.job_id, m.position limit t.most) x) o
where o.before < t.most_bytes
order by t.i, o.job_id, o.position
)",
    20};

// Of two that were written together the greater stands.
constexpr storage::statement upsert_progress{
    "note_read_messages",
    R"(
insert into postrider.memory_progress as p (lane_id, job_id, position)
select distinct on (t.lane_id) t.lane_id, t.job_id, t.position
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, position bigint, made_by text)
where exists (select from postrider.memory m where m.made_by = t.made_by offset 0)
order by t.lane_id, t.job_id desc, t.position desc
on conflict (lane_id) do update
set job_id = excluded.job_id, position = excluded.position, failures = 0, refusals = 0, retry_at = null, error_class = null,
    failed_job = null
)",
    76};

// A commit whose answer was lost is sent again: a job counts once, and messages are skipped once.
constexpr storage::statement upsert_failure{
    "note_failed_reading",
    R"(
insert into postrider.memory_progress as p (lane_id, job_id, position, failures, refusals, retry_at, error_class, failed_job)
select distinct on (t.lane_id) t.lane_id, 0, -1, 1, t.refused::int, postrider.now() + interval '10 minutes', t.error_class, t.failed_job
from json_to_recordset($1::json) as t(i int, lane_id bigint, failed_job bigint, error_class text, refused boolean)
order by t.lane_id, t.failed_job desc
on conflict (lane_id) do update
set failures = p.failures + 1, refusals = p.refusals + excluded.refusals, error_class = excluded.error_class,
    failed_job = excluded.failed_job,
    retry_at = postrider.now() + least(interval '10 minutes' * power(2, least(p.failures, 8)), interval '1 day')
where p.failed_job is distinct from excluded.failed_job
)",
    76};

constexpr storage::statement upsert_skip{
    "skip_read_messages",
    R"(
insert into postrider.memory_progress as p (lane_id, job_id, position, skipped)
select distinct on (t.lane_id) t.lane_id, t.job_id, t.position, t.messages
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, position bigint, messages bigint)
order by t.lane_id, t.job_id desc, t.position desc
on conflict (lane_id) do update
set job_id = excluded.job_id, position = excluded.position, skipped = p.skipped + excluded.skipped, failures = 0, refusals = 0,
    retry_at = null, error_class = null, failed_job = null
where (p.job_id, p.position) < (excluded.job_id, excluded.position)
)",
    76};

// What has become unread meanwhile is not passed over.
constexpr storage::statement pass_covered{
    "note_all_read",
    R"(
with w as materialized (
    select t.lane_id, t.until_job
    from (select r.lane_id, max(r.until_job) as until_job
          from json_to_recordset($1::json) as r(i int, lane_id bigint, until_job bigint) group by r.lane_id order by r.lane_id) t
    cross join lateral (
        select from postrider.memory_progress x
        where x.lane_id = t.lane_id and x.job_id < t.until_job
          and not exists (
              select from postrider.message m
              where m.lane_id = x.lane_id and (m.job_id, m.position) > (x.job_id, x.position)
                and m.job_id < t.until_job and m.conversation_id <> 0 and m.removed_at is null and m.content <> ''
                and postrider.was_said(m.role, m.detail)
                and not exists (select from postrider.memory_source s
                                cross join lateral (select from postrider.memory y
                                                    where y.memory_id = s.memory_id and y.kind = 'summary' limit 1) y
                                where s.lane_id = m.lane_id and s.job_id = m.job_id and s.position = m.position) offset 0)
        limit 1 for no key update) x
)
update postrider.memory_progress p set job_id = w.until_job, position = -1
from w
where p.lane_id = any(array(select lane_id from w)) and p.lane_id + 0 = w.lane_id
)",
    76};

constexpr storage::statement select_refusals{
    "read_refusals",
    R"(
select t.i, p.refusals
from json_to_recordset($1::json) as t(i int, lane_id bigint)
cross join lateral (select * from postrider.memory_progress x where x.lane_id = t.lane_id limit 1) p
)",
    20};

} // namespace

base::awaitable<base::result<older_amount>> measure_older(
    storage::batcher& reads, lane_id lane, job_id until, int most, base::duration deadline
) {
    base::json_row row{
        {"lane_id", base::raw(lane)}, {"until_job", base::raw(until)}, {"most", most}};
    storage::write look{&count_older, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    older_amount amount;
    if (!rows->empty()) amount = {rows->front().int64(1), rows->front().int64(2)};
    co_return amount;
}

base::awaitable<base::result<std::vector<older_message>>> read_older(
    storage::batcher& reads,
    lane_id lane,
    job_id until,
    int most,
    std::int64_t most_bytes,
    base::duration deadline
) {
    base::json_row row{
        {"lane_id", base::raw(lane)},
        {"until_job", base::raw(until)},
        {"most", most},
        {"most_bytes", most_bytes}};
    storage::write look{&select_older, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::vector<older_message> messages;
    for (auto const& stored : *rows)
        messages.push_back(
            {.place =
                 {stored.id<lane_id>(1), stored.id<job_id>(2), stored.int64(3), stored.text(4)},
             .is_persons = stored.boolean(5),
             .name = stored.text(6),
             .day = stored.text(7),
             .text = stored.text(8)}
        );
    co_return messages;
}

storage::write note_failed_reading(
    lane_id lane, job_id job, base::error const& reason, bool refused
) {
    base::json_row row{
        {"lane_id", base::raw(lane)},
        {"failed_job", base::raw(job)},
        {"error_class", base::to_string(reason.code)},
        {"refused", refused}};
    return {&upsert_failure, std::move(row).text()};
}

base::awaitable<base::result<int>> read_refusals(
    storage::batcher& reads, lane_id lane, base::duration deadline
) {
    base::json_row row{{"lane_id", base::raw(lane)}};
    storage::write look{&select_refusals, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    int refusals = 0;
    if (!rows->empty()) refusals = static_cast<int>(rows->front().int64(1));
    co_return refusals;
}

storage::write skip_read(memory_source const& last, std::int64_t messages) {
    base::json_row row{
        {"lane_id", base::raw(last.lane)},
        {"job_id", base::raw(last.job)},
        {"position", last.position},
        {"messages", messages}};
    return {&upsert_skip, std::move(row).text()};
}

storage::write note_all_read(lane_id lane, job_id until) {
    base::json_row row{{"lane_id", base::raw(lane)}, {"until_job", base::raw(until)}};
    return {&pass_covered, std::move(row).text()};
}

storage::write note_read(memory_source const& last, std::string_view summary_key) {
    base::json_row row{
        {"made_by", summary_key},
        {"lane_id", base::raw(last.lane)},
        {"job_id", base::raw(last.job)},
        {"position", last.position}};
    return {&upsert_progress, std::move(row).text()};
}

} // namespace postrider::agent::recall
