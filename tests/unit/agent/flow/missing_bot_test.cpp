// Bots that only other nodes have in their configuration.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::missing_bot_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string reason_of(flow_world& w, flow::execution_input const& input) {
    try {
        w.run(input);
    } catch (queue::not_here const& elsewhere) {
        return elsewhere.reason;
    }
    return "it ran here";
}

flow::execution_input message_to(bot_id bot) {
    flow::execution_input input;
    input.heard =
        flow::heard_message{{bot, chat_id{5}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
    return input;
}

std::string flow_with(std::string_view type, json::object parameters = {}) {
    return flow_builder("acting")
        .trigger("In", "manual")
        .node("Act", type, std::move(parameters))
        .text();
}

std::string sends_by(std::string_view bot) {
    return flow_with("telegram.send", {{"text", "hi"}, {"chat", 5}, {"bot", bot}});
}

TEST(missing_bot, of_the_message_leaves_the_job_to_another_node_before_anything_is_done) {
    flow_world w(sends_by("fern"));
    w.chat.missing = {bot_id{3}};

    EXPECT_THAT(reason_of(w, message_to(bot_id{3})), HasSubstr("does not have bot 3"));

    EXPECT_THAT(w.chat.sent, IsEmpty());
    EXPECT_THAT(w.log, IsEmpty());
}

TEST(missing_bot, of_a_sending_node_leaves_it_to_another_node_too) {
    flow_world w(sends_by("sales"));
    w.table.bots = {{"fern", bot_id{1}}, {"sales", bot_id{2}}};
    w.chat.missing = {bot_id{2}};

    EXPECT_THAT(reason_of(w, {}), HasSubstr("does not have bot 2"));

    EXPECT_THAT(w.chat.sent, IsEmpty());
}

TEST(missing_bot, that_nobody_ever_had_fails_the_node) {
    flow_world w(sends_by("sails"));
    w.table.bots = {{"fern", bot_id{1}}, {"sales", bot_id{2}}};

    auto const outcome = w.run();

    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, HasSubstr("there is no bot sails"));
}

TEST(missing_bot, of_an_edit_leaves_it_to_another_node) {
    flow_world w(
        flow_with("telegram.edit", {{"text", "hi"}, {"chat", 5}, {"message", 9}, {"bot", "fern"}})
    );
    w.table.bots = {{"fern", bot_id{1}}};
    w.chat.missing = {bot_id{1}};

    EXPECT_THAT(reason_of(w, {}), HasSubstr("does not have bot 1"));

    EXPECT_THAT(w.chat.edited, IsEmpty());
}

TEST(telegram_delete, takes_the_message_away_once) {
    flow_world w(flow_with("telegram.delete"));

    auto const outcome = w.run(message_to(bot_id{1}));
    EXPECT_EQ(outcome.state, queue::job_state::completed);
    w.run(message_to(bot_id{1})); // a repeated run finds it in the record

    EXPECT_THAT(w.chat.removed, testing::ElementsAre(telegram_message_id{50}));
}

TEST(missing_bot, is_not_missed_for_what_was_sent_before) {
    flow_world w(sends_by("fern"));
    w.run();
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    w.table.bots = {{"fern", bot_id{1}}};
    w.chat.missing = {bot_id{1}};

    EXPECT_EQ(w.run().state, queue::job_state::completed);
    EXPECT_THAT(w.chat.sent, SizeIs(1));
}

} // namespace
} // namespace postrider::tests::missing_bot_test
