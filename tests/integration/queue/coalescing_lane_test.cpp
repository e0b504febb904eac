// Lanes where one turn answers all that waits, on a real Postgres.
#include "queue/store/statements.hpp"
#include "tests/integration/queue/mailboxes.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <limits>

namespace postrider::tests::coalescing_lane_test {

namespace {

using namespace std::chrono_literals;
using queue::workflow;
using testing::ElementsAre;
namespace json = boost::json;

// A lane whose turns are begun while its door is open.
struct coalescing_lane_world : world {
    explicit coalescing_lane_world(int debounce_ms = 0)
        : lane(tests::make_lane(*this, "a", "coalesce", debounce_ms)) {}
    ~coalescing_lane_world() { stop(); }

    // The same turns, through another door.
    queue::job_kind turns(latch& at) {
        return {"turn", [this, &at](workflow& f) { return answer(f, book, at); }};
    }
    job_id say(std::string text) {
        return enqueue(first, lane, "turn", boost::json::value(text)).id;
    }

    diary book;
    latch door{io};
    node& first = start_node({turns(door)});
    lane_id const lane;
};

// covers: E.10
TEST(coalescing_lane, answers_everything_that_waits_in_one_turn) {
    coalescing_lane_world w;
    w.say("one");
    w.first.engine->wake();
    w.until([&] { return w.door.arrived == 1; });
    for (auto const* text : {"two", "three", "four"}) w.say(text);

    w.door.let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "4");

    EXPECT_THAT(w.book, ElementsAre("answer one", "answer four"));
    auto const newest = w.value("select max(job_id) from postrider.job");
    EXPECT_EQ(
        w.value("select string_agg(output->>'coalesced_into', ' ') from postrider.job where output "
                "? 'coalesced_into'"),
        newest + " " + newest
    );
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
}

// covers: E.10
TEST(coalescing_lane, takes_no_more_messages_into_a_turn_than_it_has_room_for) {
    coalescing_lane_world w;
    w.say("one");
    w.first.engine->wake();
    w.until([&] { return w.door.arrived == 1; });
    for (int number = 1; number <= 1200; ++number) w.say(std::to_string(number));

    w.door.let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "1201");

    EXPECT_THAT(w.book, ElementsAre("answer one", "answer 1000", "answer 1200"));
}

// A fork answers its original's message again; a job that was begun goes on from its record.
TEST(coalescing_lane, lets_no_fork_and_no_begun_job_take_the_place_of_messages) {
    for (auto const* unlike :
         {"forked_from = 1", "run_no = 1, started_at = now()", "started_at = now()"}) {
        coalescing_lane_world w;
        w.say("one");
        w.first.engine->wake();
        w.until([&] { return w.door.arrived == 1; });
        for (auto const* text : {"two", "three", "other", "four", "five"}) w.say(text);
        w.execute(std::string("update postrider.job set ") + unlike + " where input = '\"other\"'");

        w.door.let_go();
        w.until("select count(*) from postrider.job where state = 'completed'", "6");

        EXPECT_THAT(
            w.book, ElementsAre("answer one", "answer three", "answer other", "answer five")
        ) << unlike;
        EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    }
}

// An operator puts an older job back between the claim of a message and its commit of what it takes
// the place of.
TEST(coalescing_lane, keeps_a_job_that_was_put_back_first) {
    coalescing_lane_world w;
    w.door.let_go();
    auto const older = base::to_string(w.say("one"));
    w.first.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    w.execute("select postrider.lane_pause('a')");
    auto const claimed = base::to_string(w.say("two"));
    w.say("three");

    w.execute(
        "update postrider.job set state = 'running', run_no = 1, started_at = now() "
        "where job_id = " +
        claimed
    );
    auto const epoch =
        w.value("update postrider.lane_run set node_id = 0, ready_at = now() returning epoch");
    w.execute("select postrider.job_restart(" + older + ")");
    w.in_transaction([&](storage::transaction& tx) {
        auto const row = json::serialize(json::array{json::object{
            {"i", 0},
            {"lane_id", base::raw(w.lane)},
            {"epoch", std::stoll(epoch)},
            {"job_id", std::stoll(claimed)}}});
        auto const last = std::numeric_limits<std::int64_t>::max();
        EXPECT_EQ(tx.query(queue::sql::coalesce_mail, {row, std::int64_t{0}, last}).size(), 1u);
    });
    w.execute("update postrider.lane_run set node_id = null");
    w.execute("select postrider.lane_resume('a')");
    w.first.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "3");

    EXPECT_THAT(w.book, ElementsAre("answer one", "answer one", "answer three"));
}

