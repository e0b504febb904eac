// What an accepted update leaves in the database: everything it means, once, in one commit.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::telegram::intake_test {
namespace {

// covers: E.02 S0.02
TEST(intake, a_message_becomes_inbox_row_job_and_message_together) {
    intake_world w;

    auto const stored = w.accept(w.body(1, alex, "hello"));

    ASSERT_TRUE(stored);
    EXPECT_TRUE(stored->is_new);
    EXPECT_EQ(
        w.value("select disposition from postrider.inbox where bot_id = 1 and update_id = 1"), "job"
    );
    EXPECT_EQ(
        w.value("select j.kind || ' ' || j.state || ' ' || l.lane_key || ' ' || m.content || ' ' "
                "|| m.role || ' ' || "
                "m.telegram_message_id from postrider.job j join postrider.lane l using (lane_id) "
                "join postrider.message m using (job_id) where m.position = 0"),
        "turn available 1:10:0 hello user 1000"
    );
    EXPECT_EQ(w.value("select length(id) from postrider.message"), "21");
    EXPECT_EQ(
        w.value("select origin || ' ' || sender_id || ' ' || (author ->> 'first_name') "
                "from postrider.message"),
        "person 10 Al"
    );
    // xmin names the transaction that wrote a row.
    EXPECT_EQ(
        w.value("select count(distinct x) from (select xmin::text x from postrider.inbox union all "
                "select xmin::text from postrider.job union all select xmin::text from "
                "postrider.message union all "
                "select xmin::text from postrider.lane_run) t"),
        "1"
    );
}

// covers: E.03
TEST(intake, a_redelivery_changes_nothing) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));

    auto const again = w.accept(w.body(1, alex, "hello"));

    ASSERT_TRUE(again);
    EXPECT_FALSE(again->is_new);
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.message"), "1");
}

// covers: E.03
TEST(intake, the_same_update_many_times_at_once_is_one) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "first"))
    ); // the lane is known now: the rest share commits
    std::vector<std::string> bodies;
    for (int n = 0; n < 60; ++n) bodies.push_back(w.body(2 + n % 3, alex, "hello"));

    auto const outcomes = w.accept_all(bodies);

    auto const fresh =
        std::ranges::count_if(outcomes, [](auto const& o) { return o && o->is_new; });
    EXPECT_EQ(fresh, 3);
    EXPECT_TRUE(std::ranges::all_of(outcomes, [](auto const& o) { return o.has_value(); }));
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "4");
    EXPECT_EQ(w.value("select count(*) from postrider.inbox"), "4");
}

TEST(intake, the_same_update_of_another_bot_is_another) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    w.fern.settings.id = bot_id{2};

    EXPECT_TRUE(w.accept(w.body(1, alex, "hello"))->is_new);
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "2");
}

// covers: E.02
TEST(intake, a_new_chat_costs_no_commit_of_its_own) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    EXPECT_EQ(w.writes->counts().commits, 1u);
    EXPECT_EQ(
        w.value("select l.xmin::text = j.xmin::text from postrider.lane l join postrider.job j "
                "using (lane_id)"),
        "t"
    );
}

TEST(intake, many_new_lanes_at_once) {
    intake_world w;
    std::vector<std::string> bodies;
    for (int n = 0; n < 40; ++n) {
        w.fern.settings.allowlist.users.insert(user_id{1000 + n % 10});
        bodies.push_back(w.body(n, user_id{1000 + n % 10}, "hello"));
    }

    for (auto const& outcome : w.accept_all(bodies)) EXPECT_TRUE(outcome);

    EXPECT_EQ(w.value("select count(*) from postrider.lane"), "10");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "40");
}

