// What cannot be used is recorded, what cannot be stored is put off; neither harms the neighbours.
#include "server/telegram/webhook.hpp"
#include "storage/private_cluster.hpp"
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <unistd.h>

namespace postrider::telegram::intake_failures_test {
namespace {

using base::errc;
using namespace std::chrono_literals;

std::string rejected(intake_world const& w) {
    return w.value("select update_id || ' ' || disposition || ' ' || reason || ' ' || "
                   "coalesce(convert_from(raw, 'UTF8'), 'no bytes') from postrider.inbox");
}

base::awaitable<void> bring(
    intake& to, bot_settings const& bot, std::string body, base::result<accepted>& outcome
) {
    outcome = co_await to.accept(bot, std::move(body));
}

TEST(intake, an_unusable_update_is_recorded_with_its_bytes) {
    intake_world w;
    std::string const body =
        R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1},"text":"a\u0000b"}})";

    auto const stored = w.accept(body);

    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->disposition, "rejected");
    EXPECT_EQ(rejected(w), "7 rejected invalid " + body);
}

TEST(intake, bytes_that_are_no_text_are_kept_as_they_are) {
    intake_world w;
    std::string const body = "{\"update_id\":7,\"message\":{\"message_id\":1,\"chat\":{\"id\":1},"
                             "\"text\":\"\xff\xfe\"}}";
    ASSERT_TRUE(w.accept(body));
    EXPECT_EQ(
        w.value("select octet_length(raw) from postrider.inbox"), std::to_string(body.size())
    );
    EXPECT_EQ(w.value("select position('\\xfffe'::bytea in raw) > 0 from postrider.inbox"), "t");
}

TEST(intake, a_body_beyond_the_limit_is_recorded_without_its_bytes) {
    intake_world w;
    auto const stored =
        w.loop.run(w.inbox->accept_cut(w.fern.settings, R"({"update_id":7,"message":{"text":"aaa)")
        );
    ASSERT_TRUE(stored);
    EXPECT_EQ(rejected(w), "7 rejected too_large no bytes");
    EXPECT_EQ(
        w.loop.run(w.inbox->accept_cut(w.fern.settings, R"({"message":{"text":"a)")).error(),
        errc::invalid
    );
}

TEST(intake, what_is_no_update_leaves_nothing) {
    intake_world w;
    EXPECT_EQ(w.accept("hi").error(), errc::invalid);
    EXPECT_EQ(w.accept("{}").error(), errc::invalid);
    EXPECT_EQ(w.value("select count(*) from postrider.inbox"), "0");
}

TEST(intake, a_poisonous_row_is_rejected_alone) {
    intake_world w;
    w.database.execute("alter table postrider.message add check (content <> 'poison')");
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    std::vector<std::string> bodies;
    for (int n = 2; n < 22; ++n) bodies.push_back(w.body(n, alex, n == 7 ? "poison" : "fine"));

    auto const outcomes = w.accept_all(bodies);

    for (auto const& outcome : outcomes) ASSERT_TRUE(outcome);
    EXPECT_EQ(outcomes[5]->disposition, "rejected");
    EXPECT_EQ(w.value("select count(*) from postrider.message where content = 'fine'"), "19");
    EXPECT_EQ(
        w.value("select convert_from(raw, 'UTF8') from postrider.inbox where disposition = "
                "'rejected' and reason = 'poison'"),
        bodies[5]
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "20");
}

// covers: E.06
TEST(intake, an_update_that_a_defect_keeps_out_is_rejected_in_the_end) {
    intake_world w;
    w.database.execute(
        "create function refuse() returns trigger language plpgsql as $$ begin "
        "if new.content = 'odd' then raise undefined_function; end if; return new; end $$;"
        "create trigger odd before insert on postrider.message for each row execute function "
        "refuse()"
    );
    auto const odd = w.body(1, alex, "odd");
    for (int n = 0; n < 10; ++n) EXPECT_EQ(w.accept(odd).error(), errc::internal);
    EXPECT_EQ(w.value("select count(*) from postrider.inbox"), "0") << "nothing else was stored";

    ASSERT_TRUE(w.accept(w.body(2, alex, "fine")));
    auto const rejected_now = w.accept(odd);

    ASSERT_TRUE(rejected_now);
    EXPECT_EQ(rejected_now->disposition, "rejected");
    EXPECT_EQ(
        w.value("select reason || ' ' || convert_from(raw, 'UTF8') from postrider.inbox "
                "where disposition = 'rejected'"),
        "internal " + odd
    );
}

// Two batches at once that create the same lanes, brought in opposite orders.
// covers: E.02
TEST(intake, two_nodes_that_create_the_same_lanes_do_not_meet_in_a_deadlock) {
    intake_world w;
    storage::batcher_options batching;
    auto other_writes = storage::make_batcher(w.loop.executor(), w.database.options(), batching);
    agent::flow::execution_intake other_executions{*other_writes, w.slots, base::system_clock()};
    auto other = make_intake(
        other_executions, w.moves, w.flows, w.presses, base::system_clock(), base::system_random()
    );
    std::vector<std::string> bodies;
    for (int n = 0; n < 200; ++n) {
        w.fern.settings.allowlist.users.insert(user_id{1000 + n});
        bodies.push_back(w.body(n, user_id{1000 + n}, "hello"));
    }
    std::vector<base::result<accepted>> outcomes(400, accepted{});
    base::task_group group(w.loop.executor());
    for (std::size_t n = 0; n < 200; ++n) {
        group.spawn("accept", w.keep(bodies[n], outcomes[n]));
        group.spawn("accept", bring(*other, w.fern.settings, bodies[199 - n], outcomes[200 + n]));
    }
    w.loop.run(group.join());

    for (auto const& outcome : outcomes) ASSERT_TRUE(outcome) << outcome.error().detail;
    EXPECT_EQ(w.value("select count(*) from postrider.lane"), "200");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "200");
    EXPECT_EQ(w.writes->counts().split + other_writes->counts().split, 0u);
    EXPECT_EQ(
        w.value("select deadlocks from pg_stat_database where datname = current_database()"), "0"
    );
    other_writes->close();
}

