#include "tests/integration/queue/lock_order_pairs.hpp"

#include <fmt/format.h>

#include <thread>

namespace postrider::tests {

namespace {

// Removes what the pair before has left.
constexpr auto clear = R"(
with r as (delete from postrider.lane_run), l as (delete from postrider.lane), t as (delete from postrider.timer),
     k as (delete from postrider.job_key), b as (delete from postrider.bucket_place), e as (delete from postrider.event),
     w as (delete from postrider.wait), p as (delete from postrider.pause), q as (delete from postrider.question),
     a as (delete from postrider.approval), m as (delete from postrider.message), f as (delete from postrider.effect),
     s as (delete from postrider.step), c as (delete from postrider.api_conversation), h as (delete from postrider.budget_hold),
     i as (delete from postrider.inbox), y as (delete from postrider.request_key), n as (delete from postrider.message_count)
delete from postrider.job
)";

constexpr auto make_lanes = R"(
with l as (
    insert into postrider.lane (lane_id, lane_key, bot_id, chat_id, mailbox) overriding system value
    select 1 + n, 'schedule:' || n, 1, n % 3, case n when 3 then 'route' when 5 then 'coalesce' else 'queue' end
    from generate_series(0, $1::int - 1) n
    returning lane_id
)
insert into postrider.api_conversation (lane_id, user_id, id)
select lane_id, 7, ('00000000-0000-4000-8000-' || lpad(lane_id::text, 12, '0'))::uuid from l where lane_id <= $2::int
)";

// Jobs that wait for their time, or are held before it, in $1 lanes; in the first $2 of these one that
// waits at a bucket, too, so that the lane has work. Those at the bucket have asked a question, too, with an
// approval, and wait for an event; nobody knows what became of their effect.
constexpr auto make_jobs = R"(
with n as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, due_at, wait_reason, run_no, started_at,
                               paused_at, paused_state)
    select nextval('postrider.number'), l.lane_id, 1, 0, 'test', s.state, postrider.now() + s.due, s.reason, s.run,
           postrider.now(), s.held, case when s.held is not null then 'scheduled' end
    from postrider.lane l,
         (values ('scheduled', interval '0', null, 0, null::timestamptz),
                 ('paused', interval '0', null, 0, postrider.now()),
                 ('waiting', interval '1 h', 'breaker b is open', 1, null)) s(state, due, reason, run, held)
    where l.lane_id <= case s.state when 'waiting' then $2::int else $1::int end
    returning job_id, lane_id, state
), t as (
    insert into postrider.timer (job_id, due_at) select job_id, postrider.now() from n where state <> 'waiting'
), p as (
    insert into postrider.bucket_place (job_id, lane_id, until_at, reserved, resource)
    select job_id, lane_id, postrider.now() + interval '1 h', false, 'b' from n where state = 'waiting'
), s as (
    insert into postrider.step (job_id, key, seq, outcome, started_at, ended_at, node_id, result)
    select job_id, 'ask-id', 0, 'done', postrider.now(), postrider.now(), 1, to_jsonb('q' || job_id) from n where state = 'waiting'
), e as (
    insert into postrider.effect (job_id, key, kind, class, state)
    select job_id, 'send', 'test', 'at_most_once', 'unknown' from n where state = 'waiting'
), q as (
    insert into postrider.question (question_id, job_id, until_at, place)
    select 'q' || job_id, job_id, postrider.now() + interval '1 h', 'test' from n where state = 'waiting'
), a as (
    insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, question, call, tool, arguments, digest)
    select 'a' || job_id, job_id, lane_id, 1, postrider.now() + interval '1 h', 'q' || job_id, 'send', 'test', '{}', ''
    from n where state = 'waiting'
), w as (
    insert into postrider.wait (job_id, lane_id, until_at, key, type, match)
    select job_id, lane_id, postrider.now() + interval '1 h', x.type, x.type, case x.type when 'press' then 'q' || job_id end
    from n, (values ('press'), ('member'), ('go')) x(type) where state = 'waiting'
), m as (
    insert into postrider.message (lane_id, job_id, conversation_id, position, role, delivery, id, content)
    select lane_id, job_id, 1, x.position, x.role, x.delivery, x.role || job_id, 'text'
    from n, (values (0, 'user', null), (2, 'assistant', 'pending')) x(position, role, delivery)
)
update postrider.lane_run r
set ready_at = postrider.now(), arrivals = 1, head = n.job_id,
    mailbox = (select l.mailbox from postrider.lane l where l.lane_id = n.lane_id)
from n where n.state = 'waiting' and r.lane_id = n.lane_id
)";

} // namespace

// A deadlock is looked for once prune_partitions has given way, as with the server's own setting.
void prepare(test_database const& database) {
    database.execute("alter database " + database.name() + " set deadlock_timeout = '150ms'");
    // The lanes of begin_pair() have the first numbers.
    database.execute("alter table postrider.lane alter column lane_id restart with 1000");
    database.execute("insert into postrider.schedule (name, kind, cron) values "
                     "('0', 'test', '* * * * *'), ('1', 'test', '* * * * *')");
    database.execute("insert into postrider.bot (name) values ('main');"
                     "insert into postrider.flow (name, draft) values ('test', '{}')");
}

std::string deadlocks(test_database const& database) {
    return database.value(
        "select deadlocks from pg_stat_database where datname = current_database()"
    );
}

void begin_pair(lock_order_actor& process) {
    process.run(clear);
    process.run(make_lanes, {static_cast<int>(lanes), static_cast<int>(lanes_with_jobs)});
    process.run(make_jobs, {static_cast<int>(lanes_with_jobs), static_cast<int>(lanes_with_row)});
}

std::string mailbox_of(unsigned lane) {
    return lane == 3 ? "route" : lane == 5 ? "coalesce" : "queue";
}

std::string conversation_of(unsigned lane) {
    return fmt::format("00000000-0000-4000-8000-{:012}", lane + 1);
}

void side_by_side(std::function<void()> left, std::function<void()> const& right) {
    std::jthread beside(std::move(left));
    right();
    beside.join();
}

} // namespace postrider::tests
