#include "base/json/jsonb_form.hpp"
#include "base/json/text.hpp"
#include "storage/stores/lanes.hpp"
#include "tests/integration/agent/messages_world.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::messages_test {
namespace {

using storage::message_row;
using storage::write;
using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

// covers: S3.22
TEST_F(messages, of_a_conversation_are_deleted_up_to_a_job) {
    auto elsewhere = row(21, 0, "user", "elsewhere");
    elsewhere.lane = lane_id{2};
    auto of_another = row(22, 0, "user", "of another");
    of_another.conversation = conversation_id{12};
    add(row(20, 0, "user", "before"));
    add(elsewhere);
    add(of_another);
    add(row(23, 0, "user", "forget it"));
    add(row(24, 0, "user", "behind"));

    commit({storage::clear_conversation(lane_id{1}, conversation_id{10}, job_id{23})});

    EXPECT_EQ(
        database_.value("select string_agg(content, ', ' order by job_id) from postrider.message"),
        "elsewhere, of another, forget it, behind"
    );
}

TEST_F(messages, that_people_wrote_are_read_whatever_their_conversation) {
    auto elsewhere = row(21, 0, "user", "elsewhere");
    elsewhere.lane = lane_id{2};
    auto earlier = row(20, 0, "user", "earlier");
    earlier.conversation = conversation_id{9};
    add(row(19, 0, "user", "too early"));
    add(earlier);
    add(row(20, 2, "assistant", "an answer"));
    add(elsewhere);
    add(row(22, 0, "user", "/new"));
    add(row(23, 0, "user", "behind"));

    auto const rows = io_.run(storage::read_heard(*reads_, lane_id{1}, job_id{22}, 2, 5s)).value();

    std::vector<std::string> contents;
    for (auto const& message : rows) contents.push_back(message.content);
    EXPECT_THAT(contents, ElementsAre("earlier", "/new"));
}

TEST_F(messages, keep_a_providers_state_byte_for_byte) {
    auto thinking = row(20, 1, "assistant", "hm");
    boost::json::value detail = boost::json::parse(
        R"({"state":{"model":"m","blocks":[{"thinking":"Größe \"5\"","signature":"c2ln"},2.5]}})"
    );
    base::to_jsonb_form(detail);
    thinking.detail = detail;
    add(thinking);

    auto const rows =
        io_.run(storage::read_history(*reads_, lane_id{1}, conversation_id{10}, job_id{30}, 10, 5s))
            .value()
            .messages;

    EXPECT_EQ(base::json_text(rows.at(0).detail), base::json_text(detail));
}

TEST_F(messages, come_back_as_they_were_written) {
    auto written = row(20, std::int64_t{1} << 61, "assistant", "Größe 'x' \\ \"y\" \t🙂");
    written.detail = boost::json::object{{"calls", boost::json::array{1, nullptr}}};
    written.telegram_message = telegram_message_id{77};
    written.delivery = "pending";
    add(written);

    auto rows =
        io_.run(storage::read_history(*reads_, lane_id{1}, conversation_id{10}, job_id{20}, 20, 5s))
            .value()
            .messages;

    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].job, written.job);
    EXPECT_EQ(rows[0].position, written.position);
    EXPECT_EQ(rows[0].role, "assistant");
    EXPECT_EQ(rows[0].content, written.content);
    EXPECT_EQ(rows[0].detail, written.detail);
    EXPECT_EQ(
        database_.value(
            "select id || ' ' || telegram_message_id || ' ' || delivery from postrider.message"
        ),
        written.id + " 77 pending"
    );
}

TEST_F(messages, that_are_written_twice_stand_once) {
    auto written = row(20, 0, "user", "hi");

    add(written);
    add(written);

    EXPECT_EQ(database_.value("select count(*) from postrider.message"), "1");
}

// covers: S0.10
TEST_F(messages, can_be_read_in_sql) {
    add(row(20, 0, "user", "hi"));
    add(row(20, 1, "assistant", "hello"));
    add(row(20, 2, "tool", "42"));

    EXPECT_EQ(
        database_.value(
            "select string_agg(id || ' ' || chat_id || ' ' || role || ' ' || content, ', ' order "
            "by id) from postrider.messages where created_at <= postrider.now()"
        ),
        "20-0 7 user hi, 20-1 7 assistant hello"
    );
}

TEST_F(messages, that_start_no_turn_leave_a_lane_as_it_is) {
    storage::lane_row lane{.key = "a", .manner = {.mailbox = "interrupt"}};
    auto const mailboxes = [this] {
        return database_.value("select string_agg(lane_key || ' ' || mailbox, ', ' order by "
                               "lane_key) from postrider.lane");
    };

    auto const found = commit({storage::find_or_add_lane(lane)});
    EXPECT_EQ(storage::read_lane(found.at(0).at(0)), lane_id{1});
    EXPECT_EQ(mailboxes(), "a queue, b queue");

    lane.key = "c";
    database_.execute("alter table postrider.lane alter lane_id restart with 3");
    commit({storage::find_or_add_lane(lane)});
    EXPECT_EQ(mailboxes(), "a queue, b queue, c interrupt");

    lane.key = "a";
    commit({storage::ensure_lane(lane)});
    EXPECT_EQ(mailboxes(), "a interrupt, b queue, c interrupt");
}

