#include "agent/flow/catalog.hpp"
#include "agent/flow/library/triggers.hpp"
#include "agent/language/command.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::triggers_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

catalog const& types() {
    static catalog const all = builtin_types();
    return all;
}

// A flow with one trigger.
definition flow_of(std::string name, std::string type, std::string parameters, bool off = false) {
    auto const text = tests::flow_builder(name)
                          .trigger("T", type, boost::json::parse(parameters).as_object())
                          .with("disabled", off)
                          .text();
    return std::get<definition>(read_definition(text));
}

definition messages(std::string name, std::string parameters) {
    return flow_of(std::move(name), "telegram.message", std::move(parameters));
}

std::string taker(triggers const& all, incoming_message const& message) {
    auto const found = all.message(message);
    return found ? found->flow : "";
}

TEST(flow_triggers, the_most_specific_flow_takes_a_message) {
    triggers all;
    all.add(1, messages("any", "{}"), types());
    all.add(2, messages("bot", R"({"bots": ["main", "other"]})"), types());
    all.add(3, messages("chat", R"({"chats": [-100, 7]})"), types());
    all.add(4, messages("command", R"({"commands": ["/report"]})"), types());
    all.add(
        5, messages("command_of_bot", R"({"bots": ["main"], "commands": ["/report"]})"), types()
    );

    EXPECT_EQ(taker(all, {"third", chat_id{1}, ""}), "any");
    EXPECT_EQ(taker(all, {"other", chat_id{1}, ""}), "bot");
    EXPECT_EQ(taker(all, {"main", chat_id{-100}, "/help"}), "chat");
    EXPECT_EQ(taker(all, {"other", chat_id{7}, "/report"}), "command");
    EXPECT_EQ(taker(all, {"main", chat_id{7}, "/report"}), "command_of_bot");
    EXPECT_EQ(all.message({"main", chat_id{1}, ""}), (start{"bot", 2, "t"}));
    EXPECT_THAT(all.rivalled(), IsEmpty());
}

TEST(flow_triggers, tell_whether_a_message_is_taken_for_its_command) {
    triggers all;
    all.add(1, messages("any", "{}"), types());
    all.add(2, messages("chat", R"({"chats": [7]})"), types());
    all.add(3, messages("command", R"({"commands": ["/new"]})"), types());

    EXPECT_TRUE(all.message({"main", chat_id{7}, "/new"})->asks_for_command);
    EXPECT_FALSE(all.message({"main", chat_id{7}, "/help"})->asks_for_command);
    EXPECT_FALSE(all.message({"main", chat_id{1}, "/help"})->asks_for_command);
}

TEST(flow_triggers, the_case_of_a_command_does_not_count) {
    triggers all;
    all.add(1, messages("assistant", "{}"), types());
    all.add(1, messages("report", R"({"commands": ["/Daily_Report"]})"), types());

    EXPECT_EQ(taker(all, {"main", chat_id{1}, command_of("/DAILY_report now")}), "report");
}

TEST(flow_triggers, what_is_said_to_others_goes_to_those_that_ask_for_it) {
    triggers all;
    all.add(1, messages("assistant", "{}"), types());
    all.add(1, messages("here", R"({"chats": [-100]})"), types());
    all.add(
        1, messages("keeps", R"({"chats": [-100, -200], "group_messages": "stored"})"), types()
    );
    all.add(1, messages("listens", R"({"bots": ["main"], "group_messages": "all"})"), types());
    auto said_to_others = [&](std::int64_t chat) {
        return all.message({"main", chat_id{chat}, "", "assistant", false});
    };

    ASSERT_TRUE(said_to_others(-100));
    EXPECT_EQ(said_to_others(-100)->flow, "keeps") << "the more specific one does not ask for it";
    EXPECT_FALSE(said_to_others(-100)->begins);
    EXPECT_EQ(said_to_others(-300)->flow, "listens");
    EXPECT_TRUE(said_to_others(-300)->begins);
    EXPECT_EQ(all.message({"x", chat_id{-300}, "", "assistant", false}), std::nullopt);

    EXPECT_EQ(taker(all, {"main", chat_id{-100}, ""}), "here");
    EXPECT_TRUE(all.message({"main", chat_id{-200}, ""})->begins) << "it is said to the bot";
}

TEST(flow_triggers, the_agents_flow_may_ask_for_what_is_said_to_others) {
    triggers all;
    all.add(1, messages("assistant", "{}"), types());
    all.add(1, messages("group", R"({"group_messages": "all"})"), types());
    auto said_to_others = [&](std::string_view agent) {
        return all.message({"main", chat_id{-1}, "", agent, false});
    };
    EXPECT_EQ(said_to_others("group")->flow, "group");
    EXPECT_EQ(said_to_others("assistant")->flow, "group") << "the only one that asks for it";
    EXPECT_EQ(all.message({"main", chat_id{-1}, "", "assistant"})->flow, "assistant");
}

