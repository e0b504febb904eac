// Reminders: the tools that set, list and cancel them, the scheduler, and what is said in the end.
#include "agent/reminders/reminder.hpp"
#include "agent/tools/tool.hpp"
#include "storage/query.hpp"
#include "storage/stores/reminders.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::reminders_test {
namespace {

using base::errc;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using namespace std::chrono_literals;
namespace json = boost::json;

base::awaitable<queue::outcome> wait_for_a_person(queue::workflow& steps) {
    queue::awaited_event event{.type = "answer"};
    (void)co_await steps.wait_for_event("answer", std::move(event));
    co_return queue::outcome::completed();
}

class reminders : public engine_fixture {
protected:
    reminders() {
        lane_ = w.make_lane("1:7:0");
        start();
    }

    void start() {
        engine_node_ = &w.start_node(
            {agent::make_reminders(chat, base::system_clock(), base::system_random()),
             queue::job_kind{.name = "asking", .run = wait_for_a_person}}
        );
        call_.job.lane = lane_;
    }

    struct call_parts {
        agent::requester requester{.bot = bot_id{1}, .chat = chat_id{7}, .user = user_id{5}};
        queue::job job = {};
        std::string key = "0123456789abcdef0123456789abcdef";
    };

    // Runs a call once and commits its rows, as its step does.
    base::result<std::string> run(
        std::string_view name, json::object arguments, call_parts const& as
    ) {
        json::object const settings;
        agent::tool_context context(
            {.requester = as.requester,
             .job = as.job,
             .clock = base::system_clock(),
             .settings = settings,
             .key = as.key,
             .web = nullptr,
             .reads = engine_node_->quick.get()}
        );
        auto output = w.io.run(agent::find_tool(name)->run(context, std::move(arguments)));
        if (!output) return output.error();
        auto rows = context.take_rows();
        if (!rows.empty())
            w.io.run(storage::query(*engine_node_->intake, std::move(rows), 5s)).value();
        if (!output->text.empty()) return output->text;
        return json::serialize(output->value);
    }
    base::result<std::string> run(std::string_view name, json::object arguments = {}) {
        return run(name, std::move(arguments), call_);
    }

    // Its time has come, by the database's clock.
    void let_come(std::string const& column = "at") {
        w.execute("update postrider.schedule set " + column + " = postrider.now()");
        engine_node_->engine->wake();
    }
    std::string reminders_kept() { return w.value("select count(*) from postrider.schedule"); }

    recording_chat chat;
    node* engine_node_ = nullptr;
    lane_id lane_{};
    call_parts call_;
};

// covers: X.03
TEST_F(reminders, speaks_once_where_it_was_made_and_is_over) {
    auto const set = run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}});
    ASSERT_TRUE(set) << set.error().detail;
    EXPECT_THAT(*set, HasSubstr("0123456789abcdef"));
    EXPECT_THAT(chat.sent, SizeIs(0));

    let_come();
    w.until("select state from postrider.job", "completed");

    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_EQ(chat.sent[0].content.text, "⏰ call Ann");
    EXPECT_EQ(chat.sent[0].to.chat, chat_id{7});
    EXPECT_EQ(reminders_kept(), "0");
    EXPECT_EQ(
        w.value(
            "select kind || ' ' || lane_key from postrider.job join postrider.lane using (lane_id)"
        ),
        "reminder schedule:reminders:" + base::to_string(lane_)
    );
    EXPECT_EQ(
        w.value("select string_agg(m.role || ' ' || m.delivery || ' ' || m.content, ',') from "
                "postrider.message m join postrider.lane l using (lane_id, conversation_id) "
                "where l.lane_key = '1:7:0'"),
        "assistant sent ⏰ call Ann"
    );
    EXPECT_EQ(w.value("select origin from postrider.message"), "engine");
    EXPECT_EQ(
        w.value(
            "select string_agg(state || ' ' || class || ' ' || flagged, ',') from postrider.effect"
        ),
        "done at_least_once false"
    );
}