// covers: E.13
TEST(coalescing_lane, waits_for_quiet_and_each_message_resets_the_wait) {
    coalescing_lane_world w(60'000);
    w.door.let_go();
    w.say("one");
    w.execute("update postrider.lane_run set ready_at = ready_at - interval '40 s'");
    w.say("two");

    EXPECT_EQ(
        w.value("select ready_at > now() + interval '50 s' and ready_at < quiet_until from "
                "postrider.busy_lane"),
        "t"
    ) << "the second message began the wait anew";
    w.pass("61 s");
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
    EXPECT_THAT(w.book, ElementsAre("answer two"));
}

// covers: E.13
TEST(coalescing_lane, does_not_wait_for_quiet_for_ever) {
    coalescing_lane_world w(60'000);
    w.say("one");
    w.execute("update postrider.lane_run set quiet_until = now() + interval '5 s'");
    w.say("two");
    EXPECT_EQ(w.value("select ready_at = quiet_until from postrider.busy_lane"), "t");
}

// What an operator does to a job of the lane says nothing about whether it is quiet.
TEST(coalescing_lane, waits_for_quiet_whatever_is_done_to_its_jobs) {
    for (std::string const act :
         {"select postrider.job_cancel((select min(job_id) from postrider.job))",
          "select postrider.job_pause((select min(job_id) from postrider.job))",
          "select postrider.lane_send_event('a', 'news', '1')",
          "select postrider.lane_resume('a') from (select postrider.lane_pause('a') offset 0) "
          "paused"}) {
        coalescing_lane_world w(60'000);
        w.say("one");
        w.say("two");

        w.execute(act);

        EXPECT_EQ(
            w.value("select ready_at > now() + interval '50 s' and ready_at <= quiet_until "
                    "from postrider.busy_lane"),
            "t"
        ) << act;
    }
}

TEST(coalescing_lane, does_not_wait_for_what_a_cancelled_job_waited_for) {
    coalescing_lane_world w(60'000);
    w.say("one");
    w.execute("update postrider.job set state = 'retryable', run_no = 1, started_at = now(), "
              "due_at = now() + interval '1 day', wait_reason = 'retry model'");
    w.execute("update postrider.lane_run set ready_at = now() + interval '1 day', "
              "wait_reason = 'retry model', quiet_until = null");
    w.say("two");

    w.execute("select postrider.job_cancel((select min(job_id) from postrider.job))");

    EXPECT_EQ(w.value("select ready_at < now() + interval '2 min' from postrider.busy_lane"), "t");
}

// covers: E.13
TEST(coalescing_lane, waits_for_quiet_after_a_turn_too) {
    coalescing_lane_world w(60'000);
    w.say("one");
    w.pass("61 s");
    w.until([&] { return w.door.arrived == 1; });
    w.say("two");

    w.door.let_go();
    w.until("select count(*) from postrider.busy_lane where node_id is null", "1");

    EXPECT_EQ(w.value("select ready_at > now() + interval '50 s' from postrider.busy_lane"), "t");
    w.pass("61 s");
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
    EXPECT_THAT(w.book, ElementsAre("answer one", "answer two"));
}

// A drain cuts off its first step, of which nothing is there.
TEST(coalescing_lane, takes_a_message_along_that_was_put_back_before_it_left_anything) {
    coalescing_lane_world w;
    latch open(w.io);
    open.let_go();
    w.say("one");
    w.first.engine->wake();
    w.until([&] { return w.door.arrived == 1; });
    w.io.run(w.first.engine->drain(10ms));
    EXPECT_EQ(w.value("select started_at is null from postrider.job"), "t");

    w.say("two");
    w.start_node({w.turns(open)});
    w.until("select count(*) from postrider.job where state = 'completed'", "2");

    EXPECT_THAT(w.book, ElementsAre("answer two"));
}

} // namespace

} // namespace postrider::tests::coalescing_lane_test
