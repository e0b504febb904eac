// Commands and stop words while a turn of the chat runs or waits.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::commands_beside_test {
namespace {

constexpr user_id owner{20};
constexpr user_id member{30};

struct chat_with_jobs : intake_world {
    // "what it is: state what is asked of it", in the order of arrival.
    std::string jobs() const {
        return value("select string_agg(coalesce(input ->> 'command', 'turn') || ': ' || state || "
                     "coalesce(' ' || asked, ''), ', ' order by job_id) from postrider.job");
    }
};

// The first message's turn runs on a node.
struct busy_chat : chat_with_jobs {
    busy_chat() {
        fern.settings.allowlist.owners.insert(owner);
        fern.settings.allowlist.users.insert(member);
        slots.room = 1;
        accept(body(1, alex, "think long")).value();
    }

    // As a turn that sleeps or waits for an event.
    void park() {
        value("with j as (update postrider.job set state = 'waiting', due_at = now() + interval '1 "
              "h', "
              "wait_reason = 'event' where state = 'running' returning lane_id) "
              "update postrider.lane_run r set node_id = null, ready_at = now() + interval '1 h', "
              "wait_reason = 'event' from j where r.lane_id = j.lane_id returning 1");
    }
};

TEST(commands_beside, are_begun_while_a_turn_runs) {
    busy_chat w;
    w.slots.room = 1;

    ASSERT_TRUE(w.accept(w.body(2, alex, "/usage")));

    EXPECT_EQ(w.jobs(), "turn: running, /usage: running");
    ASSERT_EQ(w.slots.started.size(), 2u);
    EXPECT_EQ(w.slots.started[1].second.input.at("command"), "/usage");
    EXPECT_TRUE(w.slots.started[1].second.input.as_object().contains("lane"))
        << "what is started is what was stored";
    EXPECT_EQ(
        w.value("select string_agg(m.content || ' ' || (m.lane_id = l.lane_id) || ' ' || "
                "(m.conversation_id = l.conversation_id) || ' ' || m.sender_id || ' ' || "
                "m.telegram_message_id, ', ' order by job_id) "
                "from postrider.message m, postrider.lane l where l.lane_key = '1:10:0'"),
        "think long true true 10 1000, /usage true true 10 1000"
    ) << "in the chat's history";
    EXPECT_EQ(w.value("select count(*) from postrider.inbox where disposition = 'job'"), "2");
    EXPECT_EQ(w.slots.interrupted, 0) << "the turn goes on";
}

TEST(commands_beside, are_taken_once_however_often_the_update_comes) {
    busy_chat w;
    ASSERT_TRUE(w.accept(w.body(2, alex, "/stop")));
    ASSERT_TRUE(w.accept(w.body(3, alex, "next")));
    EXPECT_FALSE(w.accept(w.body(2, alex, "/stop"))->is_new);

    EXPECT_EQ(w.jobs(), "turn: running cancel, /stop: available, turn: available");
}

TEST(commands_beside, stop_a_turn_that_runs) {
    for (auto const* text : {"/stop", "Stop!", "halt"}) {
        busy_chat w;
        ASSERT_TRUE(w.accept(w.body(2, alex, "behind it")));
        ASSERT_TRUE(w.accept(w.body(3, alex, text)));

        EXPECT_EQ(w.jobs(), "turn: running cancel, turn: available, /stop: available") << text;
        EXPECT_EQ(w.slots.interrupted, 1) << "its node hears of it at once";
        EXPECT_EQ(
            w.value("select actor from postrider.audit where kind = 'job_cancel'"), "user:10"
        );
        EXPECT_EQ(
            w.value("select input ->> 'ended' = (select min(job_id) from postrider.job)::text "
                    "from postrider.job where input ? 'command'"),
            "t"
        );
    }
}

TEST(commands_beside, stop_a_turn_that_waits_and_let_the_next_one_run) {
    busy_chat w;
    w.park();
    ASSERT_TRUE(w.accept(w.body(2, alex, "behind it")));
    ASSERT_TRUE(w.accept(w.body(3, alex, "stop")));

    EXPECT_EQ(w.jobs(), "turn: cancelled, turn: available, /stop: available");
    EXPECT_EQ(
        w.value("select r.ready_at <= now() from postrider.lane_run r join postrider.lane l "
                "using (lane_id) where l.lane_key = '1:10:0'"),
        "t"
    );
    EXPECT_GE(w.slots.told, 2) << "an idle node looks for it";
}

TEST(commands_beside, stop_the_next_turn_where_one_is_being_stopped) {
    busy_chat w;
    ASSERT_TRUE(w.accept(w.body(2, alex, "behind it")));
    ASSERT_TRUE(w.accept(w.body(3, alex, "/stop")));
    ASSERT_TRUE(w.accept(w.body(4, alex, "/stop")));

    EXPECT_EQ(
        w.jobs(), "turn: running cancel, turn: cancelled, /stop: available, /stop: available"
    );
    ASSERT_TRUE(w.accept(w.body(5, alex, "/stop")));
    EXPECT_EQ(
        w.value("select input ->> 'ended' = (select min(job_id) from postrider.job)::text "
                "from postrider.job order by job_id desc limit 1"),
        "t"
    ) << "that one still ends";
}

// What waits there would be answered as one message.
TEST(commands_beside, stop_all_that_a_coalescing_lane_waits_with) {
    chat_with_jobs w;
    w.flows.manner.emplace().mailbox = "coalesce";
    ASSERT_TRUE(w.accept(w.body(1, alex, "book the flight")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "for Monday")));
    ASSERT_TRUE(w.accept(w.body(3, alex, "stop")));

