#include "server/api/conversation_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::conversation_events_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

storage::changed_message said(std::int64_t job, std::int64_t position, std::string content) {
    storage::changed_message changed;
    changed.message.at = {job, position};
    changed.message.id = std::to_string(job) + "-" + std::to_string(position);
    changed.message.role = "assistant";
    changed.message.content = std::move(content);
    return changed;
}

storage::ended_turn ended(std::int64_t job, std::string state = "completed") {
    storage::ended_turn end;
    end.job = job_id{job};
    end.state = std::move(state);
    end.reply = "42";
    end.finished_at = "now";
    return end;
}

storage::conversation_changes at(std::string until) {
    storage::conversation_changes changes;
    changes.exists = true;
    changes.until = std::move(until);
    return changes;
}

agent::flow::event words(std::string node, std::string text) {
    return {0, "model_chunk", {{"node", node}, {"detail", {{"text", text}}}}};
}

agent::flow::event call() {
    return {0, "model_called", {{"node", "agent"}, {"detail", {{"model", "one"}}}}};
}

class conversation_events_test : public testing::Test {
protected:
    conversation_events_test() {
        auto first = at("9:9:");
        first.turn = storage::running_turn{job_id{7}, "running", "f", 1};
        events.add(first, {}, {});
        (void)events.take();
    }
    storage::conversation_changes now(std::string until) {
        auto changes = at(std::move(until));
        changes.turn = events.turn();
        return changes;
    }
    std::vector<std::string> types() {
        std::vector<std::string> all;
        for (auto const& event : events.take()) all.push_back(event.type);
        return all;
    }

    conversation_events events{std::nullopt};
    std::set<std::string> const speakers{"agent"};
};

TEST(conversation_position, is_read_as_it_is_written) {
    for (auto const* text : {"9:9:", "9:12:10,11", "9:9:/10:14:11/7/2"}) {
        auto const read = conversation_position_from(text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(to_text(*read), text);
    }
}

TEST(conversation_position, is_nothing_else) {
    for (auto const* text :
         {"",
          "7",
          "9:8:",
          "9:12:9,9",
          "9:12:12",
          "9:12:10,",
          "0:1:",
          "9:9:/",
          "9:9:/9:9:/1",
          "9:9:/9:9:/1/2/3",
          "9:9:/x/1/2",
          "9:9:/9:9:/-1/2",
          "9:9:;drop",
          "99999999999999999999:1:"})
        EXPECT_FALSE(conversation_position_from(text)) << text;
}

TEST_F(conversation_events_test, begin_with_where_the_watch_begins) {
    conversation_events fresh{std::nullopt};
    EXPECT_EQ(fresh.query(lane_id{1}).since, "");

    fresh.add(at("5:5:"), {}, {});
    auto const first = fresh.take();

    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].type, "watching");
    EXPECT_EQ(first[0].id, "5:5:");
    EXPECT_EQ(fresh.query(lane_id{1}).since, "5:5:");
}

TEST_F(conversation_events_test, take_back_the_words_that_were_thoughts) {
    events.add(
        now("12:12:"), {call(), words("agent", "Let me see."), words("agent", "")}, speakers
    );
    events.add(now("13:13:"), {words("other", ""), words("agent", "Four.")}, speakers);

    EXPECT_THAT(types(), ElementsAre("step", "words", "step", "words"));
}

// Whoever comes again with any of these ids misses nothing and gets nothing twice.
TEST_F(conversation_events_test, have_ids_that_tell_how_much_of_a_look_was_told) {
    auto changes = now("12:12:");
    changes.messages = {said(7, 1, "a"), said(7, 2, "b"), said(9, 0, "c")};
    changes.ends = {ended(7)};
    events.add(changes, {}, speakers);

    auto const told = events.take();

    ASSERT_EQ(told.size(), 4u);
    EXPECT_EQ(told[0].id, "9:9:/12:12:/7/1");
    EXPECT_EQ(told[1].id, "9:9:/12:12:/7/2");
    EXPECT_EQ(told[2].type, "done") << "behind the turn's own messages, before those of the next";
    EXPECT_EQ(told[2].id, "9:9:/12:12:/7/9223372036854775807");
    EXPECT_EQ(told[3].id, "12:12:");

    conversation_events again{conversation_position_from(told[2].id)};
    auto const query = again.query(lane_id{1});
    EXPECT_EQ(query.since, "9:9:");
    EXPECT_EQ(query.until, "12:12:");
    EXPECT_EQ(query.after.position, storage::end_of_turn);
}

