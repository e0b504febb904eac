// The published schema and read_definition() draw the same line, except where a schema cannot: ids
// and names that must be unique, nodes that must be there, and how long a span of time is.
#include "agent/json_schema/json_schema.hpp"
#include "base/json/json.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::definition_schema_test {
namespace {

namespace json = boost::json;

agent::json_schema::schema const& published() {
    static auto const compiled = agent::json_schema::compile(definition_schema()).value();
    return compiled;
}

json::value document() {
    return base::parse_json(R"({
        "format": 1, "name": "f", "title": "", "description": "", "else": 1,
        "settings": {"lane": "x", "mailbox": "queue", "debounce": "1s", "timeout": "1h",
                     "help": "h", "help_in": {"de": "h"}, "error_flow": "g", "variables": {}, "else": 1},
        "nodes": [
            {"id": "a", "name": "A", "type": "set", "type_version": 1, "position": [0, 1],
             "parameters": {}, "disabled": false, "notes": "", "on_error": "fail",
             "retry": {"tries": 2, "delay": "1s", "else": 1}, "else": 1},
            {"id": "b", "name": "B", "type": "set"}],
        "connections": [{"type": "main", "from": "a", "output": "main", "to": "b", "input": "main",
                         "else": 1}],
        "notes": [{"id": "n", "text": "", "x": 0, "y": 1.5, "width": 1, "height": 1, "color": "red",
                   "else": 1}],
        "pinned": {"A": [{}]}
    })")
        .value();
}

// What a member may become: of every type, and texts of every shape that the format knows.
std::vector<json::value> replacements() {
    std::vector<json::value> all{
        nullptr, true, 0, 1, 2, 1.0, 1.5, -1, 100, 101, 1000, 1001, 1e300, UINT64_MAX};
    for (auto text :
         {"",     "a",        "a-b_9",     "-a",      "A",    "a.b",      "a b",          "a\nb",
          "é",    "\x7f",     "queue",     "route",   "fail", "continue", "error_output", "red",
          "main", "ai_model", "ai_memory", "ai_tool", "1s",   "1h 30min", " 5 ",          "5",
          "1 s",  "-1s",      "1m",        "10us2ms", "1d",   "s",        "1s,"})
        all.emplace_back(text);
    for (auto length : {40, 41, 60, 61, 63, 64, 65, 100, 101})
        all.emplace_back(std::string(static_cast<std::size_t>(length), 'x'));
    all.push_back(json::array());
    all.push_back(json::array{1, 2});
    all.push_back(json::array{1, "2"});
    all.push_back(json::array{1, 2, 3});
    all.push_back(json::object());
    return all;
}

std::vector<std::string> members() {
    std::vector<std::string> pointers;
    for (auto top :
         {"format",
          "name",
          "title",
          "description",
          "settings",
          "nodes",
          "connections",
          "notes",
          "pinned",
          "else"})
        pointers.push_back(below("", top));
    for (auto member :
         {"lane",
          "mailbox",
          "debounce",
          "timeout",
          "help",
          "help_in",
          "error_flow",
          "variables",
          "else"})
        pointers.push_back(below("/settings", member));
    pointers.push_back("/settings/help_in/de");
    for (auto member :
         {"id",
          "name",
          "type",
          "type_version",
          "position",
          "parameters",
          "disabled",
          "notes",
          "on_error",
          "retry",
          "else"})
        pointers.push_back(below("/nodes/0", member));
    for (auto member : {"tries", "delay", "else"})
        pointers.push_back(below("/nodes/0/retry", member));
    for (auto member : {"type", "from", "output", "to", "input", "else"})
        pointers.push_back(below("/connections/0", member));
    for (auto member : {"id", "text", "x", "y", "width", "height", "color", "else"})
        pointers.push_back(below("/notes/0", member));
    pointers.push_back("/pinned/A");
    return pointers;
}

// Those that a schema cannot know of are not held against it.
bool accepted(json::value const& document) {
    auto const read = read_definition(document);
    auto const* problems = std::get_if<std::vector<problem>>(&read);
    if (!problems) return true;
    return std::ranges::all_of(*problems, [](problem const& finding) {
        return finding.code == "unknown_node" || finding.code == "duplicate_id" ||
               finding.code == "duplicate_name" || finding.code == "too_long";
    });
}

std::string why(json::value const& document) {
    auto const read = read_definition(document);
    std::string text;
    if (auto const* problems = std::get_if<std::vector<problem>>(&read))
        for (auto const& finding : *problems) text += to_text(finding) + "\n";
    return text + agent::json_schema::to_text(published().check(document), "the document");
}

TEST(definition_schema, accepts_the_whole_format) {
    EXPECT_EQ(why(document()), "");
}

TEST(definition_schema, and_the_reader_agree_on_every_member) {
    for (auto const& pointer : members())
        for (auto const& replacement : replacements()) {
            auto changed = document();
            changed.at_pointer(pointer) = replacement;
            EXPECT_EQ(published().check(changed).empty(), accepted(changed))
                << pointer << " = " << json::serialize(replacement) << "\n"
                << why(changed);
        }
}

TEST(definition_schema, and_the_reader_agree_on_what_may_be_missing) {
    for (auto const& pointer : members()) {
        auto changed = document();
        auto const slash = pointer.rfind('/');
        auto const parent = pointer.substr(0, slash);
        changed.at_pointer(parent).get_object().erase(pointer.substr(slash + 1));
        EXPECT_EQ(published().check(changed).empty(), accepted(changed))
            << "without " << pointer << "\n"
            << why(changed);
    }
}

TEST(definition_schema, and_the_reader_agree_on_how_many_there_may_be) {
    auto const limits = definition_limits{};
    for (auto [list, most] :
         {std::pair{"nodes", limits.nodes}, {"connections", limits.connections}}) {
        auto const most_items =
            definition_schema().at("properties").at(list).at("maxItems").to_number<std::size_t>();
        EXPECT_EQ(most_items, most) << list;
    }
}

} // namespace
} // namespace postrider::agent::flow::definition_schema_test
