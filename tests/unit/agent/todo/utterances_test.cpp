// A table that somebody else wrote without having seen the parser: what people say, and what the
// agent may do about it.
#include "base/json/json.hpp"
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/rules_agent.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>

namespace postrider::agent::todo::utterances_test {
namespace {

namespace json = boost::json;

json::object const& table() {
    static auto const read = [] {
        std::ifstream file("tests/unit/agent/todo/utterances.json");
        std::string const text(std::istreambuf_iterator<char>(file), {});
        return json::parse(text).as_object();
    }();
    return read;
}

rules_agent fresh_agent() {
    std::vector<task> tasks;
    for (auto const& row : table().at("tasks").as_array())
        tasks.push_back(
            {task_id{row.at("id").as_int64()},
             std::string(row.at("title").as_string()),
             row.at("completed").as_bool()}
        );
    return {std::move(tasks), language::sunday_morning(), language::berlin()};
}

// The table tells a due date in the words that were said; the time is what they mean alone.
std::string instant_of(std::string_view words) {
    constexpr std::array<std::string_view, 6> creations{
        "add x ", "neue Aufgabe x ", "añade x ", "ajoute x ", "добавь x ", "نیا کام x "};
    for (auto creation : creations) {
        auto const read = language::understand(
            std::string(creation) + std::string(words),
            language::sunday_morning(),
            language::berlin()
        );
        if (read.intents.front().due) return base::to_iso8601(read.intents.front().due->at);
    }
    return "no time: " + std::string(words);
}

json::array expected_calls(json::object const& row) {
    auto calls = row.at("calls").as_array();
    for (auto& call : calls) {
        auto& arguments = call.at("arguments").as_object();
        if (auto* due = arguments.if_contains("due")) *due = instant_of(due->as_string());
        if (auto* filter = arguments.if_contains("filter"); filter && *filter == "all")
            arguments.erase("filter"); // what is not said is all
    }
    return calls;
}

std::string to_text(json::array const& calls, std::string_view asks) {
    std::string text;
    for (auto const& call : calls) {
        auto const& arguments = call.at("arguments").as_object();
        std::map<std::string, std::string> sorted;
        for (auto const& [key, value] : arguments) sorted[key] = json::serialize(value);
        text += std::string(call.at("tool").as_string()) + "(";
        for (auto const& [key, value] : sorted) text += key + "=" + value + " ";
        text += ") ";
    }
    return text + (asks.empty() ? "" : "asks " + std::string(asks));
}

std::string to_text(agent_answer const& answer) {
    json::array calls;
    for (auto const& call : answer.calls)
        calls.push_back(json::object{{"tool", call.tool}, {"arguments", call.arguments}});
    return to_text(calls, answer.asks);
}

std::string expected(json::object const& row) {
    auto const& asks = row.at("asks");
    return to_text(
        expected_calls(row),
        asks.is_string() ? std::string_view(asks.as_string()) : std::string_view()
    );
}

void hear_before(rules_agent& agent, json::object const& row) {
    auto const* before = row.if_contains("before");
    if (!before) return;
    for (auto const& said : before->as_array()) agent.hear(said.at("say").as_string());
}

TEST(utterances, do_what_was_asked) {
    for (auto const& value : table().at("says").as_array()) {
        auto const& row = value.as_object();
        auto agent = fresh_agent();
        hear_before(agent, row);

        auto const actual = to_text(agent.hear(row.at("say").as_string()));

        EXPECT_EQ(actual, expected(row)) << json::serialize(row);
    }
}

TEST(utterances, change_nothing_that_was_not_asked_for) {
    for (auto const& value : table().at("mutates_nothing").as_array()) {
        auto const& row = value.as_object();
        auto agent = fresh_agent();
        hear_before(agent, row);

        auto const answer = agent.hear(row.at("say").as_string());

        EXPECT_FALSE(answer.mutated) << json::serialize(row) << to_text(answer);
        EXPECT_NE(answer.asks, "delete") << json::serialize(row);
        EXPECT_NE(answer.asks, "rename") << json::serialize(row);
        EXPECT_NE(answer.asks, "change") << json::serialize(row);
    }
}

} // namespace
} // namespace postrider::agent::todo::utterances_test
