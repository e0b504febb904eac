// Which flow watches a group.
#include "agent/flow/catalog.hpp"
#include "agent/flow/library/triggers.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::group_triggers_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

catalog const& types() {
    static catalog const built_in = builtin_types();
    return built_in;
}

definition watching(std::string name, std::string parameters) {
    auto const text =
        tests::flow_builder(name)
            .trigger("T", "telegram.group", boost::json::parse(parameters).as_object())
            .text();
    return std::get<definition>(read_definition(text));
}

std::string watcher(triggers const& openings, group_incident const& incident) {
    auto const taken = openings.group(incident);
    return taken ? taken->flow : "";
}

TEST(group_triggers, watch_messages_and_edits_unless_they_say_more) {
    triggers openings;
    openings.add(4, watching("guard", "{}"), types());

    EXPECT_EQ(
        openings.group({"main", chat_id{-3}, group_event::message}), (start{"guard", 4, "t"})
    );
    EXPECT_EQ(watcher(openings, {"main", chat_id{-3}, group_event::edit}), "guard");
    EXPECT_EQ(watcher(openings, {"main", chat_id{-3}, group_event::reaction}), "");
    EXPECT_THAT(
        openings.group_events("main"), ElementsAre(group_event::message, group_event::edit)
    );
    EXPECT_FALSE(openings.message({"main", chat_id{-3}, ""})) << "it answers nobody";
}

TEST(group_triggers, the_most_specific_wins) {
    triggers openings;
    openings.add(1, watching("any", "{}"), types());
    openings.add(1, watching("bot", R"({"bots": ["main"]})"), types());
    openings.add(1, watching("chat", R"({"chats": [-3]})"), types());
    openings.add(1, watching("doorkeeper", R"({"events": ["join_request", "member"]})"), types());

    EXPECT_EQ(watcher(openings, {"other", chat_id{-1}, group_event::message}), "any");
    EXPECT_EQ(watcher(openings, {"main", chat_id{-1}, group_event::message}), "bot");
    EXPECT_EQ(watcher(openings, {"main", chat_id{-3}, group_event::message}), "chat");
    EXPECT_EQ(watcher(openings, {"main", chat_id{-3}, group_event::join_request}), "doorkeeper");
    EXPECT_THAT(openings.rivalled(), IsEmpty());

    openings.remove("chat");
    EXPECT_EQ(watcher(openings, {"main", chat_id{-3}, group_event::message}), "bot");
}

TEST(group_triggers, two_that_watch_the_same_are_rivals) {
    triggers openings;
    openings.add(1, watching("a", R"({"chats": [-3, -4]})"), types());
    openings.add(1, watching("b", R"({"chats": [-4]})"), types());
    openings.add(1, watching("c", R"({"chats": [-4], "events": ["reaction"]})"), types());

    auto const rivalled = openings.rivalled();
    ASSERT_EQ(rivalled.size(), 1u);
    EXPECT_EQ(rivalled[0].flow, "b");
    EXPECT_EQ(rivalled[0].winner.flow, "a");
    EXPECT_EQ(openings.rivalled_with("b").size(), 1u);
    EXPECT_THAT(openings.rivalled_with("c"), IsEmpty());
    EXPECT_THAT(words_of_rivals(watching("b", R"({"chats": [-4]})"), types()), ElementsAre("-4"));
    EXPECT_THAT(words_of_rivals(watching("b", "{}"), types()), ElementsAre("telegram.group"));
}

} // namespace
} // namespace postrider::agent::flow::group_triggers_test
