// Delayed, unique and debounced jobs on a real Postgres. Time passes by moving due times.
#include "queue/store/later.hpp"
#include "storage/query.hpp"
#include "tests/integration/queue/schedules_world.hpp"
#include "tests/integration/queue/world.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace postrider::tests::later_test {

namespace {

using namespace std::chrono_literals;
using queue::later_enqueued;
using queue::later_job;
using testing::Each;

constexpr auto jobs_by_state = "select string_agg(state || n, ' ' order by state) from "
                               "(select state, count(*) as n from postrider.job group by state) s";

lane_id make_lane(schedules_world const& w, std::string const& key = "a") {
    return lane_id{std::stoll(
        w.value("insert into postrider.lane (lane_key) values ('" + key + "') returning lane_id")
    )};
}

later_enqueued enqueue(schedules_world& w, later_job const& job) {
    later_enqueued enqueued;
    auto done = storage::run_blocking(w.database.options(), [&](storage::transaction& tx) {
        enqueued = queue::enqueue_later(tx, job);
    });
    done.value();
    return enqueued;
}

later_job in_an_hour(lane_id lane, boost::json::value input = nullptr) {
    return {lane, "note", std::move(input), 1h, std::nullopt, 2};
}

later_job unique(lane_id lane, std::string key) {
    auto job = in_an_hour(lane);
    job.unique = queue::unique_job{std::move(key), std::nullopt, std::nullopt};
    return job;
}

later_job debounced(lane_id lane, boost::json::value input) {
    auto job = in_an_hour(lane, std::move(input));
    job.unique = queue::unique_job{"k", 10min, 15min};
    return job;
}

void let_an_hour_pass(schedules_world& w) {
    w.execute("update postrider.timer set due_at = due_at - interval '1 hour';"
              "update postrider.job set due_at = due_at - interval '1 hour'");
}

// covers: E.13
TEST(later, a_delayed_job_waits_outside_its_lane_until_it_is_due) {
    schedules_world w;
    auto const lane = make_lane(w);

    auto enqueued = enqueue(w, in_an_hour(lane));
    auto early = w.pass();
    auto const before = w.value(jobs_by_state);
    auto const lanes_before = w.value("select count(*) from postrider.busy_lane");
    auto const shown = w.value("select lane_key || due_in::text from postrider.delayed_jobs");
    let_an_hour_pass(w);
    auto due = w.pass();

    EXPECT_TRUE(enqueued.created);
    EXPECT_EQ(early.admitted, 0);
    EXPECT_EQ(before, "scheduled1");
    EXPECT_EQ(lanes_before, "0");
    EXPECT_THAT(shown, testing::StartsWith("a00:59:"));
    EXPECT_EQ(due.admitted, 1);
    EXPECT_EQ(w.admitted, 1);
    EXPECT_EQ(w.value(jobs_by_state), "available1");
    EXPECT_EQ(
        w.value(
            "select head = " + base::to_string(enqueued.id) +
            " and ready_at <= postrider.now() from postrider.busy_lane"
        ),
        "t"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.timer"), "0");
}

TEST(later, an_instant_is_kept_to_the_microsecond) {
    schedules_world w;
    auto job = in_an_hour(make_lane(w));
    auto const at = base::from_iso8601("2026-12-24T18:00:00.123457Z").value();
    job.due = at;
    job.priority = 1;

    auto enqueued = enqueue(w, job);

    EXPECT_EQ(enqueued.due, at);
    EXPECT_EQ(
        w.value(
            "select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US ') || priority "
            "from postrider.job"
        ),
        "2026-12-24 18:00:00.123457 1"
    );
}

TEST(later, a_lane_that_does_not_exist_is_refused) {
    schedules_world w;

    EXPECT_THROW(enqueue(w, in_an_hour(lane_id{7})), storage::database_error);
    EXPECT_THROW(enqueue(w, unique(lane_id{7}, "k")), storage::database_error);
    EXPECT_EQ(w.value("select count(*) from postrider.job_key"), "0");
}

base::awaitable<queue::outcome> note(queue::workflow& flow, std::vector<std::int64_t>& ran) {
    ran.push_back(flow.job().input.as_int64());
    co_return queue::outcome::completed();
}

// covers: E.13
TEST(later, a_delayed_job_holds_no_other_of_its_lane_up) {
    world w;
    std::vector<std::int64_t> ran;
    auto& node = w.start_node({{"note", [&](queue::workflow& flow) { return note(flow, ran); }}});
    auto lane = w.make_lane("a");

    w.execute("select postrider.enqueue_later('a', 'note', '1', '1 hour')");
    w.enqueue(node, lane, "note", 2);
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    w.until("select count(*) from postrider.busy_lane", "0");
    auto const left = w.value("select state from postrider.job where input = '1'");
    w.execute("update postrider.timer set due_at = postrider.now()");
    w.until("select count(*) from postrider.job where state = 'completed'", "2");

    EXPECT_EQ(left, "scheduled");
    EXPECT_EQ(ran, (std::vector<std::int64_t>{2, 1}));
    w.until("select count(*) from postrider.busy_lane", "0");
}

TEST(later, due_jobs_of_one_lane_run_in_the_order_of_their_ids_and_leave_it_idle) {
    world w;
    std::vector<std::int64_t> ran;
    w.make_lane("a");
    for (int n = 1; n <= 5; ++n)
        w.execute("select postrider.enqueue_later('a', 'note', '" + std::to_string(n) + "')");

    w.start_node({{"note", [&](queue::workflow& flow) { return note(flow, ran); }}});
    w.until("select count(*) from postrider.job where state = 'completed'", "5");

    EXPECT_EQ(ran, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
    w.until("select count(*) from postrider.busy_lane", "0");
}

// covers: E.13
TEST(later, a_thousand_due_at_once_are_admitted_in_batches) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) select 'l' || n from generate_series(1, 400) n"
    );
    w.execute("select postrider.enqueue_later('l' || n % 400 + 1, 'note') "
              "from generate_series(1, 1000) n");