TEST(intake, a_lane_that_was_deleted_is_made_again) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    w.database.execute("delete from postrider.lane");

    auto const outcomes = w.accept_all({w.body(2, alex, "again"), w.body(3, stranger_id, "x")});

    EXPECT_TRUE(outcomes[0] && outcomes[0]->is_new);
    EXPECT_TRUE(outcomes[1]);
    EXPECT_EQ(
        w.value("select m.content from postrider.message m join postrider.lane using (lane_id)"),
        "again"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.inbox"), "3");
}

// covers: E.04 S0.01
TEST(intake, a_stranger_is_counted_and_not_quoted) {
    intake_world w;
    for (int n = 1; n <= 3; ++n) {
        auto const stored = w.accept(w.body(n, stranger_id, "let me in"));
        ASSERT_TRUE(stored);
        EXPECT_EQ(stored->disposition, "ignored");
    }
    ASSERT_TRUE(w.accept(w.body(3, stranger_id, "let me in"))); // a redelivery is not counted

    EXPECT_EQ(
        w.value("select string_agg(disposition || ' ' || reason, ',') from postrider.inbox"),
        "ignored allowlist,ignored allowlist,ignored allowlist"
    );
    EXPECT_EQ(
        w.value("select user_id || ' ' || chat_id || ' ' || refused || ' ' || name from "
                "postrider.stranger"),
        "666 666 3 Al"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.message"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.lane"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.inbox where raw is not null"), "0");
}

TEST(intake, an_edit_replaces_the_text_of_an_unanswered_message) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "tpyo")));

    auto const stored = w.accept(w.body(2, alex, "typo", "edited_message"));

    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->disposition, "event");
    EXPECT_EQ(w.value("select content from postrider.message"), "typo");
    EXPECT_EQ(w.value("select edits from postrider.busy_lane"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
}

TEST(intake, chats_that_share_a_flows_lane_edit_their_own_messages) {
    intake_world w;
    w.fern.settings.allowlist.users.insert(user_id{12});
    w.flows.lane_key = "flow:support:all";
    ASSERT_TRUE(w.accept(w.body(1, alex, "mine")));
    ASSERT_TRUE(w.accept(w.body(2, user_id{12}, "hers, of the same number in her chat")));
    EXPECT_EQ(w.value("select count(*) || ' ' || count(chat_id) from postrider.lane"), "1 0");

    ASSERT_TRUE(w.accept(w.body(3, user_id{12}, "hers, edited", "edited_message")));

    EXPECT_EQ(
        w.value("select string_agg(content, ' | ' order by job_id) from postrider.message"),
        "mine | hers, edited"
    );
}

// covers: S0.10
TEST(intake, a_message_knows_where_it_was_said_by_whom_and_when) {
    intake_world w;
    w.flows.lane_key = "flow:support:all"; // the lane is not the chat's
    ASSERT_TRUE(w.accept(
        R"({"update_id":1,"message":{"message_id":7,"message_thread_id":17,"is_topic_message":true,
        "from":{"id":11,"first_name":"Ivana","last_name":"K"},"chat":{"id":-100,"type":"supergroup"},
        "date":1795228800,"reply_to_message":{"message_id":5,"from":{"id":99},"chat":{"id":-100}},
        "text":"how often?"}})"
    ));

    EXPECT_EQ(
        w.value("select concat_ws(' ', chat_id, thread_id, sender_id, sender_name, "
                "telegram_message_id, reply_to, extract(epoch from sent_at)::bigint, content) "
                "from postrider.messages"),
        "-100 17 11 Ivana K 7 5 1795228800 how often?"
    );
}

