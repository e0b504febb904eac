// What a flow that watches a group gets to see, and what people see of it.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::group_items_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;

json::object item_of(agent::group_event event, std::string text) {
    agent::group_message message;
    message.sender.user = user_id{7};
    auto members = event_json(event, message);
    if (event == agent::group_event::message)
        members.erase("text");
    else
        members["text"] = text;
    return members;
}

flow::execution_input arrived(agent::group_event event, int number, std::string text = "") {
    flow::execution_input input;
    input.heard =
        flow::heard_message{{bot_id{1}, chat_id{-100}}, user_id{7}, telegram_message_id{number}};
    input.heard->seen = item_of(event, std::move(text));
    return input;
}

std::string watching() {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node("Note", "set", {{"fields", {{"line", "{{ $json.event + ' ' + $json.text }}"}}}})
        .text();
}

// The items of the node behind the trigger.
std::vector<std::string> lines_of(flow_world& w, flow::execution_input input) {
    input.silent = true; // what an execution ends with is shown where it answers nobody
    auto const outcome = w.run(std::move(input));
    std::vector<std::string> lines;
    for (auto const& item : outcome.output.at("items").as_array())
        lines.emplace_back(item.at("line").as_string());
    return lines;
}

TEST(group_items, a_mailbox_that_joins_messages_gives_an_item_of_each) {
    flow_world w(watching());
    auto const arrival = [](int job, flow::execution_input input, std::optional<std::string> text) {
        return storage::row{
            {"0", std::to_string(job), json::serialize(to_json(input)), std::move(text)}};
    };
    w.table.arrivals = {
        arrival(3, arrived(agent::group_event::edit, 1, "buy now"), std::nullopt),
        arrival(2, arrived(agent::group_event::message, 1), "hello")};

    auto const lines = lines_of(w, arrived(agent::group_event::edit, 1, "buy it"));

    EXPECT_THAT(lines, testing::ElementsAre("message hello", "edit buy now", "edit buy it"))
        << "in their order";
}

// Nobody asked for anything, so nobody waits for an answer.
TEST(group_items, a_failure_is_not_told_to_the_group) {
    auto const notices_of = [](flow::execution_input input) {
        flow_world w(flow_builder("guard").trigger("In", "telegram.group").agent("Does").text());
        w.model.script = {base::error(base::errc::refused, "no credit")};
        input.flow = "guard";
        input.version = 1;
        w.others["guard"] = w.graph;
        auto const outcome = w.run(std::move(input));
        EXPECT_EQ(outcome.state, queue::job_state::failed);
        return std::ranges::count_if(outcome.writes, [](storage::write const& write) {
            return write.row.find("failure_notice") != write.row.npos;
        });
    };

    EXPECT_EQ(notices_of(arrived(agent::group_event::message, 1)), 0);
    auto asked = arrived(agent::group_event::message, 1);
    asked.heard->seen.clear();
    EXPECT_EQ(notices_of(asked), 1) << "else it is";
}

} // namespace
} // namespace postrider::tests::group_items_test