TEST(flow_triggers, of_equals_the_first_by_name_wins_and_the_other_is_told) {
    triggers all;
    all.add(1, messages("a", R"({"bots": ["main", "x"]})"), types());
    all.add(1, messages("b", R"({"bots": ["main"]})"), types());
    all.add(1, messages("c", R"({"bots": ["y"]})"), types());

    EXPECT_EQ(taker(all, {"main", chat_id{1}, ""}), "a");
    ASSERT_EQ(all.rivalled().size(), 1u);
    EXPECT_EQ(all.rivalled()[0].flow, "b");
    EXPECT_EQ(all.rivalled()[0].winner.flow, "a");
}

std::vector<std::string> losers(std::vector<rivalled_trigger> const& all) {
    std::vector<std::string> flows;
    for (auto const& rivalled : all) flows.push_back(rivalled.flow + " to " + rivalled.winner.flow);
    return flows;
}

TEST(flow_triggers, the_order_in_which_flows_are_added_decides_nothing) {
    triggers all;
    for (auto const* name : {"c", "b", "a"}) {
        all.add(1, messages(name, R"({"commands": ["/report"]})"), types());
        all.add(1, flow_of(name + std::string("_door"), "webhook", R"({"path": "x"})"), types());
        all.add(1, messages(name + std::string("_all"), "{}"), types());
    }

    EXPECT_EQ(taker(all, {"main", chat_id{1}, "/report"}), "a");
    EXPECT_EQ(taker(all, {"main", chat_id{1}, ""}), "a_all");
    EXPECT_EQ(all.webhook("POST", "x")->to.flow, "a_door");
    EXPECT_THAT(
        losers(all.rivalled()),
        ElementsAre("b to a", "b_door to a_door", "c to a", "c_door to a_door")
    );
}

TEST(flow_triggers, a_removed_flow_leaves_all_to_the_next) {
    triggers all;
    for (auto const* name : {"a", "b", "c"}) {
        all.add(1, messages(name, R"({"commands": ["/report", "/sum"]})"), types());
        all.add(1, flow_of(name + std::string("_door"), "webhook", R"({"path": "x"})"), types());
    }
    all.add(1, flow_of("assistant", "chat", "{}"), types());

    for (auto const* name : {"a", "a_door", "assistant", "unknown"}) all.remove(name);
    EXPECT_EQ(taker(all, {"main", chat_id{1}, "/sum"}), "b");
    EXPECT_EQ(all.webhook("POST", "x")->to.flow, "b_door");
    EXPECT_EQ(all.conversation(""), std::nullopt);
    EXPECT_THAT(losers(all.rivalled()), ElementsAre("c to b", "c_door to b_door"));

    for (auto const* name : {"b", "b_door", "c", "c_door"}) all.remove(name);
    EXPECT_EQ(taker(all, {"main", chat_id{1}, "/sum"}), "");
    EXPECT_THAT(all.methods("x"), IsEmpty());

    all.add(2, messages("a", R"({"commands": ["/sum"]})"), types());
    EXPECT_EQ(all.message({"main", chat_id{1}, "/sum"}), (start{"a", 2, "t", true, true}));
    EXPECT_THAT(all.rivalled(), IsEmpty());
}

TEST(flow_triggers, the_rivals_of_one_flow_are_told_alone) {
    triggers all;
    for (auto const* name : {"a", "b", "c"})
        all.add(1, messages(name, R"({"commands": ["/report"]})"), types());
    for (auto const* name : {"d", "e"})
        all.add(1, flow_of(name, "webhook", R"({"path": "x"})"), types());

    EXPECT_THAT(losers(all.rivalled_with("a")), ElementsAre("b to a", "c to a"));
    EXPECT_THAT(losers(all.rivalled_with("c")), ElementsAre("c to a"));
    EXPECT_THAT(losers(all.rivalled_with("d")), ElementsAre("e to d"));
    EXPECT_THAT(all.rivalled_with("f"), IsEmpty());
}

TEST(flow_triggers, what_none_asks_for_is_for_the_agent_then_the_assistant_then_the_first) {
    triggers all;
    all.add(1, messages("any", "{}"), types());
    all.add(1, messages("asking", R"({"commands": ["/report"]})"), types());
    triggers with_assistant = all;
    with_assistant.add(1, messages("assistant", "{}"), types());

    EXPECT_EQ(taker(with_assistant, {"main", chat_id{1}, "", "asking"}), "asking");
    EXPECT_EQ(taker(with_assistant, {"main", chat_id{1}, "", "nobody"}), "assistant");
    EXPECT_EQ(taker(with_assistant, {"main", chat_id{1}, "/report", "any"}), "asking");
    EXPECT_EQ(taker(all, {"main", chat_id{1}, "", "nobody"}), "any");
    EXPECT_THAT(with_assistant.rivalled(), IsEmpty());
}

