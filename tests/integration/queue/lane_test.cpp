// How lanes take their mail, and which lane is next, on a real Postgres.
#include "tests/integration/queue/mailboxes.hpp"
#include "tests/support/busy_unit.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::lane_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;
namespace json = boost::json;

// covers: E.10
TEST(interrupting_lane, lets_a_newer_message_end_the_running_turn) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"turn", [&](workflow& f) { return answer(f, book, door); }}});
    auto const lane = make_lane(w, "a", "interrupt");
    w.enqueue(node, lane, "turn", "one");
    w.until([&] { return door.arrived == 1; });

    auto const second = w.enqueue(node, lane, "turn", "two");
    EXPECT_TRUE(second.interrupts);
    w.until([&] { return door.arrived == 2; });
    door.let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "1");

    EXPECT_THAT(book, ElementsAre("answer two"));
    EXPECT_EQ(
        w.value(
            "select state || ' ' || (output->>'reason') from postrider.job order by job_id limit 1"
        ),
        "cancelled a newer message took its place"
    );
}

awaitable<outcome> decided(workflow& flow, diary& book, latch& door) {
    queue::commit_with answer;
    answer.effects.push_back(
        {"reply", "test.send", queue::effect_class::at_least_once, "hello", true}
    );
    (void)co_await flow.commit(std::move(answer));
    co_await flow.perform("reply", {}, [&] { return pass_through(door, 1); });
    co_await step(flow, book, "sent " + said(flow));
    co_return outcome::completed();
}

// covers: E.10 E.14
TEST(interrupting_lane, does_not_take_back_an_answer_that_is_committed) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"turn", [&](workflow& f) { return decided(f, book, door); }}});
    auto const lane = make_lane(w, "a", "interrupt");
    w.enqueue(node, lane, "turn", "one");
    w.until([&] { return door.arrived == 1; });
    w.enqueue(node, lane, "turn", "two");
    w.until("select asked from postrider.busy_lane", "interrupt");

    door.let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
    EXPECT_THAT(book, ElementsAre("sent one", "sent two"));
}

// What is asked is read, and the answer committed, by one batch: the turn is stopped, and then hears
// that it shall not.
// covers: E.10
TEST(interrupting_lane, goes_on_with_an_answer_that_comes_before_the_interruption) {
    world w;
    diary book;
    latch thinking(w.io), sending(w.io);
    sending.let_go();
    bool answers = false;
    auto turn = [&](workflow& flow) -> awaitable<outcome> {
        (void)co_await pass_through(thinking);
        answers = true;
        co_return co_await decided(flow, book, sending);
    };
    auto& node = w.start_node({{"turn", turn}}, 16, 1h); // a lane left behind stays so
    auto const lane = make_lane(w, "a", "interrupt");
    w.enqueue(node, lane, "turn", "one");
    w.until([&] { return thinking.arrived == 1; });
    auto const busy = std::make_shared<busy_unit>();
    base::asio::co_spawn(w.io.executor(), node.checkpoints->commit(busy, 20s), [](auto&&...) {});
    w.until([&] { return busy->begun.load(); });

    w.enqueue(node, lane, "turn", "two");
    w.until([&] { return node.checkpoints->counts().waiting > 0; });
    thinking.let_go();
    w.until([&] { return answers; });
    busy->open();

    w.until("select count(*) from postrider.job where state = 'completed'", "2");
    EXPECT_THAT(book, ElementsAre("sent one", "sent two"));
    EXPECT_EQ(node.engine->counts().lost, 0u);
}

awaitable<outcome> dream(workflow& flow, diary& book) {
    if (said(flow) == "one") co_await flow.sleep("night", 1h);
    co_await step(flow, book, "answer " + said(flow));
    co_return outcome::completed();
}

TEST(interrupting_lane, ends_a_turn_that_is_parked) {
    world w;
    diary book;
    auto& node = w.start_node({{"turn", [&](workflow& f) { return dream(f, book); }}});
    auto const lane = make_lane(w, "a", "interrupt");
    w.enqueue(node, lane, "turn", "one");
    w.until("select state from postrider.job", "waiting");
    EXPECT_TRUE(queue::needs_claim(w.enqueue(node, lane, "turn", "two")));
    node.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    EXPECT_THAT(book, ElementsAre("answer two"));
    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "cancelled");
}

awaitable<outcome> interview(workflow& flow, diary& book) {
    co_await step(flow, book, "hear " + said(flow));
    if (said(flow) != "hello") co_return outcome::completed();
    queue::awaited_event message{std::string(queue::message_event), {}, 1h};
    auto reply = co_await flow.wait_for_event("question", std::move(message));
    if (!reply) co_return outcome::failed(reply.error());
    book.push_back("told " + std::string(reply->at("input").as_string()));
    co_return outcome::completed();
}