    auto done = w.pass();

    EXPECT_EQ(done.admitted, 1000);
    EXPECT_EQ(w.admitted, 4); // of 250 each; the fifth finds none
    EXPECT_EQ(w.value(jobs_by_state), "available1000");
    EXPECT_EQ(
        w.value("select count(*) || '/' || sum(arrivals) from postrider.busy_lane"), "400/1000"
    );
}

TEST(later, a_due_job_of_a_paused_lane_waits_there) {
    schedules_world w;
    make_lane(w);
    w.execute("update postrider.lane set paused_at = postrider.now();"
              "select postrider.enqueue_later('a', 'note')");

    w.pass();

    EXPECT_EQ(w.value("select ready_at::text from postrider.busy_lane"), "infinity");
}

// covers: E.13
TEST(later, a_unique_key_finds_the_live_job) {
    schedules_world w;
    auto const lane = make_lane(w);

    auto first = enqueue(w, unique(lane, "k"));
    auto second = enqueue(w, unique(lane, "k"));
    auto other = enqueue(w, unique(lane, "k2"));
    w.execute(
        "update postrider.job set state = 'cancelled', finished_at = postrider.now() "
        "where job_id = " +
        base::to_string(first.id)
    );
    auto third = enqueue(w, unique(lane, "k"));

    EXPECT_TRUE(first.created);
    EXPECT_FALSE(second.created);
    EXPECT_EQ(second.id, first.id);
    EXPECT_EQ(second.due, first.due);
    EXPECT_NE(other.id, first.id);
    EXPECT_TRUE(third.created);
    EXPECT_NE(third.id, first.id);
}

TEST(later, a_unique_key_finds_one_job_from_many_connections_at_once) {
    schedules_world w;
    auto const lane = make_lane(w);
    std::vector<later_enqueued> results(8);
    std::vector<std::jthread> callers;

    for (auto& enqueued : results)
        callers.emplace_back([&] { enqueued = enqueue(w, unique(lane, "k")); });
    for (auto& caller : callers) caller.join();

    EXPECT_EQ(std::ranges::count_if(results, &later_enqueued::created), 1);
    EXPECT_THAT(results, Each(testing::Field(&later_enqueued::id, results.front().id)));
    EXPECT_EQ(w.value(jobs_by_state), "scheduled1");
}

TEST(later, goes_through_a_batch_and_finds_a_key_twice_in_it) {
    schedules_world w;
    auto const lane = make_lane(w);
    storage::batcher_options options;
    options.name = "test";
    auto batcher = storage::make_batcher(w.io.executor(), w.database.options(), options);
    std::vector<later_job> jobs{in_an_hour(lane), unique(lane, "k"), unique(lane, "k")};
    std::vector<storage::write> writes;
    for (auto const& job : jobs) writes.push_back(queue::enqueue_later(job));

    auto const rows = w.io.run(storage::query(*batcher, writes, 10s)).value().front();

    ASSERT_EQ(rows.size(), 3u);
    auto const created = [](auto const& row) { return queue::read_later(row).created; };
    EXPECT_EQ(std::ranges::count_if(rows, created), 2);
    EXPECT_EQ(w.value(jobs_by_state), "scheduled2");
}

