#include "agent/flow/document/diff.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace postrider::agent::flow::diff_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto greeter = R"({
  "format": 1,
  "name": "greeter",
  "settings": {"timeout": "10s", "variables": {"who": "you"}},
  "nodes": [
    {"id": "in", "name": "In", "type": "manual", "position": [0, 0]},
    {"id": "say", "name": "Say", "type": "set",
     "parameters": {"fields": [{"name": "text", "value": "hi"}], "a/b": {"~": 1}}, "position": [200, 0]},
    {"id": "out", "name": "Out", "type": "noop"}
  ],
  "connections": [{"from": "in", "to": "say"}, {"from": "say", "to": "out"}]
})";

definition read(json::value const& document) {
    auto result = read_definition(document);
    auto* problems = std::get_if<std::vector<problem>>(&result);
    if (problems) throw std::runtime_error(to_text(problems->front()));
    return std::get<definition>(std::move(result));
}

flow_diff after(std::function<void(json::value&)> const& edit) {
    auto const before = json::parse(greeter);
    auto now = before;
    edit(now);
    return diff(read(before), read(now));
}

json::object& node(json::value& document, std::size_t index) {
    return document.at("nodes").at(index).as_object();
}

std::vector<std::string> paths(std::vector<value_change> const& of) {
    std::vector<std::string> all;
    for (auto const& each : of) all.push_back(each.path);
    return all;
}

TEST(flow_diff, tells_people_numbers_plainly) {
    auto const difference = after([](json::value& document) {
        node(document, 1)["parameters"].as_object()["a/b"] = 3.5;
    });

    EXPECT_THAT(to_text(difference), HasSubstr("→ 3.5\n"));
}

TEST(flow_diff, of_the_same_is_empty) {
    auto const difference = after([](json::value&) {});

    EXPECT_TRUE(difference.empty());
    EXPECT_FALSE(difference.layout_only());
    EXPECT_EQ(to_text(difference), "");
}

TEST(flow_diff, what_is_meant_anyway_is_no_difference) {
    auto const difference = after([](json::value& document) {
        auto& out = node(document, 2);
        out["type_version"] = 1;
        out["disabled"] = false;
        out["on_error"] = "fail";
        out["parameters"] = json::object{};
        document.as_object()["description"] = "";
        document.at("connections").at(0).as_object()["type"] = "main";
        document.at("connections").at(0).as_object()["output"] = "main";
    });

    EXPECT_TRUE(difference.empty()) << to_text(difference);
}

TEST(flow_diff, names_the_parameters_that_changed) {
    auto const difference = after([](json::value& document) {
        auto& parameters = node(document, 1)["parameters"].as_object();
        parameters["fields"].at(0).as_object()["value"] = "hello";
        parameters["a/b"].as_object()["~"] = 2;
        parameters["more"] = true;
    });

    ASSERT_EQ(difference.changed.size(), 1u);
    EXPECT_EQ(difference.changed[0].node.id, "say");
    EXPECT_FALSE(difference.changed[0].layout_only);
    EXPECT_THAT(
        paths(difference.changed[0].changes),
        ElementsAre("/parameters/fields/0/value", "/parameters/a~1b/~0", "/parameters/more")
    );
    EXPECT_EQ(difference.changed[0].changes[0].before, json::value("hi"));
    EXPECT_EQ(difference.changed[0].changes[0].after, json::value("hello"));
    EXPECT_EQ(difference.changed[0].changes[2].before, std::nullopt);
}

TEST(flow_diff, an_array_of_another_length_changed_as_a_whole) {
    auto const difference = after([](json::value& document) {
        node(document, 1)["parameters"].at("fields").as_array().emplace_back("more");
    });

    EXPECT_THAT(paths(difference.changed.at(0).changes), ElementsAre("/parameters/fields"));
}

TEST(flow_diff, a_node_that_was_only_moved_is_layout) {
    auto const moved = [](json::value& document) {
        node(document, 0)["position"] = {10, 20};
        node(document, 2)["position"] = {5, 5};
    };
    auto const difference = after(moved);
    auto const both = after([&](json::value& document) {
        moved(document);
        node(document, 0)["notes"] = "begins here";
    });

    EXPECT_TRUE(difference.layout_only());
    EXPECT_FALSE(difference.empty());
    EXPECT_THAT(to_text(difference), HasSubstr("~ node In (in) moved\n"));
    EXPECT_FALSE(both.layout_only());
    EXPECT_FALSE(both.changed.at(0).layout_only);
    EXPECT_TRUE(both.changed.at(1).layout_only);
}

