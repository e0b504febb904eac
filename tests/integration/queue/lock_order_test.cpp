// Everything that locks lanes, jobs, what belongs to a job, buckets or budgets, against everything
// else, from two processes: none may wait for the other in a circle. docs/states.md has the order.
#include "tests/integration/queue/lock_order_actor.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

namespace postrider::tests {
namespace {

using queue::operation;
using actor = lock_order_actor;

struct locking {
    std::string name;
    std::function<void(actor&)> act;
    int rounds;
};

int rounds_of(int short_test, int long_test) {
    return std::getenv("POSTRIDER_LONG") ? long_test : short_test;
}

locking any(std::string name, std::function<void(actor&)> act) {
    return {std::move(name), std::move(act), rounds_of(5, 40)};
}

locking statement_of(std::string const& sql) {
    return any(sql, [sql](actor& process) { process.run(sql); });
}

locking on_a_lane(std::string const& sql) {
    return any(sql, [sql](actor& process) { process.run(sql, {lane_key(process.random())}); });
}

void add_arrivals(std::vector<locking>& all) {
    all.push_back(any("deliver", &actor::deliver));
    all.push_back(any("deliver turns", &actor::deliver_turns));
    all.push_back(any("edit", &actor::edit));
    all.push_back(any("later", &actor::enqueue_later));
    all.push_back(any("schedules", &actor::run_schedules));
    all.push_back(
        statement_of("select postrider.tell_chat(1, floor(random() * 3)::int, 'member', 'null')")
    );
    all.push_back(
        statement_of("select postrider.press_button(q.question_id, q.place, 1, true, true, 'null') "
                     "from (select * from postrider.question order by random() limit 1) q")
    );
}

void add_workers(std::vector<locking>& all) {
    for (auto const& [name, ending] :
         {std::pair{"release", work_ending::release},
          std::pair{"park", work_ending::park},
          std::pair{"await event", work_ending::await_event},
          std::pair{"coalesce", work_ending::coalesce},
          std::pair{"settle", work_ending::settle}})
        all.push_back(any(name, [end = ending](actor& process) { process.work(end); }));
    all.push_back(any("rescue", &actor::rescue));
    all.push_back(any("leave", &actor::leave));
    all.push_back(any("reserve", [](actor& process) { process.reserve(); }));
    for (std::string const sql :
         {"select postrider.bucket_report('b', 'stopped')",
          "select postrider.bucket_report('b', 'works')",
          "select postrider.bucket_wake('b')"})
        all.push_back(statement_of(sql));
}

void add_people(std::vector<locking>& all) {
    for (auto operation :
         {operation::cancel,
          operation::roll_back,
          operation::retry,
          operation::restart,
          operation::fork,
          operation::pause,
          operation::resume,
          operation::send_event})
        all.push_back(any(std::string(queue::to_string(operation)), [operation](actor& process) {
            process.operate(operation);
        }));
    for (std::string const sql :
         {"select postrider.lane_pause($1)",
          "select postrider.lane_resume($1)",
          "select postrider.lane_send_event($1, 'go')"})
        all.push_back(on_a_lane(sql));
    for (std::string const sql :
         {"select postrider.pause_all()",
          "select postrider.resume_all()",
          "select postrider.effect_settle(e.job_id, e.key, "
          "    (array['done', 'resend', 'drop'])[1 + floor(random() * 3)::int]) "
          "from (select * from postrider.effect where state = 'unknown' "
          "      order by random() limit 1) e",
          "select postrider.approval_decide(a.approval_id, true) "
          "from (select * from postrider.approval where state = 'waiting' "
          "      order by random() limit 1) a",
          "select postrider.conversation_delete(c.id, c.user_id) "
          "from (select * from postrider.api_conversation order by random() limit 1) c",
          "update postrider.lane_run set closed = false " // or soon nothing would arrive any more
          "where lane_id = (select lane_id from postrider.lane_run where closed limit 1)",
          "select postrider.bot_pause('main')",
          "select postrider.bot_resume('main')",
          "insert into postrider.token (user_id, role, sha256) "
          "values (7, 'user', sha256(random()::text::bytea))",
          "update postrider.schedule set paused_at = "
          "case when paused_at is null then postrider.now() end where name = '2'"})
        all.push_back(statement_of(sql));
    all.push_back(any("publish", &actor::publish));
    all.push_back(any("archive", &actor::archive));
    all.push_back(any("erase", &actor::erase));
    all.push_back(any("tasks", &actor::change_tasks));
    all.push_back(any("migrate chats", &actor::migrate_chats));
}

void add_upkeep(std::vector<locking>& all) {
    for (std::string const sql :
         {"select postrider.apply_pauses()",
          "select postrider.timers_admit(20)",
          "select postrider.job_keys_prune('', 10)",
          "select postrider.prune_lanes(0, '0')",
          "update postrider.schedule set next_at = postrider.now()"})
        all.push_back(statement_of(sql));
    all.push_back(any("prune", &actor::prune));
    all.push_back({"partitions", &actor::change_partitions, rounds_of(2, 8)});
}

std::vector<locking> everything() {
    std::vector<locking> all;
    add_arrivals(all);
    add_workers(all);
    add_people(all);
    add_upkeep(all);
    return all;
}

// A deadlock is looked for once prune_partitions has given way, as with the server's own setting.
void prepare(test_database const& database) {
    database.execute("alter database " + database.name() + " set deadlock_timeout = '150ms'");
    database.execute("insert into postrider.schedule (name, kind, cron) values "
                     "('0', 'test', '* * * * *'), ('1', 'test', '* * * * *')");
    database.execute("insert into postrider.bot (name) values ('main');"
                     "insert into postrider.flow (name, draft) values ('test', '{}')");
}

// Removes what the pair before has left.
constexpr auto clear = R"(
with r as (delete from postrider.lane_run), l as (delete from postrider.lane), t as (delete from postrider.timer),
     k as (delete from postrider.job_key), b as (delete from postrider.bucket_place), e as (delete from postrider.event),
     w as (delete from postrider.wait), p as (delete from postrider.pause), q as (delete from postrider.question),
     a as (delete from postrider.approval), m as (delete from postrider.message), f as (delete from postrider.effect),
     s as (delete from postrider.step), c as (delete from postrider.api_conversation), h as (delete from postrider.budget_hold),
     i as (delete from postrider.inbox)
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
select lane_id, 7, gen_random_uuid() from l where lane_id <= $2::int
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

void begin_pair(actor& process) {
    process.run(clear);
    process.run(make_lanes, {static_cast<int>(lanes), static_cast<int>(lanes_with_jobs)});
    process.run(make_jobs, {static_cast<int>(lanes_with_jobs), static_cast<int>(lanes_with_row)});
}

void repeat(actor& process, locking const& operation) {
    for (int n = 0; n < operation.rounds; ++n) operation.act(process);
}

constexpr std::size_t shares = 4; // of the pairs, each with a database of its own

struct lock_order : testing::TestWithParam<std::size_t> {};

// covers: E.21
TEST_P(lock_order, no_two_operations_wait_for_each_other) {
    test_database database;
    prepare(database);
    auto const all = everything();
    {
        actor left(database, "left", 1);
        actor right(database, "right", 2);
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a; b < all.size(); ++b) {
                if ((a + b) % shares != GetParam()) continue;
                begin_pair(left);
                std::thread beside([&] { repeat(right, all[b]); });
                repeat(left, all[a]);
                beside.join();
            }
        EXPECT_THAT(left.refused, testing::IsEmpty());
        EXPECT_THAT(right.refused, testing::IsEmpty());
    } // the sessions end, and have told what they counted

    EXPECT_EQ(
        database.value("select deadlocks from pg_stat_database where datname = current_database()"),
        "0"
    );
}

INSTANTIATE_TEST_SUITE_P(
    shares, lock_order, testing::Range(std::size_t{0}, shares), testing::PrintToStringParamName()
);

} // namespace
} // namespace postrider::tests