    EXPECT_EQ(w.jobs(), "turn: cancelled, turn: cancelled, /stop: available");
}

TEST(commands_beside, of_a_stop_word_with_nothing_to_stop_are_a_message) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "stop")));

    EXPECT_EQ(
        w.value("select kind || ' ' || (input ? 'command') || ' ' || l.lane_key from postrider.job "
                "join postrider.lane l using (lane_id)"),
        "turn false 1:10:0"
    );
    EXPECT_EQ(w.value("select content from postrider.message"), "stop");

    ASSERT_TRUE(w.accept(w.body(2, alex, "/stop")));
    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "cancelled")
        << "that message is a turn";
    ASSERT_TRUE(w.accept(w.body(3, alex, "/stop")));
    EXPECT_EQ(
        w.value("select input ? 'ended' from postrider.job order by job_id desc limit 1"), "f"
    );
}

TEST(commands_beside, leave_a_question_its_own_button) {
    busy_chat w;
    w.park();
    w.value("insert into postrider.question (question_id, job_id, place, until_at, words) select "
            "'V1StGXR8_Z5jdHi6B-myT', job_id, '1:10', now() + interval '1 h', '{stop}' from "
            "postrider.job returning 1");
    w.value("insert into postrider.effect (job_id, key, kind, class, state, request, result, "
            "settled_at) "
            "select job_id, 'ask', 'telegram', 'at_least_once', 'done', "
            "'{\"buttons\": [[{\"text\": \"Halt\", \"data\": \"V1StGXR8_Z5jdHi6B-myT:0\"}]]}', "
            "'7', now() "
            "from postrider.job returning 1");

    w.value("insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, "
            "result) "
            "select job_id, 90, now(), now(), 1, 'ask-id', 'done', '\"V1StGXR8_Z5jdHi6B-myT\"' "
            "from postrider.job returning 1");

    ASSERT_TRUE(w.accept(w.body(2, alex, "stop")));
    EXPECT_EQ(w.jobs(), "turn: waiting, turn: available") << "the word answers the question";
    w.value("update postrider.question set words = '{later,hor auf}' returning 1");
    ASSERT_TRUE(w.accept(w.body(3, alex, "HÖR auf!")));
    EXPECT_EQ(w.jobs(), "turn: waiting, turn: available, turn: available");

    ASSERT_TRUE(w.accept(w.body(4, alex, "halt")));
    EXPECT_EQ(
        w.jobs(),
        "turn: cancelled, turn: available, turn: available, turn: scheduled, /stop: available"
    ) << "one takes the buttons away";
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
}