TEST(intake, what_is_said_to_others_is_ignored_unless_a_flow_asks_for_it) {
    intake_world w;
    auto said = [](int update, std::string text) {
        return R"({"update_id":)" + std::to_string(update) + R"(,"message":{"message_id":)" +
               std::to_string(update) +
               R"(,"from":{"id":11,"first_name":"Ivana"},)"
               R"("chat":{"id":-100,"type":"supergroup"},"date":1795228800,"text":")" +
               text + "\"}}";
    };
    ASSERT_TRUE(w.accept(said(1, "lunch?")));
    EXPECT_EQ(
        w.value("select disposition || ' ' || reason from postrider.inbox"), "ignored not_addressed"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.message"), "0");

    w.flows.stores_the_rest = true;
    auto const stored = w.accept(said(2, "pizza?"));
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->disposition, "event");
    EXPECT_FALSE(w.accept(said(2, "pizza?"))->is_new);
    ASSERT_TRUE(w.accept(said(3, "@fern_bot where?")));
    ASSERT_TRUE(w.accept(said(4, "or sushi")));

    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1") << "for what was said to the bot";
    EXPECT_EQ(
        w.value("select string_agg(sender_name || ': ' || content, ', ' order by job_id) "
                "from postrider.messages where chat_id = -100"),
        "Ivana: pizza?, Ivana: @fern_bot where?, Ivana: or sushi"
    );
    EXPECT_EQ(w.value("select count(distinct conversation_id) from postrider.message"), "1");
    EXPECT_EQ(w.value("select count(distinct lane_id) from postrider.message"), "1");
}

TEST(intake, the_next_turns_history_has_what_was_said_to_others) {
    intake_world w;
    w.flows.stores_the_rest = true;
    ASSERT_TRUE(w.accept(
        R"({"update_id":1,"message":{"message_id":1,"from":{"id":11,"first_name":"Ivana"},
        "chat":{"id":-100,"type":"supergroup"},"text":"pizza?"}})"
    ));
    ASSERT_TRUE(w.accept(
        R"({"update_id":2,"message":{"message_id":2,"from":{"id":11,"first_name":"Ivana"},
        "chat":{"id":-100,"type":"supergroup"},"text":"@fern_bot where?"}})"
    ));
    auto number = [&](std::string column) {
        return std::stoll(w.value("select " + column + " from postrider.job"));
    };
    storage::batcher_options reading;
    reading.read_only = true;
    auto const reads = storage::make_batcher(w.loop.executor(), w.database.options(), reading);

    auto const history = w.loop.run(storage::read_history(
        *reads,
        lane_id{number("lane_id")},
        conversation_id{number("conversation_id")},
        job_id{number("job_id")},
        20,
        5s
    ));
    reads->close();

    ASSERT_TRUE(history);
    ASSERT_EQ(history->messages.size(), 2u);
    EXPECT_EQ(history->messages[0].content, "pizza?");
    EXPECT_EQ(history->messages[1].content, "@fern_bot where?");
}

TEST(intake, a_message_unblocks_its_chat) {
    intake_world w;
    w.database.execute("insert into postrider.chat (bot_id, chat_id, blocked_at) values (1, 10, "
                       "now()), (1, 11, now())");
    ASSERT_TRUE(w.accept(w.body(1, alex, "I am back")));
    EXPECT_EQ(
        w.value(
            "select string_agg(chat_id::text, ',') from postrider.chat where blocked_at is not null"
        ),
        "11"
    );
}

TEST(intake, a_migration_moves_the_lane_and_the_permission) {
    intake_world w;
    ASSERT_TRUE(w.accept(
        R"({"update_id":1,"message":{"message_id":5,"from":{"id":11},"chat":{"id":-100,"type":"group"},"text":"@fern_bot hi"}})"
    ));

    ASSERT_TRUE(w.accept(
        R"({"update_id":2,"message":{"message_id":6,"from":{"id":11},"chat":{"id":-100,"type":"group"},
        "migrate_to_chat_id":-100500}})"
    ));

    EXPECT_EQ(
        w.value("select lane_key || ' ' || chat_id from postrider.lane"), "1:-100500:0 -100500"
    );
    EXPECT_EQ(w.value("select migrated_to from postrider.chat where chat_id = -100"), "-100500");
    auto const next = w.accept(
        R"({"update_id":3,"message":{"message_id":1,"from":{"id":11},"chat":{"id":-100500,"type":"supergroup"},"text":"@fern_bot hi"}})"
    );
    EXPECT_EQ(next->disposition, "job");
    EXPECT_EQ(w.value("select count(*) from postrider.lane"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "2");
}

