// Whether an agent in a group is asked, and about what.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::group_wake_test {
namespace {

namespace json = boost::json;

json::object message(int number, std::string text) {
    return {
        {"event", "message"},
        {"message", number},
        {"addressed", false},
        {"sender", {{"kind", "member"}}},
        {"text", std::move(text)}};
}

// What comes out for these items; "" = nothing.
std::string woken(json::array items, json::object parameters = {}) {
    flow_world w(
        flow_builder("claudir")
            .trigger("In", "manual")
            .node("Each", "items.split", {{"list", "{{ $json.items }}"}})
            .node("Wake", "group.wake", std::move(parameters))
            .node(
                "Line", "set", {{"fields", {{"line", "{{ $json.message }} {{ $json.addressed }}"}}}}
            )
            .text()
    );
    auto const outcome = w.run(json::object{{"items", std::move(items)}});
    EXPECT_EQ(outcome.state, queue::job_state::completed);
    std::string lines;
    for (auto const& item : outcome.output.at("items").as_array())
        lines += std::string(item.at("line").as_string()) + ";";
    return lines;
}

// covers: S4.05
TEST(group_wake, makes_one_item_of_all_messages) {
    EXPECT_EQ(woken({message(1, "hey"), message(2, "what's up"), message(3, "hm")}), "3 false;");
}

// covers: S4.02
TEST(group_wake, hears_its_names_in_any_case) {
    json::object const named{{"names", json::array{"Claudir", "the bot"}}};

    for (auto const* text :
         {"Claudir?",
          "hey claudir",
          "CLAUDIR!",
          "is this claudir's?",
          "ask The Bot now",
          "Claudir’s turn"})
        EXPECT_EQ(woken({message(1, text), message(2, "hm")}, named), "2 true;") << text;
    for (auto const* text : {"claudirs", "declaudir", "the robot", "the", "bot"})
        EXPECT_EQ(woken({message(1, text), message(2, "hm")}, named), "2 false;") << text;
}

TEST(group_wake, hears_a_reply_and_a_mention) {
    auto addressed = message(1, "you?");
    addressed["addressed"] = true;

    EXPECT_EQ(woken({addressed, message(2, "hm")}), "2 true;");
}

// covers: S4.02
TEST(group_wake, sleeps_unless_it_is_addressed_where_that_is_asked_for) {
    json::object const rare{{"names", json::array{"Claudir"}}, {"when", "addressed"}};
    EXPECT_EQ(woken({message(1, "hm")}, rare), "");
    EXPECT_EQ(woken({message(1, "claudir, hm")}, rare), "1 true;");

    json::object const every{{"when", "addressed"}, {"every", 20}};
    EXPECT_EQ(woken({message(19, "hm")}, every), "");
    EXPECT_EQ(woken({message(20, "hm"), message(21, "hm")}, every), "21 false;");
}

// An agent would read them anew whenever it is asked.
TEST(group_wake, leaves_files_out) {
    auto with_file = message(1, "look");
    with_file["file"] = json::object{{"id", "message:7"}};
    flow_world w(
        flow_builder("claudir")
            .trigger("In", "manual")
            .node("Wake", "group.wake")
            .node("Line", "set", {{"fields", {{"has", "{{ $json.?file.orValue('none') }}"}}}})
            .text()
    );

    auto const outcome = w.run(with_file);

    EXPECT_EQ(outcome.output.at("items").at(0).at("has"), "none");
}

TEST(group_wake, is_not_woken_by_reactions_alone) {
    auto reaction = message(3, "");
    reaction["event"] = "reaction";
    EXPECT_EQ(woken({reaction}), "");

    EXPECT_EQ(woken({message(2, "hm"), reaction}), "2 false;");
    auto edit = message(1, "better words");
    edit["event"] = "edit";
    EXPECT_EQ(woken({edit}), "1 false;");
}

} // namespace
} // namespace postrider::tests::group_wake_test