// Holds the inbox locked, so that commits wait, until it is let go.
class stalled_inbox {
public:
    explicit stalled_inbox(intake_world const& w) : options_(w.database.options()) {
        std::promise<void> locked;
        holder_ = std::thread([&] {
            auto hold = [&](storage::transaction& tx) {
                tx.script("lock table postrider.inbox");
                locked.set_value();
                let_go_.get_future().wait();
            };
            storage::run_blocking(options_, hold).value();
        });
        locked.get_future().wait();
    }
    ~stalled_inbox() { let_go(); }

    void let_go() {
        if (!holder_.joinable()) return;
        let_go_.set_value();
        holder_.join();
    }

private:
    storage::database_options options_;
    std::promise<void> let_go_;
    std::thread holder_;
};

// Tests run side by side, each in a database of its own.
bool somebody_waits(intake_world const& w) {
    return w.value("select count(*) from pg_locks where not granted and database = "
                   "(select oid from pg_database where datname = current_database())") == "1";
}

base::awaitable<void> until(std::function<bool()> reached) {
    while (!reached()) co_await base::sleep_for(1ms);
}

// covers: E.05
TEST(intake, too_many_that_wait_are_put_off) {
    agent::flow::intake_limits few;
    few.most_waiting = 3;
    few.oldest_waiting = 1h;
    intake_world w(few);
    ASSERT_TRUE(w.accept(w.body(1, alex, "the lane is known now")));
    stalled_inbox stalled(w);
    std::vector<base::result<accepted>> outcomes(10, accepted{});
    base::task_group group(w.loop.executor());
    group.spawn("in flight", w.keep(w.body(100, alex, "x"), outcomes[0]));
    w.loop.run(until([&] { return somebody_waits(w); }));

    for (std::size_t i = 1; i < outcomes.size(); ++i)
        group.spawn(
            "accept", w.keep(w.body(100 + static_cast<std::int64_t>(i), alex, "x"), outcomes[i])
        );
    w.loop.run(until([&] { return group.size() == 5; }));
    stalled.let_go();
    w.loop.run(group.join());

    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (i < 5) {
            EXPECT_TRUE(outcomes[i]) << i;
        } else {
            EXPECT_EQ(outcomes[i].error(), errc::overloaded) << i;
        }
    }
    EXPECT_EQ(w.value("select count(*) from postrider.inbox"), "6");
    EXPECT_TRUE(w.accept(w.body(105, alex, "x"))->is_new) << "what was put off comes again";
}