// covers: S0.11
TEST_F(messages, history_is_the_newest_of_closed_turns_and_all_of_the_own) {
    add(row(20, 0, "user", "a"));
    add(row(21, 0, "user", "c")); // written before the answer to a: order is by turn
    add(row(20, 1, "assistant", "b"));
    add(row(21, 1, "assistant", "d"));
    add(row(30, 0, "user", "e"));
    add(row(30, 1, "assistant", "f"));
    add(row(40, 0, "user", "waiting"));

    EXPECT_THAT(history(30, 20), ElementsAre("a", "b", "c", "d", "e", "f"));
    EXPECT_THAT(history(30, 3), ElementsAre("b", "c", "d", "e", "f"));
    EXPECT_THAT(history(30, 0), ElementsAre("e", "f"));
    EXPECT_THAT(history(19, 20), IsEmpty());
}

// covers: S0.11
TEST_F(messages, history_counts_no_calls_and_brings_them_with_what_was_said) {
    for (int job = 20; job < 23; ++job) {
        auto const turn = std::to_string(job);
        add(row(job, 0, "user", "q" + turn));
        for (int round = 1; round <= 4; ++round) {
            auto call = row(job, 2 * round, "assistant", "call");
            call.detail = boost::json::object{{"calls", boost::json::array{1}}};
            add(call);
            add(row(job, 2 * round + 1, "tool", "result"));
        }
        add(row(job, 20, "assistant", "a" + turn));
    }

    auto const three = history(30, 3);
    ASSERT_EQ(three.size(), 11u);
    EXPECT_EQ(three.front(), "a21");
    EXPECT_EQ(three.back(), "a22");
    EXPECT_EQ(history(30, 20).size(), 30u);
    EXPECT_EQ(history(30, 1).size(), 1u);
}

TEST_F(messages, history_ends_where_the_conversation_began) {
    add(row(20, 0, "user", "long ago"));
    auto fresh = row(30, 0, "user", "new topic");
    fresh.conversation = conversation_id{25};
    add(fresh);

    EXPECT_THAT(history(31, 20, 25), ElementsAre("new topic"));
    EXPECT_THAT(history(31, 20, 10), ElementsAre("long ago"));
}

TEST_F(messages, delivery_is_stored_with_the_chats_id) {
    add(row(20, 1, "assistant", "hello"));
    add(row(21, 1, "assistant", "other"));

    commit(
        {storage::set_delivery(lane_id{1}, job_id{20}, 1, "sent", telegram_message_id{900}),
         storage::set_delivery(lane_id{1}, job_id{21}, 1, "failed", std::nullopt)}
    );

    EXPECT_EQ(
        database_.value("select string_agg(delivery || coalesce(telegram_message_id::text, '-'), "
                        "',' order by job_id) from postrider.message"),
        "sent900,failed-"
    );
}

TEST_F(messages, an_edit_replaces_the_text_of_an_unanswered_question) {
    live_turn(20);

    EXPECT_EQ(edit("new text"), "replaced");

    EXPECT_EQ(content(20), "new text");
    EXPECT_EQ(edits(), "1");
}

TEST_F(messages, an_edit_replaces_the_text_of_a_message_that_no_turn_answers) {
    auto said = row(0, 0, "user", "pizza?");
    said.telegram_message = telegram_message_id{50};
    said.chat = chat_id{7};
    commit({storage::add_unanswered_message(said)});
    said.chat = chat_id{8};
    said.content = "of another chat";
    commit({storage::add_unanswered_message(said)});

    EXPECT_EQ(edit("sushi?"), "replaced");
    EXPECT_EQ(edit("nothing", 51), "none");

    EXPECT_EQ(
        database_.value("select string_agg(content, ', ' order by job_id) from postrider.message"),
        "sushi?, of another chat"
    );
    database_.execute("update postrider.message set created_at = created_at - interval '3 days'");
    EXPECT_EQ(edit("too late"), "none");
}

TEST_F(messages, that_were_answered_get_the_new_text_and_keep_what_they_said) {
    live_turn(20);
    database_.execute("update postrider.message set chat_id = 7;"
                      "update postrider.job set state = 'completed', finished_at = postrider.now();"
                      "select postrider.idle_lanes(array[1])");

    EXPECT_EQ(edit("new text"), "kept") << "no turn answers it again";
    EXPECT_EQ(edit("new text"), "kept");
    EXPECT_EQ(edit("newer text"), "kept");

    EXPECT_EQ(content(20), "newer text");
    EXPECT_EQ(
        database_.value("select jsonb_path_query_array(earlier, '$[*].content')::text "
                        "from postrider.messages"),
        R"(["old text", "new text"])"
    );
    EXPECT_THAT(history(30, 20), ElementsAre("newer text")) << "which later turns read";
}