TEST_F(conversation_events_test, tell_a_message_again_only_when_it_changed) {
    auto changes = now("12:12:");
    changes.messages = {said(7, 1, "a")};
    events.add(changes, {}, speakers);
    (void)events.take();

    changes.until = "13:13:";
    events.add(changes, {}, speakers);
    auto const same = events.take();
    changes.until = "14:14:";
    changes.messages = {said(7, 1, "b")};
    events.add(changes, {}, speakers);

    ASSERT_EQ(same.size(), 1u);
    EXPECT_EQ(net::to_text(same[0]), "id: 13:13:\n\n") << "the client need not ask for it again";
    EXPECT_THAT(types(), ElementsAre("message"));
}

TEST_F(conversation_events_test, tell_words_before_the_commit_that_ends_them) {
    auto changes = now("12:12:");
    changes.messages = {said(7, 1, "a")};
    events.add(changes, {words("agent", "a"), call(), words("agent", "b")}, speakers);

    EXPECT_THAT(types(), ElementsAre("words", "message", "step", "words"));
}

// A model that is quick, or a look that is late: the call is heard of with the commit that ends it.
TEST_F(conversation_events_test, tell_the_words_of_a_message_before_it_where_both_come_at_once) {
    events.hear({call(), words("agent", "On")}, speakers);
    auto changes = now("12:12:");
    changes.messages = {said(7, 1, "One.")};
    std::vector<agent::flow::event> const heard{
        words("inspector", "fine"), words("agent", "e."), call(), words("agent", "Two")};
    events.add(changes, heard, speakers);

    EXPECT_THAT(types(), ElementsAre("step", "words", "words", "message", "step", "words"));
}

TEST_F(conversation_events_test, keep_words_that_nobody_is_to_see) {
    events.hear({words("inspector", "secret"), words("agent", "hi")}, speakers);

    auto const told = events.take();

    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].data, R"({"job_id":7,"text":"hi"})");
    EXPECT_EQ(told[0].id, "");
}

TEST_F(conversation_events_test, tell_that_a_turn_is_paused_and_that_it_no_longer_is) {
    auto held = at("10:10:");
    held.turn = storage::running_turn{job_id{8}, "available", "f", 1, "lane", "key"};
    events.add(held, {}, {});
    auto const paused = events.take();
    auto resumed = held;
    resumed.turn->paused.clear();
    events.add(resumed, {}, {});
    auto const free = events.take();

    ASSERT_FALSE(paused.empty() || free.empty());
    EXPECT_EQ(
        paused.back().data, R"({"job_id":8,"state":"available","paused":"lane","lane":"key"})"
    );
    EXPECT_EQ(free.back().data, R"({"job_id":8,"state":"available"})");
}

TEST_F(conversation_events_test, tell_a_failure_in_plain_words) {
    auto changes = at("12:12:");
    auto failed = ended(7, "failed");
    failed.error_class = "invalid";
    changes.ends = {failed};
    events.add(changes, {}, speakers);

    auto const told = events.take();

    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].type, "failed");
    EXPECT_EQ(
        told[0].data,
        R"({"job_id":7,"detail":"Something went wrong, and the answer is missing or incomplete. The message is saved."})"
    );
}

TEST_F(conversation_events_test, know_the_turn_that_answered_a_message) {
    auto changes = at("12:12:");
    auto taken = ended(7);
    taken.answered_by = job_id{9};
    changes.ends = {taken};
    events.add(changes, {}, speakers);
    EXPECT_EQ(events.take().at(0).data, R"({"job_id":7,"answered_by":9})");
    EXPECT_FALSE(events.end_of(job_id{7})) << "the other one goes on";

    events.add_end(ended(9));

    EXPECT_EQ(events.end_of(job_id{7}), job_id{9});
    EXPECT_THAT(types(), ElementsAre("done"));
    events.add_end(ended(9));
    EXPECT_THAT(types(), IsEmpty());
}

} // namespace
} // namespace postrider::api::conversation_events_test
