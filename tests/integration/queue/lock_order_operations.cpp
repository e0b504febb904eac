#include "tests/integration/queue/lock_order_operations.hpp"

#include <cstdlib>

namespace postrider::tests {

using queue::operation;
using actor = lock_order_actor;

int rounds_of(int short_test, int long_test) {
    return std::getenv("POSTRIDER_LONG") ? long_test : short_test;
}

namespace {

locking any(std::string name, std::function<void(actor&)> act) {
    return {std::move(name), std::move(act), rounds_of(5, 40)};
}

locking statement_of(std::string const& sql) {
    return any(sql, [sql](actor& process) { process.run(sql); });
}

locking on_a_lane(std::string const& sql) {
    return any(sql, [sql](actor& process) { process.run(sql, {lane_key(process.random())}); });
}

} // namespace

std::vector<locking> arrivals() {
    std::vector<locking> all;
    all.push_back(any("deliver", &actor::deliver));
    all.push_back(any("deliver turns", &actor::deliver_turns));
    all.push_back(any("edit", &actor::edit));
    all.push_back(any("later", &actor::enqueue_later));
    all.push_back(any("lanes", &actor::ensure_lanes));
    all.push_back(any("open conversation", &actor::open_conversation));
    all.push_back(any("poll", &actor::hold_poll));
    all.push_back(any("schedules", &actor::run_schedules));
    all.push_back(
        statement_of("select postrider.tell_chat(1, floor(random() * 3)::int, 'member', 'null')")
    );
    all.push_back(
        statement_of("select postrider.press_button(q.question_id, q.place, 1, true, true, 'null') "
                     "from (select * from postrider.question order by random() limit 1) q")
    );
    return all;
}

std::vector<locking> workers() {
    std::vector<locking> all;
    for (auto const& [name, ending] :
         {std::pair{"release", work_ending::release},
          std::pair{"park", work_ending::park},
          std::pair{"await event", work_ending::await_event},
          std::pair{"coalesce", work_ending::coalesce},
          std::pair{"settle", work_ending::settle},
          std::pair{"fail", work_ending::fail},
          std::pair{"pause while it runs", work_ending::pause},
          std::pair{"begin a rollback", work_ending::begin_rollback}})
        all.push_back(any(name, [end = ending](actor& process) { process.work(end); }));
    all.push_back(any("rescue", &actor::rescue));
    all.push_back(any("leave", &actor::leave));
    all.push_back(any("reserve", [](actor& process) { process.reserve(); }));
    all.push_back(any("say in a conversation", &actor::say_in_conversation));
    for (std::string const sql :
         {"select postrider.bucket_report('b', 'stopped')",
          "select postrider.bucket_report('b', 'works')",
          "select postrider.bucket_wake('b')"})
        all.push_back(statement_of(sql));
    return all;
}

std::vector<locking> people() {
    std::vector<locking> all;
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
    return all;
}

std::vector<locking> upkeep() {
    std::vector<locking> all;
    for (std::string const sql :
         {"select postrider.apply_pauses()",
          "select postrider.timers_admit(20)",
          "select postrider.job_keys_prune('', 10)",
          "select postrider.prune_lanes(0, '0')",
          "update postrider.schedule set next_at = postrider.now()"})
        all.push_back(statement_of(sql));
    all.push_back(any("prune", &actor::prune));
    all.push_back({"partitions", &actor::change_partitions, rounds_of(2, 8)});
    return all;
}

} // namespace postrider::tests