// A person may edit for two days.
TEST_F(messages, that_are_edited_again_and_again_keep_the_first_text_and_the_newest) {
    live_turn(20);
    database_.execute("update postrider.message set chat_id = 7;"
                      "update postrider.job set state = 'completed', finished_at = postrider.now();"
                      "select postrider.idle_lanes(array[1])");

    for (int i = 1; i <= 25; ++i) edit(std::to_string(i));

    EXPECT_EQ(
        database_.value("select concat_ws(' ', jsonb_array_length(earlier), earlier #>> "
                        "'{0,content}', earlier #>> '{1,content}', earlier #>> '{-1,content}') "
                        "from postrider.messages"),
        "20 old text 6 24"
    );
}

// A paused turn has left its lane's live ones, and answers when it is resumed.
TEST_F(messages, of_a_paused_turn_are_edited) {
    live_turn(20);
    database_.execute("update postrider.message set chat_id = 7;"
                      "update postrider.job set state = 'paused', paused_at = postrider.now();"
                      "select postrider.idle_lanes(array[1])");

    EXPECT_EQ(edit("new text"), "replaced");

    EXPECT_EQ(content(20), "new text");
}

TEST_F(messages, that_a_paused_turn_has_answered_change_for_later_turns) {
    live_turn(20);
    database_.execute(
        "update postrider.message set chat_id = 7;"
        "update postrider.job set state = 'paused', paused_at = postrider.now();"
        "select postrider.idle_lanes(array[1]);"
        "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome) "
        "values (20, 1, postrider.now(), postrider.now(), 1, 'model', 'done')"
    );

    EXPECT_EQ(edit("new text"), "kept");

    EXPECT_EQ(content(20), "new text");
    EXPECT_THAT(history(20, 20), ElementsAre("old text"))
        << "the turn goes on with what it began with";
}

TEST_F(messages, an_edit_without_a_change_is_not_counted) {
    live_turn(20);

    EXPECT_EQ(edit("old text"), "replaced");

    EXPECT_EQ(edits(), "0");
}

TEST_F(messages, an_edit_after_the_models_answer_changes_nothing_for_its_turn) {
    live_turn(20);
    database_.execute(
        "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome) "
        "values (20, 1, postrider.now(), postrider.now(), 1, 'model', 'done')"
    );

    EXPECT_EQ(edit("new text"), "kept");

    EXPECT_EQ(content(20), "new text");
    EXPECT_THAT(history(20, 20), ElementsAre("old text"));
    EXPECT_THAT(history(30, 20), ElementsAre("new text"));
    EXPECT_EQ(edits(), "0");
}

TEST_F(messages, a_failed_try_of_the_model_leaves_the_question_open) {
    live_turn(20);
    database_.execute(
        "insert into postrider.step (job_id, seq, started_at, ended_at, next_at, node_id, key, "
        "outcome, error_class) values (20, 1, postrider.now(), postrider.now(), postrider.now(), "
        "1, 'model', 'retry', 'timeout')"
    );

    EXPECT_EQ(edit("new text"), "replaced");
}

// The effect waits to be tried again: it was promised with the older words.
TEST_F(messages, an_edit_of_what_is_being_answered_changes_nothing_for_its_turn) {
    live_turn(20);
    database_.execute("update postrider.message set chat_id = 7;"
                      "insert into postrider.effect (job_id, key, kind, class, state) "
                      "values (20, 'send', 'telegram.send', 'at_least_once', 'planned')");

    EXPECT_EQ(edit("new text"), "kept");
    database_.execute("update postrider.job set state = 'paused', paused_at = postrider.now();"
                      "select postrider.idle_lanes(array[1])");
    EXPECT_EQ(edit("new text"), "kept") << "nor when the turn is paused";

    EXPECT_THAT(history(20, 20), ElementsAre("old text"));
}

TEST_F(messages, an_edit_of_what_is_not_waited_for_finds_nothing) {
    EXPECT_EQ(edit("new text"), "none"); // no lane has work
    live_turn(20);
    EXPECT_EQ(edit("new text", 51), "none");
    EXPECT_EQ(edit("new text", 50, 8), "none") << "another chat's, though of this lane";
    EXPECT_EQ(content(20), "old text");
}

TEST_F(messages, of_two_edits_in_one_commit_the_later_stands) {
    live_turn(20);

    commit(
        {storage::lock_edited_lanes("a", chat_id{7}, telegram_message_id{50}),
         storage::edit_message("a", bot_id{1}, chat_id{7}, telegram_message_id{50}, "second"),
         storage::edit_message("a", bot_id{1}, chat_id{7}, telegram_message_id{50}, "third")}
    );

    EXPECT_EQ(edits(), "1");
    EXPECT_EQ(content(20), "third");
}

} // namespace
} // namespace postrider::tests::messages_test