TEST(flow_triggers, what_nothing_takes_starts_nothing) {
    triggers all;
    all.add(1, messages("chat", R"({"chats": [7]})"), types());
    all.add(1, flow_of("off", "telegram.message", "{}", true), types());
    all.add(1, flow_of("by_hand", "manual", "{}"), types());

    EXPECT_EQ(all.message({"main", chat_id{8}, ""}), std::nullopt);
}

TEST(flow_triggers, a_command_of_ours_is_taken_whatever_the_filters_ask_for) {
    triggers all;
    all.add(1, messages("a", R"({"bots": ["side"]})"), types());
    all.add(2, messages("b", R"({"bots": ["main"], "chats": [7]})"), types());
    all.add(3, messages("c", R"({"bots": ["main"], "commands": ["/report", "/new"]})"), types());
    auto taken = [&](std::string_view bot, std::int64_t chat, std::string_view command) {
        auto const to = all.message({bot, chat_id{chat}, command});
        if (!to) return std::string("nothing");
        EXPECT_EQ(to->asks_for_command, command == "/report") << "the server answers it";
        return to->flow + " " + to->node;
    };

    for (auto const* command : {"/help", "/start", "/stop", "/usage", "/memory"}) {
        EXPECT_EQ(taken("main", 8, command), "c t") << command;
        EXPECT_EQ(taken("side", 8, command), "a t") << command;
        EXPECT_EQ(taken("third", 8, command), "a ") << command << ": the flow's help is not for it";
        EXPECT_EQ(taken("main", 7, command), "b t") << command << ": its own filter fits";
    }
    EXPECT_EQ(taken("main", 8, "/report"), "c t");
    for (auto const* command : {"", "/unknown", "(unread)"})
        EXPECT_EQ(taken("main", 8, command), "nothing") << command;
}

TEST(flow_triggers, a_command_to_others_is_for_those_that_ask_for_what_is_said_to_others) {
    triggers all;
    all.add(1, messages("a", R"({"commands": ["/report"]})"), types());
    EXPECT_EQ(all.message({"main", chat_id{-1}, "/help", "assistant", false}), std::nullopt);

    all.add(1, messages("b", R"({"commands": ["/sum"], "group_messages": "all"})"), types());
    EXPECT_EQ(all.message({"main", chat_id{-1}, "/help", "assistant", false})->flow, "b");
}

TEST(flow_triggers, parameters_of_another_kind_restrict_nothing_and_throw_nothing) {
    triggers all;
    all.add(
        1,
        messages("odd", R"({"bots": "main", "chats": ["x", 1.5], "commands": {"a": 1}})"),
        types()
    );

    EXPECT_EQ(taker(all, {"main", chat_id{8}, ""}), "odd");
}

TEST(flow_triggers, webhooks_are_found_by_path_and_method) {
    triggers all;
    all.add(3, flow_of("make", "webhook", R"({"path": "orders/new", "secret": "shop"})"), types());
    all.add(4, flow_of("see", "webhook", R"({"path": "orders/new", "method": "GET"})"), types());
    all.add(5, flow_of("twice", "webhook", R"({"path": "orders/new", "method": "GET"})"), types());

    auto const* hook = all.webhook("POST", "orders/new");
    ASSERT_NE(hook, nullptr);
    EXPECT_EQ(hook->to, (start{"make", 3, "t"}));
    EXPECT_EQ(hook->requests.proof.secret, "shop");
    EXPECT_EQ(all.webhook("GET", "orders/new")->to.flow, "see");
    EXPECT_EQ(all.webhook("PUT", "orders/new"), nullptr);
    EXPECT_EQ(all.webhook("POST", "orders"), nullptr);
    EXPECT_THAT(all.methods("orders/new"), ElementsAre("GET", "POST"));
    EXPECT_THAT(all.methods("orders"), IsEmpty());
    EXPECT_EQ(all.rivalled().size(), 1u);
}

TEST(flow_triggers, a_conversation_is_answered_by_its_flow_or_by_the_assistant) {
    triggers all;
    all.add(7, flow_of("shop", "chat", "{}"), types());
    all.add(8, flow_of("off", "chat", "{}", true), types());
    EXPECT_EQ(all.conversation("off"), std::nullopt);
    all.add(9, flow_of("assistant", "chat", "{}"), types());

    EXPECT_EQ(all.conversation("shop"), (start{"shop", 7, "t"}));
    EXPECT_EQ(all.conversation("off")->flow, "assistant");
    EXPECT_EQ(all.conversation("")->flow, "assistant");
}

TEST(flow_triggers, a_trigger_of_a_newer_version_is_understood_as_the_newest_here) {
    auto newer = messages("a", R"({"bots": ["main"]})");
    newer.nodes[0].type_version = 99;
    triggers all;
    all.add(1, newer, types());

    EXPECT_EQ(taker(all, {"main", chat_id{1}, ""}), "a") << "other nodes know how to run it";
}

} // namespace
} // namespace postrider::agent::flow::triggers_test