TEST(flow_diff, a_node_is_the_same_by_its_id) {
    auto const renamed = after([](json::value& document) { node(document, 1)["name"] = "Speak"; });
    auto const replaced = after([](json::value& document) {
        node(document, 1)["id"] = "speak";
        document.at("connections").at(0).as_object()["to"] = "speak";
        document.at("connections").at(1).as_object()["from"] = "speak";
    });

    EXPECT_THAT(paths(renamed.changed.at(0).changes), ElementsAre("/name"));
    EXPECT_THAT(renamed.connected, IsEmpty());
    EXPECT_EQ(replaced.added.at(0).id, "speak");
    EXPECT_EQ(replaced.removed.at(0).id, "say");
    EXPECT_EQ(replaced.connected.size(), 2u);
    EXPECT_EQ(replaced.disconnected.size(), 2u);
    EXPECT_FALSE(replaced.reordered);
}

TEST(flow_diff, connections_are_told_by_both_their_ends) {
    auto const difference = after([](json::value& document) {
        document.at("connections").at(1).as_object()["from"] = "in";
    });

    ASSERT_EQ(difference.connected.size(), 1u);
    EXPECT_EQ(difference.connected[0].from, "in");
    EXPECT_EQ(difference.disconnected.at(0).from, "say");
    EXPECT_THAT(to_text(difference), HasSubstr("- connection say.main → out.main\n"));
}

TEST(flow_diff, another_order_is_told) {
    auto const connections = after([](json::value& document) {
        auto& all = document.at("connections").as_array();
        std::swap(all[0], all[1]);
    });
    auto const nodes = after([](json::value& document) {
        auto& all = document.at("nodes").as_array();
        std::swap(all[0], all[2]);
    });
    auto const members = after([](json::value& document) {
        auto const type = node(document, 1)["type"];
        node(document, 1).erase("type");
        node(document, 1)["type"] = type;
    });

    EXPECT_TRUE(connections.reordered);
    EXPECT_THAT(connections.connected, IsEmpty());
    EXPECT_TRUE(nodes.reordered);
    EXPECT_FALSE(nodes.empty());
    EXPECT_TRUE(members.empty());
}

TEST(flow_diff, settings_and_what_nobody_knows_are_compared_too) {
    auto const difference = after([](json::value& document) {
        document.at("settings").as_object()["timeout"] = "20s";
        document.at("settings").at("variables").as_object()["who"] = "all";
        document.as_object()["description"] = "greets";
        document.as_object()["x"] = {{"viewport", 2}};
        node(document, 2)["color"] = "red";
    });

    EXPECT_THAT(
        paths(difference.settings),
        ElementsAre("/settings/timeout", "/settings/variables/who", "/description", "/x")
    );
    EXPECT_THAT(paths(difference.changed.at(0).changes), ElementsAre("/color"));
}

TEST(flow_diff, shows_changed_words_of_long_texts_in_their_whole_context) {
    std::string const long_tail = "\n\nAnswer in the language of the question, and never in " +
                                  std::string(500, 'x') + ".\nThe end.";
    auto const prompt = [&](std::string_view head) {
        auto document = json::parse(greeter);
        node(document, 1)["parameters"].as_object()["prompt"] = std::string(head) + long_tail;
        return read(document);
    };

    auto const text = to_text(diff(
        prompt("You are a helpful assistant.\nBe brief."),
        prompt("You are a kind old assistant.\nBe brief!")
    ));

    EXPECT_THAT(
        text,
        HasSubstr("/parameters/prompt:\n        You are a [-helpful-]{+kind old+} assistant.\n"
                  "        Be brief[-.-]{+!+}\n")
    );
    EXPECT_THAT(text, HasSubstr(std::string(500, 'x') + ".\n        The end.\n"));
}

TEST(flow_diff, shows_new_and_removed_long_values_in_full) {
    auto const value = std::string(300, 'y') + "\nz";
    auto const added = after([&](json::value& document) {
        node(document, 1)["parameters"].as_object()["prompt"] = value;
    });

    EXPECT_THAT(
        to_text(added),
        HasSubstr(
            "/parameters/prompt (new):\n        {+" + std::string(300, 'y') + "↵+}\n        {+z+}\n"
        )
    );
}

TEST(flow_diff, uses_colours_where_it_is_told_to_and_passes_no_control_characters) {
    auto const difference = after([&](json::value& document) {
        document.as_object()["description"] = std::string(80, 'a') + "\x1b[2J";
    });

    auto const text = to_text(difference, terminal_colours);

    EXPECT_THAT(text, HasSubstr("\x1b[32m" + std::string(80, 'a') + "?[2J\x1b[0m\n"));
}

TEST(flow_diff, is_told_in_json) {
    auto const difference = to_json(after([](json::value& document) {
        node(document, 0)["position"] = {10, 0};
        document.at("connections").as_array().pop_back();
    }));

    EXPECT_EQ(
        json::serialize(difference.at("nodes").at("changed").at(0).at("changes")),
        R"([{"path":"/position/0","before":0,"after":10}])"
    );
    EXPECT_EQ(difference.at("nodes").at("changed").at(0).at("layout_only").as_bool(), true);
    EXPECT_EQ(difference.at("connections").at("removed").at(0).at("from").as_string(), "say");
    EXPECT_EQ(difference.at("layout_only").as_bool(), false);
}

} // namespace
} // namespace postrider::agent::flow::diff_test
