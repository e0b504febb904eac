// Everything that locks lanes, jobs, timers or buckets, against everything else, from two
// processes: none may wait for the other in a circle. docs/states.md has the order.
#include "queue/node/claim.hpp"
#include "queue/node/node_store.hpp"
#include "queue/node/scheduler.hpp"
#include "queue/store/checkpoint_sql.hpp"
#include "queue/store/enqueue.hpp"
#include "queue/store/later.hpp"
#include "queue/store/operations.hpp"
#include "storage/connections.hpp"
#include "storage/stores/messages.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <thread>

namespace postrider::tests {
namespace {

using namespace std::chrono_literals;
using queue::operation;
using storage::transaction;

constexpr unsigned lanes = 6;
constexpr auto patience = 20s;

std::string lane_key(unsigned number) {
    return "schedule:" + std::to_string(number % lanes);
}

// One process: its connections, and what it does next.
class actor {
public:
    actor(test_database const& database, unsigned seed)
        : random_(seed),
          all_(storage::connect(io_.executor(), database.options())),
          store_(*all_.beats, *all_.db),
          scheduler_(io_.executor(), *all_.db, base::system_clock(), [] {}) {
        me_ = *io_.run(store_.join(who_, 8));
    }
    ~actor() { all_.close(); }

    unsigned any() { return static_cast<unsigned>(random_()); }
    lane_id lane() { return lane_id{1 + any() % lanes}; }

    void in_transaction(std::function<void(transaction&)> const& work) {
        auto done = io_.run(all_.db->run("test", work, patience), patience);
        if (!done && done.error() != base::errc::conflict) refused.insert(done.error().detail);
    }

    // The text outlives the actor, whose session keeps it as a prepared statement.
    void run(std::string_view sql, std::vector<storage::param> const& parameters = {}) {
        in_transaction([&](transaction& tx) {
            tx.query(storage::statement{sql, sql}, parameters);
        });
    }

    // Several jobs in lanes that the batch itself must bring in order.
    void deliver() {
        std::vector<std::string> rows;
        storage::write write;
        for (int n = 0; n < 4; ++n) {
            write = queue::enqueue(queue::new_job{lane(), "test", nullptr, {}});
            rows.push_back(write.row);
        }
        in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered(rows)}); });
    }

    void edit() {
        auto const write = storage::lock_edited_lane(lane_key(any()));
        in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered({write.row})}); }
        );
    }

    void claim_and_free() {
        queue::claim_request const wanted{
            .node = me_, .slots = 3, .margin = 2, .with_suspect = true, .calm = 0ms};
        auto claimed = io_.run(queue::claim_lanes(*all_.quick, wanted, patience), patience);
        if (!claimed || claimed->lanes.empty()) return;
        std::vector<std::string> leases;
        std::vector<std::string> heads;
        std::string jobs = "{0";
        for (auto const& lane : claimed->lanes) {
            auto const id = "{\"lane_id\":" + base::to_string(lane.lease.lane);
            leases.push_back(
                id + ",\"epoch\":" + base::to_string(lane.lease.epoch) +
                ",\"node_id\":" + base::to_string(me_) + "}"
            );
            heads.push_back(id + ",\"head\":" + base::to_string(lane.head) + "}");
            if (lane.job) jobs += "," + base::to_string(lane.job->id);
        }
        in_transaction([&](transaction& tx) {
            tx.query(queue::sql::fence, {numbered(leases)});
            tx.query(
                {"give_back",
                 "update postrider.job set state = 'available' "
                 "where job_id = any($1::bigint[]) and state = 'running'"},
                {jobs + "}"}
            );
            tx.query(queue::sql::free_lanes, {numbered(heads)});
        });
    }

    void operate(operation what) {
        in_transaction([&](transaction& tx) {
            auto const newest = queue::matching_jobs(tx, {}, {}, 8);
            queue::job_operation wanted;
            wanted.operation = what;
            wanted.event.type = "go";
            (void)queue::operate_on(tx, newest, wanted);
        });
    }

    void enqueue_later() {
        queue::later_job wanted;
        wanted.lane = lane();
        wanted.kind = "test";
        wanted.unique = queue::unique_job{"key" + std::to_string(any() % 3), {}, {}};
        if (any() % 2 == 0) wanted.unique->debounce = 1ms;
        auto const write = queue::enqueue_later(wanted);
        in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered({write.row})}); }
        );
    }

    std::set<std::string> refused; // for another reason than a lock

    void run_schedules() { (void)io_.run(scheduler_.run_due(), patience); }

    // Takes lanes as a node that is gone has left them, then rescues them.
    void rescue() {
        run("update postrider.lane_run set node_id = -1 where lane_id = any(array("
            "select lane_id from postrider.lane_run where node_id is null "
            "order by random() limit 2 for update skip locked))");
        (void)io_.run(store_.rescue(me_, who_, 1h, 3), patience);
    }

