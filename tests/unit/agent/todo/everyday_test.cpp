// A table of everyday messages, written before the rules that read them: what the agent does, and where
// it must do nothing.
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/rules_agent.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace postrider::agent::todo::everyday_test {
namespace {

struct row {
    std::string says;
    std::string outcome;
};

// By the heading above the row.
std::map<std::string, std::vector<row>> const& table() {
    static auto const read = [] {
        std::map<std::string, std::vector<row>> rows;
        for (auto const* name : {"everyday.txt", "everyday_days.txt", "everyday_requests.txt"}) {
            std::ifstream file(std::string("tests/unit/agent/todo/") + name);
            std::string heading;
            for (std::string line; std::getline(file, line);) {
                if (line.starts_with("## ")) heading = line.substr(3);
                auto const bar = line.find(" | ");
                if (line.starts_with('#') || bar == std::string::npos) continue;
                rows[heading].push_back({line.substr(0, bar), line.substr(bar + 3)});
            }
        }
        return rows;
    }();
    return read;
}

rules_agent fresh_agent() {
    std::vector<task> tasks;
    std::int64_t last = 0;
    for (auto const* title :
         {"Buy milk",
          "Read the book",
          "Mow the lawn",
          "Write the report",
          "Milch holen",
          "Steuererklärung abgeben",
          "comprar pan",
          "llamar a mamá",
          "rendre le livre",
          "tondre la pelouse",
          "полить цветы",
          "вернуть книгу",
          "دودھ خریدنا",
          "کتاب واپس کرنا",
          "Pay the rent",
          "Buch lesen"})
        tasks.push_back({.id = task_id{++last}, .title = title});
    return {std::move(tasks), language::sunday_morning(), language::berlin()};
}

std::string text_of(recorded_call const& call, std::string_view asks) {
    auto const& arguments = call.arguments;
    auto const text = [&](std::string_view name) {
        auto const* value = arguments.if_contains(name);
        return value ? std::string(value->as_string()) : std::string();
    };
    if (call.tool == "create_todo_task") return fmt::format("create({})", text("title"));
    if (call.tool == "list_todo_tasks") {
        auto const search = text("search");
        auto const days = text("days");
        return fmt::format(
            "list({}{}{})",
            text("filter"),
            days.empty() ? "" : '@' + days,
            search.empty() ? "" : '/' + search + '/'
        );
    }
    auto const verb = asks.empty() ? call.tool.substr(0, call.tool.find('_')) : std::string(asks);
    return fmt::format("{} {}", verb, arguments.at("task_id").as_int64());
}

std::string outcome_of(std::string_view message) {
    auto agent = fresh_agent();
    auto const answer = agent.hear(message);
    bool const offers =
        answer.asks == "delete" || answer.asks == "rename" || answer.asks == "change";
    std::string text;
    for (auto const& call : answer.calls) {
        bool const looks = call.tool == "list_todo_tasks";
        if (!looks && !answer.mutated && !offers) continue;
        text += (text.empty() ? "" : " ") + text_of(call, answer.asks);
    }
    return text.empty() ? "nothing" : text;
}

class everyday : public testing::TestWithParam<std::string_view> {};

TEST_P(everyday, messages_follow_the_table) {
    auto const& rows = table().at(std::string(GetParam()));
    EXPECT_GE(rows.size(), 10u);
    for (auto const& [says, outcome] : rows) EXPECT_EQ(outcome_of(says), outcome) << says;
}

INSTANTIATE_TEST_SUITE_P(
    languages,
    everyday,
    testing::Values(
        "English: meant",
        "English: traps",
        "German: meant",
        "German: traps",
        "Spanish: meant",
        "Spanish: traps",
        "French: meant",
        "French: traps",
        "Russian: meant",
        "Russian: traps",
        "Urdu: meant",
        "Urdu: traps",
        "English: days",
        "German: days",
        "Spanish: days",
        "French: days",
        "Russian: days",
        "Urdu: days",
        "English: requests",
        "German: requests",
        "Spanish: requests",
        "French: requests",
        "Russian: requests",
        "Urdu: requests"
    )
);

// Whether the time is read or left.
TEST(everyday, a_time_is_no_new_title) {
    for (auto const* message :
         {"change rent to next week friday",
          "change rent to friday next week",
          "change 3 to the last friday of December",
          "ändere die Steuererklärung auf Freitag in zwei Wochen",
          "cambia el pan al viernes de la próxima semana"}) {
        auto agent = fresh_agent();
        EXPECT_NE(agent.hear(message).asks, "rename") << message;
    }
}

TEST(everyday, what_was_done_to_the_same_thing_is_said_twice) {
    auto const request = language::understand(
        "I mowed the lawn. I watered the lawn.",
        language::sunday_morning(),
        language::berlin(),
        "en"
    );
    ASSERT_EQ(request.intents.size(), 2u);
    EXPECT_NE(request.intents[0].task.verbs, request.intents[1].task.verbs);
}

TEST(everyday, the_language_of_the_conversation_supports_a_word_of_several) {
    auto const understood = [](std::string_view message, std::string_view conversation) {
        auto const request = language::understand(
            message, language::sunday_morning(), language::berlin(), conversation
        );
        return request.intents.front().title;
    };
    EXPECT_EQ(understood("note dentist", "en"), "dentist");
    EXPECT_EQ(understood("note dentist", "de"), "");
    EXPECT_EQ(understood("note dentist", ""), "");
    EXPECT_EQ(understood("Note schreiben", "en"), "");
    EXPECT_EQ(understood("creat stamps", "en"), "stamps");
    EXPECT_EQ(understood("creat stamps", ""), "");
    EXPECT_EQ(understood("Creme kaufen", "fr"), "");
}

} // namespace
} // namespace postrider::agent::todo::everyday_test
