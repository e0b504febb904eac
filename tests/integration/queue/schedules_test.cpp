// Recurring and one-shot schedules on a real Postgres. Time passes by moving next_at.
#include "base/fault.hpp"
#include "queue/admin/schedules.hpp"
#include "tests/integration/queue/schedules_world.hpp"
#include "tests/integration/queue/world.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

namespace postrider::tests::schedules_test {

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Its next time is far, so that only what a test moves is due.
constexpr auto yearly = "insert into postrider.schedule (name, kind, cron, timezone, input) "
                        "values ('s', 'report', '0 0 1 1 *', 'Europe/Berlin', '{\"n\": 1}')";
constexpr auto make_due = "update postrider.schedule set next_at = postrider.now()";
constexpr auto count_jobs = "select count(*) from postrider.job";

template<class Work>
auto in_transaction(schedules_world& w, Work work) {
    std::optional<decltype(work(std::declval<storage::transaction&>()))> result;
    storage::run_blocking(w.database.options(), [&](storage::transaction& tx) {
        result.emplace(work(tx));
    }).value();
    return std::move(*result);
}

base::awaitable<queue::outcome> report(queue::workflow& flow) {
    co_return queue::outcome::completed(flow.job().input);
}

// covers: E.13
TEST(schedules, one_that_was_inserted_by_hand_runs_again_and_again) {
    world w;
    w.start_node({{"report", report}});

    w.execute(yearly);
    w.until("select (next_at > postrider.now())::text from postrider.schedule", "true");
    w.execute(make_due);
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    w.execute(make_due);
    w.until("select count(*) from postrider.job where state = 'completed'", "2");

    EXPECT_EQ(w.value("select output from postrider.job limit 1"), "{\"n\": 1}");
    EXPECT_EQ(w.value("select lane_key from postrider.lane"), "schedule:s");
    EXPECT_EQ(
        w.value("select runs || ' ' || (last_job = (select max(job_id) from postrider.job)) || "
                "to_char(next_at at time zone timezone, ' MM-DD HH24:MI') from postrider.schedule"),
        "2 true 01-01 00:00"
    );
    w.until("select count(*) from postrider.busy_lane", "0");
}

// covers: E.13
TEST(schedules, a_job_is_due_at_its_schedules_time) {
    schedules_world w;
    w.execute(yearly);
    w.execute("update postrider.schedule set input = '{\"data\": {}}'");
    w.pass();
    w.execute(make_due);

    auto done = w.pass();

    EXPECT_EQ(done.runs, 1);
    EXPECT_EQ(done.admitted, 1);
    EXPECT_EQ(
        w.value("select (j.due_at = s.last_at)::text || j.state || (date_trunc('second', due_at) = "
                "(j.input #>> '{data,at}')::timestamptz) from postrider.job j "
                "join postrider.schedule s on s.last_job = j.job_id"),
        "trueavailabletrue"
    );
}

// covers: E.13
TEST(schedules, a_mistake_made_by_hand_shows_in_its_row_and_blocks_nothing) {
    schedules_world w;
    w.execute(
        "insert into postrider.schedule (name, kind, cron, timezone, lane_key) values"
        " ('cron', 'k', '61 * * * *', 'UTC', null), ('zone', 'k', '0 0 1 1 *', 'Berlin', null),"
        " ('lane', 'k', '0 0 1 1 *', 'UTC', '1:2:3'), ('good', 'k', '0 0 1 1 *', 'UTC', null)"
    );
    w.pass();
    w.execute(make_due);
    auto done = w.pass();
    auto error_of = [&](std::string const& name) {
        return w.value("select error from postrider.schedule where name = '" + name + "'");
    };

    EXPECT_THAT(error_of("cron"), HasSubstr("minute (column 1): 61 is not within 0-59"));
    EXPECT_THAT(error_of("zone"), HasSubstr("did you mean Europe/Berlin?"));
    EXPECT_EQ(error_of("lane"), "there is no lane 1:2:3");
    EXPECT_EQ(error_of("good"), "");
    EXPECT_EQ(done.schedules, 1);
    EXPECT_EQ(w.value(count_jobs), "1");

    w.execute("update postrider.schedule set cron = '0 0 1 1 *' where name = 'cron'");
    w.pass();
    EXPECT_EQ(error_of("cron"), "");
    EXPECT_EQ(
        w.value(
            "select (next_at > postrider.now())::text from postrider.schedule where name = 'cron'"
        ),
        "true"
    );
}

TEST(schedules, a_table_refuses_what_can_never_be_meant) {
    schedules_world w;
    for (auto values :
         {"('a', 'k', null, null)",
          "('a', 'k', '* * * * *', now())",
          "('', 'k', '* * * * *', null)",
          "('a', '', '* * * * *', null)",
          "('a', 'k', null, 'infinity')"})
        EXPECT_THROW(
            w.execute(
                std::string("insert into postrider.schedule (name, kind, cron, at) values ") +
                values
            ),
            std::exception
        ) << values;
}

// covers: E.13
TEST(schedules, a_one_shot_runs_once) {
    schedules_world w;
    w.execute("insert into postrider.schedule (name, kind, at) "
              "values ('s', 'k', postrider.now() - interval '10 s')");

    w.pass();
    w.pass();

    EXPECT_EQ(w.value(count_jobs), "1");
    EXPECT_EQ(
        w.value("select next_at || ' ' || (last_at = at) from postrider.schedule"), "infinity true"
    );
    w.execute("update postrider.schedule set at = at + interval '5 s'");
    w.pass();
    EXPECT_EQ(w.value(count_jobs), "2");
}

// covers: E.13
TEST(schedules, missed_times_follow_the_policy) {
    schedules_world w;
    for (std::string policy : {"skip", "once", "all"})
        w.execute(
            "insert into postrider.schedule (name, kind, cron, missed) values ('" + policy +
            "', '" + policy + "', '0 0 1 * *', '" + policy + "')"
        );
    w.pass();
    w.execute("update postrider.schedule set next_at = '2020-01-01Z'");

    w.pass();

    EXPECT_EQ(
        w.value("select string_agg(kind || n, ' ' order by kind) from "
                "(select kind, count(*) as n from postrider.job group by kind) s"),
        w.value("select 'all' || least(100, count(*)) || ' once1' "
                "from generate_series('2020-01-01Z', postrider.now(), interval '1 month')")
    );
    EXPECT_EQ(
        w.value("select count(*) from postrider.schedule where next_at < postrider.now()"), "0"
    );
}

// covers: E.13
TEST(schedules, two_nodes_at_once_run_no_time_twice) {
    schedules_world w;
    auto other_db = storage::open_database(w.io.executor(), w.database.options());
    queue::scheduler other(w.io.executor(), *other_db, base::system_clock(), [] {});
    w.execute("insert into postrider.schedule (name, kind, cron) "
              "select 's' || n, 'k', '0 0 1 1 *' from generate_series(1, 120) n");
    w.pass();

    std::int64_t runs = 0;
    for (int round = 0; round < 3; ++round) {
        using boost::asio::experimental::awaitable_operators::operator&&;
        w.execute(make_due);
        auto [own_pass, other_pass] = w.io.run(w.scheduler().run_due() && other.run_due());
        runs += own_pass.value().runs + other_pass.value().runs;
        // What one had locked when the other looked may be left.
        runs += w.pass().runs;
    }

    EXPECT_EQ(runs, 360);
    EXPECT_EQ(w.value(count_jobs), "360");
    EXPECT_EQ(w.value("select min(runs) || '-' || max(runs) from postrider.schedule"), "3-3");
    EXPECT_EQ(
        w.value("select count(*) from (select distinct lane_id, due_at from postrider.job) d"),
        "360"
    );
}

// Its lane is held, so that the jobs stay as they were made.
TEST(schedules, two_engines_share_a_schedule_of_every_second) {
    world w;
    w.start_node({});
    w.start_node({});

    w.execute(
        "insert into postrider.lane (lane_key, paused_at) values ('schedule:s', postrider.now())"
    );
    w.execute("insert into postrider.schedule (name, kind, cron) values ('s', 'k', '* * * * * *')");
    w.until("select (runs >= 3)::text from postrider.schedule", "true");
    w.execute("delete from postrider.schedule");

    EXPECT_GE(std::stoi(w.value(count_jobs)), 3);
    EXPECT_EQ(w.value("select count(*) - count(distinct due_at) from postrider.job"), "0");
}

// covers: E.13
TEST(schedules, what_fails_before_its_commit_has_not_happened) {
    schedules_world w;
    w.execute(yearly);
    w.pass();
    w.execute(make_due);
    auto const before = w.value("select next_at from postrider.schedule");

    base::fault::arm("schedule.before_commit:error").value();
    EXPECT_THROW(w.pass(), base::fault::injected);
    base::fault::arm("").value();
    auto const jobs = w.value(count_jobs);
    auto const after = w.value("select next_at from postrider.schedule");
    w.pass();

    EXPECT_EQ(jobs, "0");
    EXPECT_EQ(after, before);
    EXPECT_EQ(w.value(count_jobs), "1");
}

// In a process of its own, which dies by SIGKILL with the jobs written and not committed.
int die_before_the_commit(std::string const& url) {
    auto const child = fork();
    if (child == 0) {
        loop io;
        storage::database_options options;
        options.url = url;
        auto db = storage::open_database(io.executor(), options);
        queue::scheduler scheduler(io.executor(), *db, base::system_clock(), [] {});
        base::fault::arm("schedule.before_commit:kill").value();
        (void)io.run(scheduler.run_due());
        _exit(0);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
}

// covers: E.13
TEST(schedules, a_node_killed_before_its_commit_loses_nothing_and_doubles_nothing) {
    test_database database;
    database.execute("insert into postrider.schedule (name, kind, cron, next_at) "
                     "values ('s', 'k', '0 0 1 1 *', postrider.now())");

    auto const status = die_before_the_commit(database.url());
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_EQ(database.value(count_jobs), "0");

    loop io;
    auto db = storage::open_database(io.executor(), database.options());
    queue::scheduler survivor(io.executor(), *db, base::system_clock(), [] {});
    // The dead node's locks go with its connection, which the server notices by itself.
    auto deadline = base::system_clock().steady() + 10s;
    while (database.value(count_jobs) == "0" && base::system_clock().steady() < deadline)
        io.run(survivor.run_due()).value();
    io.run(survivor.run_due()).value();

    EXPECT_EQ(database.value(count_jobs), "1");
}

TEST(schedules, an_overlapping_run_is_queued_or_left_out) {
    schedules_world w;
    w.execute("insert into postrider.schedule (name, kind, cron, overlap) values "
              "('q', 'queue', '0 0 1 1 *', 'queue'), ('s', 'skip', '0 0 1 1 *', 'skip')");
    w.pass();
    for (int n = 0; n < 2; ++n) {
        w.execute(make_due);
        w.pass();
    }
    auto const overlapping =
        w.value("select string_agg(kind, ' ' order by kind) from postrider.job");
    w.execute("update postrider.job set state = 'cancelled', finished_at = postrider.now()");
    w.execute(make_due);
    w.pass();

    EXPECT_EQ(overlapping, "queue queue skip");
    EXPECT_EQ(w.value("select count(*) from postrider.job where kind = 'skip'"), "2");
}

TEST(schedules, a_paused_one_does_not_run_and_makes_up_for_nothing) {
    schedules_world w;
    w.execute(yearly);
    w.pass();
    auto set = [&](auto change) {
        return in_transaction(w, [&](storage::transaction& tx) { return change(tx, "s"); });
    };

    EXPECT_TRUE(set(queue::pause_schedule));
    w.execute("update postrider.schedule set next_at = postrider.now() - interval '1 hour'");
    auto paused = w.pass();
    EXPECT_TRUE(set(queue::resume_schedule));
    auto resumed = w.pass();

    EXPECT_EQ(paused.schedules, 0);
    EXPECT_EQ(resumed.schedules, 1);
    EXPECT_EQ(resumed.runs, 0);
    EXPECT_EQ(w.value("select (next_at > postrider.now())::text from postrider.schedule"), "true");
    EXPECT_FALSE(in_transaction(w, [](storage::transaction& tx) {
        return queue::pause_schedule(tx, "none");
    }));
}

queue::schedule every_morning() {
    queue::schedule morning;
    morning.name = "morning";
    morning.kind = "report";
    morning.input = {{"to", 5}};
    morning.recurrence = {"0 9 * * *", std::nullopt, "Europe/Berlin"};
    morning.missed = queue::missed_policy::skip;
    morning.overlap = queue::overlap_policy::skip;
    return morning;
}

base::result<void> put(schedules_world& w, queue::schedule const& schedule) {
    return in_transaction(w, [&](storage::transaction& tx) {
        return queue::put_schedule(tx, schedule);
    });
}

std::optional<queue::schedule> find(schedules_world& w) {
    return in_transaction(w, [](storage::transaction& tx) {
        return queue::find_schedule(tx, "morning");
    });
}

TEST(schedules, what_was_put_is_found_listed_changed_and_removed) {
    schedules_world w;

    put(w, every_morning()).value();
    w.pass();
    auto found = find(w).value();
    put(w, every_morning()).value();
    auto const same = find(w)->next_at;
    auto changed = every_morning();
    changed.recurrence.cron = "0 10 * * *";
    put(w, changed).value();
    auto const anew = find(w)->next_at;

    EXPECT_EQ(found.kind, "report");
    EXPECT_EQ(found.input, every_morning().input);
    EXPECT_EQ(found.recurrence.cron, "0 9 * * *");
    EXPECT_EQ(found.recurrence.timezone, "Europe/Berlin");
    EXPECT_EQ(found.missed, queue::missed_policy::skip);
    EXPECT_EQ(found.overlap, queue::overlap_policy::skip);
    ASSERT_TRUE(found.next_at);
    EXPECT_EQ(same, found.next_at) << "an unchanged schedule goes on";
    EXPECT_EQ(anew, std::nullopt);
    auto list = [](storage::transaction& tx) { return queue::list_schedules(tx); };
    EXPECT_EQ(in_transaction(w, list).size(), 1u);

    auto remove = [](storage::transaction& tx) { return queue::remove_schedule(tx, "morning"); };
    EXPECT_TRUE(in_transaction(w, remove));
    EXPECT_FALSE(in_transaction(w, remove));
    EXPECT_FALSE(find(w));
}

TEST(schedules, a_wrong_definition_is_not_written) {
    schedules_world w;
    auto wrong = [&](auto change) {
        auto changed = every_morning();
        change(changed);
        return put(w, changed).error().code;
    };

    EXPECT_EQ(wrong([](auto& s) { s.name = ""; }), base::errc::invalid);
    EXPECT_EQ(wrong([](auto& s) { s.kind = ""; }), base::errc::invalid);
    EXPECT_EQ(wrong([](auto& s) { s.recurrence.cron = "x"; }), base::errc::invalid);
    EXPECT_EQ(wrong([](auto& s) { s.recurrence.cron.reset(); }), base::errc::invalid);
    EXPECT_EQ(wrong([](auto& s) { s.recurrence.at = base::sys_time{}; }), base::errc::invalid);
    EXPECT_EQ(wrong([](auto& s) { s.recurrence.timezone = "Mars"; }), base::errc::not_found);
    EXPECT_EQ(wrong([](auto& s) { s.lane_key = "1:2:3"; }), base::errc::not_found);
    EXPECT_EQ(w.value("select count(*) from postrider.schedule"), "0");
}

} // namespace
} // namespace postrider::tests::schedules_test