// Its conversation was deleted when it was about to come.
TEST_F(reminders, leave_no_words_in_a_closed_lane) {
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));
    w.execute("update postrider.lane_run r set closed = true from postrider.lane l "
              "where l.lane_id = r.lane_id and l.lane_key = '1:7:0'");

    let_come();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select count(*) from postrider.message"), "0");
}

TEST_F(reminders, that_is_put_off_while_it_speaks_comes_again) {
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));
    chat.on_send = [this] { w.execute("update postrider.schedule set at = '2099-01-01Z'"); };

    let_come();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(reminders_kept(), "1");
}

// covers: X.03
TEST_F(reminders, that_recurs_stays_and_comes_again) {
    auto const set = run("schedule", {{"text", "stand up"}, {"when", "every weekday at 9"}});
    ASSERT_TRUE(set) << set.error().detail;
    EXPECT_THAT(*set, HasSubstr("0 9 * * 1,2,3,4,5"));

    for (auto const* times : {"1", "2"}) {
        let_come("next_at");
        w.until("select count(*) from postrider.job where state = 'completed'", times);
    }

    EXPECT_THAT(chat.sent, SizeIs(2));
    EXPECT_EQ(reminders_kept(), "1");
    EXPECT_EQ(
        w.value("select runs || ' ' || name from postrider.schedule"), "2 reminder:0123456789abcdef"
    );
}

// A step whose commit may have been lost runs again.
TEST_F(reminders, is_set_once_however_often_its_step_runs) {
    json::object const wanted{{"text", "call Ann"}, {"when", "in 10 minutes"}};

    ASSERT_TRUE(run("remind", wanted));
    ASSERT_TRUE(run("remind", wanted));
    EXPECT_EQ(reminders_kept(), "1");

    call_.key = "fedcba9876543210fedcba9876543210";
    ASSERT_TRUE(run("remind", wanted));
    EXPECT_EQ(reminders_kept(), "2");
}

TEST_F(reminders, outlive_the_process_that_made_them) {
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));
    w.io.run(engine_node_->engine->drain(5s));

    start();
    let_come();

    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(chat.sent, SizeIs(1));
}

TEST_F(reminders, that_comes_late_says_so) {
    ASSERT_TRUE(run(
        "remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}, {"timezone", "Europe/Berlin"}}
    ));
    w.execute("update postrider.schedule set at = '2020-01-06T08:00:00Z'");
    engine_node_->engine->wake();

    w.until("select state from postrider.job", "completed");

    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_THAT(chat.sent[0].content.text, StartsWith("⏰ call Ann\n"));
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("(This was for Mon, 6 January 2020, 09:00;"));
    EXPECT_EQ(w.value("select reason from postrider.degraded_jobs"), "late");
}

// A turn that waits for a person holds up its lane, and no reminder.
TEST_F(reminders, do_not_wait_behind_a_turn) {
    w.enqueue(*engine_node_, lane_, "asking");
    w.until("select state from postrider.job", "waiting");
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));

    let_come();
    w.until(
        "select count(*) from postrider.job where kind = 'reminder' and state = 'completed'", "1"
    );

    EXPECT_THAT(chat.sent, SizeIs(1));
}

TEST_F(reminders, that_cannot_be_sent_is_a_dead_letter_with_its_text) {
    chat.failures.push_back(base::error(errc::refused, "blocked"));
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));

    let_come();
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(reminders_kept(), "0");
    EXPECT_EQ(w.value("select input ->> 'text' from postrider.job"), "call Ann");
    EXPECT_EQ(w.value("select delivery from postrider.message"), "failed");
}

TEST_F(reminders, are_listed_and_cancelled_by_their_person_and_there_alone) {
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));
    auto other_person = call_;
    other_person.requester.user = user_id{6};
    auto other_chat = call_;
    other_chat.requester.chat = chat_id{8};
    json::object const own{{"id", "0123456789abcdef"}};

    EXPECT_THAT(run("list_reminders").value(), HasSubstr("call Ann"));
    auto const missing = run("cancel_reminder", {{"id", "none"}});
    for (auto const& stranger : {other_person, other_chat}) {
        EXPECT_THAT(run("list_reminders", {}, stranger).value(), Not(HasSubstr("call Ann")));
        auto const refused = run("cancel_reminder", own, stranger);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, missing.error().code);
        EXPECT_EQ(refused.error().detail, missing.error().detail);
    }
    EXPECT_EQ(reminders_kept(), "1");

    auto const cancelled = run("cancel_reminder", own);
    ASSERT_TRUE(cancelled) << cancelled.error().detail;
    EXPECT_THAT(*cancelled, EndsWith("call Ann"));
    EXPECT_EQ(reminders_kept(), "0");
    EXPECT_THAT(run("list_reminders").value(), HasSubstr("no reminders"));
}