// covers: E.10
TEST(routing_lane, gives_the_next_message_to_the_turn_that_waits_for_it) {
    world w;
    diary book;
    auto& node = w.start_node({{"turn", [&](workflow& f) { return interview(f, book); }}});
    auto const lane = make_lane(w, "a", "route");
    w.enqueue(node, lane, "turn", "hello");
    w.until("select state from postrider.job", "waiting");

    EXPECT_TRUE(queue::needs_claim(w.enqueue(node, lane, "turn", "my name")));
    w.enqueue(node, lane, "turn", "something else");
    node.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "3");

    EXPECT_THAT(book, ElementsAre("hear hello", "told my name", "hear something else"));
    EXPECT_EQ(w.value("select count(*) from postrider.job where output ? 'routed_to'"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
}

awaitable<outcome> ask(workflow& flow, diary& book) {
    queue::awaited_event message{std::string(queue::message_event), {}, 1h};
    auto reply = co_await flow.wait_for_event("question", std::move(message));
    if (!reply) co_return outcome::failed(reply.error());
    book.push_back("told " + std::string(reply->at("text").as_string()));
    co_return outcome::completed();
}

TEST(routing_lane, tells_the_words_of_the_message) {
    world w;
    diary book;
    // As an intake does it: the job's message is committed with the job.
    w.execute(R"(create function say() returns trigger language plpgsql as $$ begin
        insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
        values (new.lane_id, new.job_id, new.conversation_id, 0, 'user', 'm', 'words of ' || (new.input #>> '{}'));
        return new; end $$)");
    w.execute("create trigger say after insert on postrider.job for each row execute function say()"
    );
    auto& node = w.start_node({{"turn", [&](workflow& f) { return ask(f, book); }}});
    auto const lane = make_lane(w, "a", "route");
    w.enqueue(node, lane, "turn", "hello");
    w.until("select state from postrider.job", "waiting");

    w.enqueue(node, lane, "turn", "my name");
    node.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "2");

    EXPECT_THAT(book, ElementsAre("told words of my name"));
}

TEST(routing_lane, finds_a_message_that_came_before_the_question) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"turn", [&](workflow& f) { return interview(f, book); }}}, 1);
    auto const lane = make_lane(w, "a", "route");
    w.enqueue(node, lane, "turn", "hello");
    w.enqueue(node, lane, "turn", "early");
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
    EXPECT_THAT(book, testing::Contains("told early"));
}

awaitable<outcome> note(workflow& flow, diary& book) {
    co_await step(flow, book, said(flow));
    co_return outcome::completed();
}

// covers: E.10
TEST(priority, decides_which_lane_is_next_and_waiting_outweighs_it) {
    world w;
    diary book;
    // No node yet: all four lanes wait.
    auto put = [&](std::string name, int priority, std::string waited) {
        w.execute("insert into postrider.lane (lane_key) values ('" + name + "')");
        w.execute(
            "with l as (select lane_id from postrider.lane where lane_key = '" + name +
            "'), "
            "j as (insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, "
            "state, input, priority) "
            "select nextval('postrider.number'), lane_id, 1, 1, 'note', 'available', to_jsonb('" +
            name + "'::text), " + std::to_string(priority) +
            " from l returning job_id, lane_id) "
            "update postrider.lane_run r set ready_at = now() - interval '" +
            waited + "', arrivals = 1, head = job_id, priority = " + std::to_string(priority) +
            " from j where r.lane_id = j.lane_id"
        );
    };
    put("low", 3, "1 s");
    put("normal", 2, "1 s");
    put("urgent", 0, "1 s");
    put("low for long", 3, "1 min");

    w.start_node({{"note", [&](workflow& f) { return note(f, book); }}}, 1);
    w.until("select count(*) from postrider.job where state = 'completed'", "4");

    EXPECT_THAT(book, ElementsAre("urgent", "low for long", "normal", "low"))
        << "a step of priority counts like twenty seconds: 60 s against 3 steps is as urgent";
}

// covers: E.10
TEST(priority, of_an_urgent_job_lifts_the_jobs_before_it) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node(
        {{"note", [&](workflow& f) { return note(f, book); }},
         {"turn", [&](workflow& f) { return answer(f, book, door); }}},
        1
    );
    w.enqueue(node, w.make_lane("busy"), "turn", "busy"); // has the only slot
    w.until([&] { return door.arrived == 1; });
    w.enqueue(node, w.make_lane("b"), "note", "normal");
    auto const lane = w.make_lane("a");
    queue::new_job slow{lane, "note", "low", {}};
    slow.priority = 3;
    w.enqueue(node, slow);
    queue::new_job fast{lane, "note", "urgent", {}};
    fast.priority = 0;
    w.enqueue(node, fast);

    door.let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "4");
    EXPECT_THAT(book, ElementsAre("answer busy", "low", "urgent", "normal"));
}

} // namespace

} // namespace postrider::tests::lane_test