private:
    static std::string numbered(std::vector<std::string> const& rows) {
        std::string array;
        for (std::size_t n = 0; n < rows.size(); ++n)
            array +=
                (n == 0 ? "[{\"i\":" : ",{\"i\":") + std::to_string(n) + "," + rows[n].substr(1);
        return array + "]";
    }

    loop io_;
    std::mt19937 random_;
    storage::connections all_;
    queue::node_identity who_ = queue::this_process("test");
    queue::node_store store_;
    queue::scheduler scheduler_;
    node_id me_{};
};

struct locking {
    std::string name;
    std::function<void(actor&)> act;
};

locking statement_of(std::string const& sql) {
    return {sql, [sql](actor& who) { who.run(sql); }};
}

locking on_a_lane(std::string const& sql) {
    return {sql, [sql](actor& who) { who.run(sql, {lane_key(who.any())}); }};
}

std::vector<locking> everything() {
    std::vector<locking> all{
        {"deliver", &actor::deliver},
        {"edit", &actor::edit},
        {"claim", &actor::claim_and_free},
        {"later", &actor::enqueue_later},
        {"schedules", &actor::run_schedules},
        {"rescue", &actor::rescue},
        on_a_lane("select postrider.lane_pause($1)"),
        on_a_lane("select postrider.lane_resume($1)"),
        on_a_lane("select postrider.lane_send_event($1, 'go')"),
    };
    for (auto what :
         {operation::cancel,
          operation::roll_back,
          operation::retry,
          operation::restart,
          operation::fork,
          operation::pause,
          operation::resume,
          operation::send_event})
        all.push_back({std::string(queue::to_string(what)), [what](actor& who) {
                           who.operate(what);
                       }});
    for (std::string const sql :
         {"select postrider.pause_all()",
          "select postrider.resume_all()",
          "select postrider.apply_pauses()",
          "select postrider.timers_admit(20)",
          "select postrider.job_keys_prune('', 10)",
          "select postrider.bucket_report('b', 'stopped')",
          "select postrider.bucket_report('b', 'works')",
          "select postrider.bucket_wake('b')",
          "update postrider.schedule set next_at = postrider.now()"})
        all.push_back(statement_of(sql));
    return all;
}

void prepare(test_database const& database) {
    database.execute("alter database " + database.name() + " set deadlock_timeout = '20ms'");
    for (unsigned n = 0; n < lanes; ++n)
        database.execute("insert into postrider.lane (lane_key) values ('" + lane_key(n) + "')");
    database.execute("insert into postrider.schedule (name, kind, cron) values "
                     "('0', 'test', '* * * * *'), ('1', 'test', '* * * * *')");
}

// Jobs that wait, at a bucket or for their time, or are held before it, in every lane.
constexpr auto plenty = R"(
with n as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, due_at, wait_reason, run_no, started_at,
                               paused_at, paused_state)
    select nextval('postrider.number'), l.lane_id, 1, 0, 'test', s.state, postrider.now() + s.due, s.reason, s.run,
           postrider.now(), s.held, case when s.held is not null then 'scheduled' end
    from postrider.lane l,
         (values ('scheduled', interval '0', null, 0, null::timestamptz),
                 ('paused', interval '0', null, 0, postrider.now()),
                 ('waiting', interval '1 h', 'breaker b is open', 1, null)) s(state, due, reason, run, held)
    returning job_id, lane_id, state
), t as (
    insert into postrider.timer (job_id, due_at) select job_id, postrider.now() from n where state <> 'waiting'
), p as (
    insert into postrider.bucket_place (job_id, lane_id, until_at, reserved, resource)
    select job_id, lane_id, postrider.now() + interval '1 h', false, 'b' from n where state = 'waiting'
)
insert into postrider.lane_run as r (lane_id, ready_at, epoch, arrivals, head)
select lane_id, postrider.now(), nextval('postrider.number'), 1, job_id from n where state = 'waiting' order by lane_id
on conflict (lane_id) do update set arrivals = r.arrivals + 1, head = least(r.head, excluded.head)
)";

// What the pair before has left.
constexpr auto clear = R"(
with r as (delete from postrider.lane_run), t as (delete from postrider.timer), k as (delete from postrider.job_key),
     p as (delete from postrider.bucket_place), e as (delete from postrider.event), u as (delete from postrider.pause)
delete from postrider.job
)";

// covers: E.21
TEST(lock_order, no_two_operations_wait_for_each_other) {
    int const rounds = std::getenv("POSTRIDER_LONG") ? 40 : 8;
    test_database database;
    prepare(database);
    auto const all = everything();
    auto const repeat = [&](actor& who, locking const& what) {
        for (int n = 0; n < rounds; ++n) what.act(who);
    };
    {
        actor left(database, 1);
        actor right(database, 2);
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a; b < all.size(); ++b) {
                left.run(clear);
                left.run(plenty);
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

} // namespace
} // namespace postrider::tests