// Another person's row cannot be deleted by the statement, either, whatever the tool had read.
TEST_F(reminders, of_others_are_out_of_reach_of_the_statement) {
    ASSERT_TRUE(run("remind", {{"text", "call Ann"}, {"when", "in 10 minutes"}}));

    for (storage::reminder_owner const& stranger :
         {storage::reminder_owner{user_id{6}, "1:7"}, storage::reminder_owner{user_id{5}, "1:8"}}) {
        auto row = storage::remove_reminder("0123456789abcdef", stranger);
        w.io.run(storage::query(*engine_node_->intake, std::move(row), 5s)).value();
    }

    EXPECT_EQ(reminders_kept(), "1");
}

TEST_F(reminders, are_bounded_by_person) {
    w.execute("insert into postrider.schedule (name, kind, input, at) select 'reminder:' || i, "
              "'reminder', "
              "'{\"user\": 5, \"place\": \"1:9\", \"text\": \"x\"}', '2100-01-01Z' from "
              "generate_series(1, 100) i");

    auto const refused = run("remind", {{"text", "one more"}, {"when", "in 10 minutes"}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().detail, HasSubstr("100 reminders"));

    call_.requester.user = user_id{6};
    EXPECT_TRUE(run("remind", {{"text", "mine"}, {"when", "in 10 minutes"}}));
}

TEST_F(reminders, tell_the_model_what_to_write) {
    auto const late = run("remind", {{"text", "x"}, {"when", "2020-01-01T10:00"}});
    auto const unclear = run("remind", {{"text", "x"}, {"when", "every monday"}});
    auto const nowhere =
        run("remind", {{"text", "x"}, {"when", "tomorrow"}, {"timezone", "Atlantis"}});
    auto const often = run("schedule", {{"text", "x"}, {"when", "* * * * *"}});

    EXPECT_THAT(late.error().detail, HasSubstr("has passed"));
    EXPECT_THAT(unclear.error().detail, HasSubstr("schedule"));
    EXPECT_THAT(nowhere.error().detail, HasSubstr("Europe/Berlin"));
    EXPECT_THAT(often.error().detail, HasSubstr("too often"));
    EXPECT_EQ(reminders_kept(), "0");
}

TEST_F(reminders, are_not_set_where_nobody_asks_or_nobody_is_answered) {
    auto nobody = call_;
    nobody.requester = {};
    auto fork = call_;
    fork.requester.is_silent = true;
    json::object const wanted{{"text", "call Ann"}, {"when", "in 10 minutes"}};

    for (auto const& as : {nobody, fork}) {
        auto const refused = run("remind", wanted, as);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error(), errc::refused);
    }
    EXPECT_EQ(reminders_kept(), "0");
}

TEST_F(reminders, are_read_by_the_zone_that_is_named) {
    call_.requester = {.user = user_id{5}, .conversation = "00000000-0000-4000-8000-000000000001"};

    auto const set =
        run("remind", {{"text", "x"}, {"when", "2100-06-01 09:00"}, {"timezone", "Tokyo"}});
    EXPECT_FALSE(set) << "it is too far away";
    auto const soon =
        run("remind", {{"text", "x"}, {"when", "tomorrow at 9"}, {"timezone", "+02:00"}});

    ASSERT_TRUE(soon) << soon.error().detail;
    EXPECT_THAT(*soon, HasSubstr("T09:00:00+02:00"));
    EXPECT_EQ(
        w.value("select timezone || ' ' || (input ->> 'place') from postrider.schedule"),
        "Etc/GMT-2 chat:00000000-0000-4000-8000-000000000001"
    );
}

} // namespace
} // namespace postrider::tests::reminders_test