TEST(intake, a_reserved_slot_leases_the_lane_and_starts_the_job) {
    intake_world w;
    w.slots.room = 2;

    ASSERT_TRUE(w.accept(w.body(1, alex, "one")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "two"))); // the lane is taken: its slot comes back
    ASSERT_TRUE(w.accept(w.body(2, alex, "two"))); // seen before
    ASSERT_TRUE(w.accept(w.body(3, stranger_id, "x")));

    ASSERT_EQ(w.slots.started.size(), 1u);
    auto const& [entry, job] = w.slots.started[0];
    EXPECT_EQ(base::to_string(entry.id), w.value("select min(job_id) from postrider.job"));
    EXPECT_EQ(job.run_no, 1);
    auto const input = agent::flow::execution_input_from(job.input).value();
    EXPECT_EQ(input.heard->from.chat, chat_id{10});
    EXPECT_EQ(input.flow, "assistant");
    EXPECT_EQ(input.version, 3) << "pinned when the job is made";
    EXPECT_EQ(w.value("select node_id from postrider.busy_lane"), "77");
    EXPECT_EQ(
        w.value("select string_agg(state, ',' order by job_id) from postrider.job"),
        "running,available"
    );
    EXPECT_EQ(w.slots.room, 1);
}

TEST(intake, without_a_slot_the_job_waits_for_any_node) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "one")));
    EXPECT_TRUE(w.slots.started.empty());
    EXPECT_EQ(w.value("select node_id is null from postrider.busy_lane"), "t");
    EXPECT_EQ(w.slots.told, 1);
    ASSERT_TRUE(w.accept(w.body(2, alex, "two")));
    EXPECT_EQ(w.slots.told, 1) << "its lane waits already";
}

// covers: E.10
TEST(intake, gives_its_lanes_the_bots_manner_and_tells_of_an_interruption) {
    intake_world w;
    w.fern.settings.manner = {"interrupt", {}};
    w.slots.room = 1;
    ASSERT_TRUE(w.accept(w.body(1, alex, "one")));
    EXPECT_EQ(w.value("select mailbox from postrider.lane"), "interrupt");
    EXPECT_EQ(w.slots.interrupted, 0);
    ASSERT_TRUE(w.accept(w.body(2, alex, "no, two")));
    EXPECT_EQ(w.slots.interrupted, 1);
    EXPECT_EQ(w.value("select asked from postrider.busy_lane"), "interrupt");
}

TEST(intake, tells_a_known_lane_of_its_flows_new_manner) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "one")));
    EXPECT_EQ(w.value("select mailbox from postrider.lane"), "queue");

    w.flows.manner = storage::lane_manner{"coalesce", std::chrono::seconds{2}};
    ASSERT_TRUE(w.accept(w.body(2, alex, "two")));

    EXPECT_EQ(w.value("select mailbox || ' ' || debounce_ms from postrider.lane"), "coalesce 2000");
}

// A listed chat alone lets its people talk, and no command of theirs starts a flow: docs/security.md.
TEST(intake, asks_no_flow_for_the_command_of_another_bot) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "/report@other_bot")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "/report@fern_bot now")));
    EXPECT_THAT(w.flows.commands, testing::ElementsAre("", "/report"));
}

TEST(intake, records_a_message_that_no_flow_takes) {
    intake_world w;
    w.flows.none = true;
    auto const stored = w.accept(w.body(1, alex, "one"));
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->disposition, "ignored");
    EXPECT_EQ(
        w.value("select disposition || ' ' || reason from postrider.inbox"), "ignored no_flow"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
}

} // namespace
} // namespace postrider::telegram::intake_test