// covers: E.05
TEST(intake, nothing_is_added_behind_one_that_waits_too_long) {
    agent::flow::intake_limits impatient;
    impatient.oldest_waiting = 20ms;
    intake_world w(impatient);
    ASSERT_TRUE(w.accept(w.body(1, alex, "the lane is known now")));
    stalled_inbox stalled(w);
    std::vector<base::result<accepted>> outcomes(2, accepted{});
    base::task_group group(w.loop.executor());
    group.spawn("in flight", w.keep(w.body(2, alex, "x"), outcomes[0]));
    w.loop.run(until([&] { return somebody_waits(w); }));
    group.spawn("waiting", w.keep(w.body(3, alex, "x"), outcomes[1]));
    w.loop.run(until([&] { return w.writes->counts().oldest > 20ms; }));

    EXPECT_EQ(w.accept(w.body(4, alex, "x")).error(), errc::overloaded);

    stalled.let_go();
    w.loop.run(group.join());
    EXPECT_TRUE(outcomes[0] && outcomes[1]);
}

// covers: E.05 E.03
TEST(intake, a_commit_that_comes_too_late_is_found_by_the_next_delivery) {
    intake_world w({}, 50ms);
    w.slots.room = 1;
    w.database.execute(
        "insert into postrider.lane (bot_id, chat_id, lane_key) values (1, 10, '1:10:0')"
    );
    stalled_inbox stalled(w);

    EXPECT_EQ(w.accept(w.body(1, alex, "hello")).error(), errc::timeout);
    EXPECT_EQ(w.slots.room, 1) << "the slot came back";

    stalled.let_go();
    w.loop.run(until([&] { return w.value("select count(*) from postrider.inbox") == "1"; }));
    auto again = w.accept(w.body(1, alex, "hello"));
    while (!again && again.error() == errc::timeout) again = w.accept(w.body(1, alex, "hello"));
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->is_new);
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
}

// covers: E.05
TEST(intake, a_stopped_database_is_a_503_with_retry_after) {
    auto const folder =
        std::filesystem::temp_directory_path() / ("postrider-intake-" + std::to_string(getpid()));
    auto cluster = storage::start_private_cluster(folder).value();
    tests::loop loop;
    storage::database_options options;
    options.url = cluster->url();
    auto writes = storage::make_batcher(loop.executor(), options, {});
    bot fern;
    fern.settings.allowlist.users = {alex};
    chat_moves moves{{&fern}};
    counting_slots slots;
    slots.room = 1;
    one_flow flows;
    recorded_press_answers presses;
    agent::flow::execution_intake executions{*writes, slots, base::system_clock()};
    auto inbox = make_intake(
        executions, moves, flows, presses, base::system_clock(), base::system_random(), 2s
    );
    base::report_paces refusals;
    auto const route = webhook_route({&fern}, *inbox, base::system_random(), refusals);
    cluster->stop();

    net::http_request request;
    request.params["bot"] = "main";
    request.body = intake_world::body(1, alex, "hello");
    auto const answer = loop.run(route.handle(std::move(request)));

    EXPECT_EQ(answer.status, 503);
    EXPECT_NE(answer.headers.find("Retry-After"), "");
    EXPECT_EQ(slots.room, 1) << "the slot came back";
    writes->close();
    cluster.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

} // namespace
} // namespace postrider::telegram::intake_failures_test