// covers: E.13
TEST(later, a_debounced_job_takes_the_newest_input_and_waits_anew) {
    schedules_world w;
    auto const lane = make_lane(w);

    auto first = enqueue(w, debounced(lane, 1));
    w.execute("update postrider.timer set due_at = due_at - interval '4 min';"
              "update postrider.job set created_at = created_at - interval '4 min', "
              "due_at = due_at - interval '4 min'");
    auto second = enqueue(w, debounced(lane, 2));

    EXPECT_FALSE(second.created);
    EXPECT_EQ(second.id, first.id);
    EXPECT_GE(second.due, first.due);
    EXPECT_EQ(
        w.value("select input::text || ' ' || (t.due_at = j.due_at) || ' ' "
                "|| round(extract(epoch from t.due_at - postrider.now()) / 60) "
                "from postrider.job j join postrider.timer t using (job_id)"),
        "2 true 10"
    );
}

TEST(later, a_debounced_job_waits_no_longer_than_its_longest_wait) {
    schedules_world w;
    auto const lane = make_lane(w);

    enqueue(w, debounced(lane, 1));
    w.execute("update postrider.job set created_at = created_at - interval '14 min'");
    enqueue(w, debounced(lane, 2));
    auto const last = w.value("select round(extract(epoch from due_at - postrider.now()) / 60) "
                              "from postrider.timer");
    w.execute("update postrider.job set created_at = created_at - interval '14 min'");
    enqueue(w, debounced(lane, 3));
    auto due = w.pass();

    EXPECT_EQ(last, "1");
    EXPECT_EQ(due.admitted, 1);
    EXPECT_EQ(w.value("select input || state from postrider.job"), "3available");
}

TEST(later, a_debounced_job_that_is_admitted_is_followed_by_another) {
    schedules_world w;
    auto const lane = make_lane(w);

    auto first = enqueue(w, debounced(lane, 1));
    let_an_hour_pass(w);
    w.pass();
    auto second = enqueue(w, debounced(lane, 2));
    auto third = enqueue(w, debounced(lane, 3));

    EXPECT_TRUE(second.created);
    EXPECT_NE(second.id, first.id);
    EXPECT_EQ(third.id, second.id);
    EXPECT_EQ(
        w.value("select string_agg(state || input, ' ' order by job_id) from postrider.job"),
        "available1 scheduled3"
    );
}

TEST(later, a_cancelled_or_paused_job_is_not_admitted) {
    schedules_world w;
    auto const lane = make_lane(w);
    auto cancelled = enqueue(w, in_an_hour(lane));
    auto paused = enqueue(w, in_an_hour(lane));
    w.execute(
        "update postrider.job set state = 'cancelled', finished_at = postrider.now() "
        "where job_id = " +
        base::to_string(cancelled.id) +
        "; update postrider.job set state = 'paused', paused_at = postrider.now() where job_id = " +
        base::to_string(paused.id)
    );

    let_an_hour_pass(w);
    w.pass();

    EXPECT_EQ(w.value(jobs_by_state), "cancelled1 paused1");
    EXPECT_EQ(w.value("select count(*) from postrider.timer"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");

    auto const id = base::to_string(paused.id);
    auto const resumed =
        w.value("select postrider.timer_set(" + id + ", postrider.now() + interval '1 min')");
    auto const refused =
        w.value("select postrider.timer_set(" + base::to_string(cancelled.id) + ", now())");
    auto const again = w.value(jobs_by_state);
    w.execute("select postrider.timer_set(" + id + ", postrider.now())");
    w.pass();

    EXPECT_EQ(resumed, "t");
    EXPECT_EQ(refused, "f");
    EXPECT_EQ(again, "cancelled1 scheduled1");
    EXPECT_EQ(w.value(jobs_by_state), "available1 cancelled1");
}

TEST(later, keys_of_jobs_that_are_over_are_forgotten) {
    schedules_world w;
    auto const lane = make_lane(w);
    auto over = enqueue(w, unique(lane, "over"));
    enqueue(w, unique(lane, "live"));
    w.execute(
        "update postrider.job set state = 'cancelled', finished_at = postrider.now() "
        "where job_id = " +
        base::to_string(over.id)
    );

    EXPECT_EQ(w.value("select gone from postrider.job_keys_prune('', 10)"), "1");
    EXPECT_EQ(w.value("select string_agg(key, ' ') from postrider.job_key"), "live");
}

TEST(later, by_hand_mistakes_are_refused) {
    schedules_world w;
    make_lane(w);

    EXPECT_THROW(w.execute("select postrider.enqueue_later('b', 'note')"), std::exception);
    EXPECT_THROW(
        w.execute("select postrider.enqueue_later('a', 'note', debounce => '1 min')"),
        std::exception
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
}

} // namespace
} // namespace postrider::tests::later_test