TEST(commands_beside, in_a_group_stop_what_the_person_asked_for) {
    intake_world w;
    w.fern.settings.allowlist.owners.insert(owner);
    w.fern.settings.allowlist.users.insert(member);
    ASSERT_TRUE(w.accept(in_group(1, alex, "@fern_bot think")));
    ASSERT_TRUE(w.accept(in_group(2, member, "/stop@fern_bot")));
    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "available");
    EXPECT_EQ(
        w.value("select input ->> 'others' from postrider.job order by job_id desc limit 1"), "true"
    );
    ASSERT_TRUE(w.accept(in_group(3, member, "@fern_bot stop")));
    EXPECT_EQ(
        w.value("select input ? 'command' from postrider.job order by job_id desc limit 1"), "f"
    ) << "it stops nothing, so it is a message";

    ASSERT_TRUE(w.accept(in_group(4, owner, "/stop@fern_bot")));
    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "cancelled")
        << "an owner stops anybody's";
}

TEST(commands_beside, of_a_new_conversation_end_the_turn_and_keep_its_answer_apart) {
    busy_chat w;
    ASSERT_TRUE(w.accept(w.body(2, alex, "behind it")));
    ASSERT_TRUE(w.accept(w.body(3, alex, "/new")));
    ASSERT_TRUE(w.accept(w.body(4, alex, "fresh")));

    EXPECT_EQ(w.jobs(), "turn: running cancel, turn: available, /new: available, turn: available");
    EXPECT_EQ(
        w.value("select string_agg(m.content || ' ' || (m.conversation_id = l.conversation_id), "
                "', ' order by m.job_id) from postrider.message m join postrider.lane l "
                "using (lane_id)"),
        "think long false, behind it false, /new false, fresh true"
    );
    EXPECT_EQ(
        w.value("select bool_and(j.conversation_id = m.conversation_id) from postrider.job j join "
                "postrider.message m using (job_id) where not j.input ? 'command'"),
        "t"
    ) << "what the turns say stands where they began";
}

TEST(commands_beside, touch_no_turn_of_another_chat_in_the_flows_lane) {
    intake_world w;
    w.flows.lane_key = "one for all";
    w.fern.settings.allowlist.users.insert(member);
    w.fern.settings.allowlist.owners.insert(alex);
    ASSERT_TRUE(w.accept(w.body(1, member, "mine")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "/stop")));

    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "available");
}

TEST(commands_beside, leave_a_turn_alone_that_an_operator_holds) {
    busy_chat w;
    w.park();
    w.value("select postrider.job_pause(job_id) from postrider.job");
    ASSERT_TRUE(w.accept(w.body(2, alex, "/stop")));

    EXPECT_EQ(w.jobs(), "turn: paused, /stop: available");
}

TEST(commands_beside, leave_a_turn_alone_that_is_to_be_paused) {
    busy_chat w;
    w.value("select postrider.job_pause(job_id) from postrider.job");
    ASSERT_TRUE(w.accept(w.body(2, alex, "/stop")));

    EXPECT_EQ(w.jobs(), "turn: running pause, /stop: available");
}

TEST(commands_beside, stop_a_turn_of_the_group_that_became_a_supergroup) {
    intake_world w;
    w.fern.settings.allowlist.owners.insert(owner);
    ASSERT_TRUE(w.accept(in_group(1, alex, "@fern_bot think")));
    w.value("update postrider.job set input = jsonb_set(input, '{chat}', '-7') returning 1");
    w.value("insert into postrider.chat (bot_id, chat_id, migrated_to) select "
            "(input ->> 'bot')::bigint, -7, -100 from postrider.job returning 1");
    ASSERT_TRUE(w.accept(in_group(2, owner, "/stop@fern_bot")));

    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "cancelled");
}

} // namespace
} // namespace postrider::telegram::commands_beside_test
