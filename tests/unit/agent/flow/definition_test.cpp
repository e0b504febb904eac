#include "agent/flow/document/definition.hpp"
#include "base/json/json.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::definition_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::problems_of_form;
using tests::read_flow;

constexpr std::string_view whole = R"({
    "format": 1,
    "name": "support-1",
    "description": "Answers customers",
    "made_by": {"tool": "sketch", "of": [1, 2.5, null]},
    "settings": {
        "lane": "customer:{{ $json.user }}", "mailbox": "coalesce", "debounce": "1500ms",
        "timeout": "1h 30min", "help": "Ask me.", "help_in": {"de": "Frag mich."}, "error_flow": "alarm", "variables": {"limit": 7}, "colour": "red"
    },
    "nodes": [
        {"id": "in", "name": "Bot", "type": "telegram.message", "parameters": {"bots": ["main"]},
         "position": [10, -2.5], "width": 220},
        {"id": "a-1", "name": "Assistant", "type": "agent", "type_version": 2, "disabled": true,
         "notes": "first\nsecond", "on_error": "error_output",
         "retry": {"tries": 3, "delay": "2s", "jitter": false}}
    ],
    "connections": [
        {"from": "in", "to": "a-1", "label": "hello"},
        {"type": "ai_model", "from": "in", "to": "a-1"},
        {"type": "main", "from": "a-1", "output": "error", "to": "in", "input": "x"}
    ]
})";

TEST(definition, is_read_whole) {
    auto const flow = read_flow(whole);
    EXPECT_EQ(flow.name, "support-1");
    EXPECT_EQ(flow.description, "Answers customers");
    EXPECT_EQ(flow.settings.lane, "customer:{{ $json.user }}");
    EXPECT_EQ(flow.settings.mailbox, "coalesce");
    EXPECT_EQ(flow.settings.debounce, 1500ms);
    EXPECT_EQ(flow.settings.timeout, 90min);
    EXPECT_EQ(flow.settings.help, "Ask me.");
    EXPECT_EQ(flow.settings.help_in.at("de"), "Frag mich.");
    EXPECT_EQ(flow.settings.error_flow, "alarm");
    EXPECT_EQ(flow.settings.variables.at("limit"), 7);

    ASSERT_EQ(flow.nodes.size(), 2u);
    auto const& bot = flow.nodes[0];
    EXPECT_EQ(bot.position, (std::pair{10.0, -2.5}));
    EXPECT_EQ(bot.type_version, 1);
    EXPECT_EQ(bot.on_error, error_strategy::fail);
    EXPECT_FALSE(bot.retry);
    EXPECT_EQ(boost::json::serialize(bot.parameters), R"({"bots":["main"]})");
    auto const& assistant = flow.nodes[1];
    EXPECT_EQ(assistant.path, "/nodes/1");
    EXPECT_EQ(assistant.type_version, 2);
    EXPECT_TRUE(assistant.disabled);
    EXPECT_EQ(assistant.notes, "first\nsecond");
    EXPECT_EQ(assistant.on_error, error_strategy::error_output);
    ASSERT_TRUE(assistant.retry);
    EXPECT_EQ(assistant.retry->limit, 2) << "retries after the first try";
    EXPECT_EQ(assistant.retry->delay, 2s);

    ASSERT_EQ(flow.connections.size(), 3u);
    EXPECT_EQ(flow.connections[0].output, "main");
    EXPECT_EQ(flow.connections[0].input, "main");
    EXPECT_EQ(flow.connections[1].type, "ai_model");
    EXPECT_EQ(flow.connections[1].input, "ai_model");
    EXPECT_EQ(flow.connections[2].from, 1u);
    EXPECT_EQ(flow.connections[2].output, "error");
    EXPECT_EQ(flow.connections[2].to, 0u);
    EXPECT_EQ(flow.connections[2].path, "/connections/2");
    EXPECT_EQ(flow.find("Assistant"), 1u);
    EXPECT_EQ(flow.find("a-1"), 1u);
    EXPECT_EQ(flow.find("nobody"), std::nullopt);
}

TEST(definition, keeps_what_it_does_not_know) {
    auto const flow = read_flow(whole);
    EXPECT_EQ(boost::json::value(flow.document), base::parse_json(whole).value());
    EXPECT_EQ(
        boost::json::value(read_flow(boost::json::serialize(flow.document)).document),
        boost::json::value(flow.document)
    );
}

struct misform {
    std::string text;
    std::string problem;
};

std::string one_node(std::string_view members) {
    return fmt::format(R"({{"format":1,"name":"f","nodes":[{{{}}}]}})", members);
}

std::string with_settings(std::string_view settings) {
    return flow_text("", "", settings);
}

std::string with_link(std::string_view connection) {
    return flow_text(node_text("a", "set") + "," + node_text("b", "set"), connection);
}

TEST(definition, names_every_mistake_of_form_with_its_path) {
    auto const word = std::string(64, 'x');
    for (auto const& [text, problem] : {
             misform{"[1]", "wrong_type "},
             misform{R"({"name":"f","nodes":[]})", "missing_member "},
             misform{R"({"format":1,"nodes":[]})", "missing_member "},
             misform{R"({"format":1,"name":"f"})", "missing_member "},
             misform{R"({"format":2,"name":"f","nodes":[]})", "unknown_format /format"},
             misform{R"({"format":"1","name":"f","nodes":[]})", "wrong_type /format"},
             misform{R"({"format":1,"name":"F","nodes":[]})", "invalid_text /name"},
             misform{R"({"format":1,"name":"-f","nodes":[]})", "invalid_text /name"},
             misform{R"({"format":1,"name":"","nodes":[]})", "invalid_text /name"},
             misform{R"({"format":1,"name":")" + word + R"(","nodes":[]})", "invalid_text /name"},
             misform{R"({"format":1,"name":7,"nodes":[]})", "wrong_type /name"},
             misform{R"({"format":1,"name":"f","nodes":{}})", "wrong_type /nodes"},
             misform{R"({"format":1,"name":"f","nodes":[1]})", "wrong_type /nodes/0"},
             misform{
                 R"({"format":1,"name":"f","description":1,"nodes":[]})",
                 "wrong_type /description"},
             misform{R"({"format":1,"name":"f","settings":[],"nodes":[]})", "wrong_type /settings"},
             misform{
                 R"({"format":1,"name":"f","nodes":[],"connections":{}})",
                 "wrong_type /connections"},
             misform{with_settings(R"("lane":1)"), "wrong_type /settings/lane"},
             misform{with_settings(R"("mailbox":"que")"), "unknown_word /settings/mailbox"},
             misform{with_settings(R"("debounce":"5")"), "invalid_duration /settings/debounce"},
             misform{with_settings(R"("debounce":"2h")"), "too_long /settings/debounce"},
             misform{with_settings(R"("timeout":10)"), "wrong_type /settings/timeout"},
             misform{with_settings(R"("timeout":"367d")"), "too_long /settings/timeout"},
             misform{with_settings(R"("timeout":"100000d")"), "too_long /settings/timeout"},
             misform{with_settings(R"("timeout":"100000")"), "invalid_duration /settings/timeout"},
             misform{
                 with_settings(R"("debounce":"99999999999999999999s")"),
                 "too_long /settings/debounce"},
             misform{with_settings(R"("help":7)"), "wrong_type /settings/help"},
             misform{with_settings(R"("help_in":"x")"), "wrong_type /settings/help_in"},
             misform{with_settings(R"("help_in":{"de":7})"), "wrong_type /settings/help_in/de"},
             misform{with_settings(R"("error_flow":"A b")"), "invalid_text /settings/error_flow"},
             misform{with_settings(R"("variables":[])"), "wrong_type /settings/variables"},
             misform{one_node(R"("name":"a","type":"t")"), "missing_member /nodes/0"},
             misform{one_node(R"("id":"a","type":"t")"), "missing_member /nodes/0"},
             misform{one_node(R"("id":"a","name":"a")"), "missing_member /nodes/0"},
             misform{one_node(R"("id":"a b","name":"a","type":"t")"), "invalid_text /nodes/0/id"},
             misform{
                 one_node(R"("id":"a","name":"a\nb","type":"t")"), "invalid_text /nodes/0/name"},
             misform{one_node(R"("id":"a","name":"a","type":"T")"), "invalid_text /nodes/0/type"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","type_version":0)"),
                 "out_of_range /nodes/0/type_version"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","type_version":1.5)"),
                 "wrong_type /nodes/0/type_version"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","position":[1])"),
                 "wrong_type /nodes/0/position"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","parameters":[])"),
                 "wrong_type /nodes/0/parameters"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","disabled":0)"),
                 "wrong_type /nodes/0/disabled"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","notes":null)"),
                 "wrong_type /nodes/0/notes"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","on_error":"retry")"),
                 "unknown_word /nodes/0/on_error"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","retry":{})"),
                 "missing_member /nodes/0/retry"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","retry":{"tries":0})"),
                 "out_of_range /nodes/0/retry/tries"},
             misform{
                 one_node(R"("id":"a","name":"a","type":"t","retry":{"tries":2,"delay":"x"})"),
                 "invalid_duration /nodes/0/retry/delay"},
             misform{with_link("7"), "wrong_type /connections/0"},
             misform{with_link(R"({"to":"b"})"), "missing_member /connections/0"},
             misform{with_link(R"({"from":"a"})"), "missing_member /connections/0"},
             misform{with_link(link_text("a", "c")), "unknown_node /connections/0/to"},
             misform{with_link(link_text("c", "b")), "unknown_node /connections/0/from"},
             misform{
                 with_link(link_text("a", "b", R"("output":"")")),
                 "invalid_text /connections/0/output"},
             misform{
                 with_link(link_text("a", "b", R"("input":1)")), "wrong_type /connections/0/input"},
             misform{
                 flow_text(node_text("a", "set") + "," + node_text("a", "set")),
                 "duplicate_id /nodes/1/id"},
         })
        EXPECT_THAT(codes(problems_of_form(text)), testing::Contains(problem)) << text;
}

TEST(definition, lists_all_mistakes_at_once) {
    auto const problems = problems_of_form(flow_text(
        R"({"id":"a","name":"One","type":"set","disabled":1},{"id":"b","name":"One","type":"set"},
           {"id":"c","name":"b","type":"set"})",
        link_text("One", "b"),
        R"("mailbox":"rout")"
    ));
    EXPECT_THAT(
        codes(problems),
        ElementsAre(
            "unknown_word /settings/mailbox",
            "wrong_type /nodes/0/disabled",
            "duplicate_name /nodes/1/name",
            "duplicate_name /nodes/2/name",
            "unknown_node /connections/0/from"
        )
    );
    EXPECT_EQ(problems[0].hint, "did you mean \"route\"?");
    EXPECT_EQ(problems[1].node, "One");
    EXPECT_EQ(problems[4].hint, "this is a name; the id is \"a\"");
}

TEST(definition, refuses_members_that_are_there_twice) {
    auto const problems = problems_of_form(
        R"({"format":1,"name":"f","nodes":[{"id":"a","name":"a","type":"set",
            "parameters":{"fields":{"x/y":1,"z":2,"x\u002fy":3}},"id":"b"}],"name":"g"})"
    );
    EXPECT_THAT(
        codes(problems),
        ElementsAre(
            "duplicate_member /nodes/0/parameters/fields/x~1y",
            "duplicate_member /nodes/0/id",
            "duplicate_member /name"
        )
    );
    EXPECT_THAT(
        problems_of_form(R"({"format":1,"name":"f","nodes":[],"a":{"name":1}})"), IsEmpty()
    );
}

TEST(definition, says_where_a_text_is_no_json) {
    auto const broken = problems_of_form("{\"format\": 1,\n  \"name\": }");
    ASSERT_EQ(codes(broken), std::vector<std::string>{"not_json "});
    EXPECT_THAT(broken[0].message, HasSubstr("line 2, column 11"));
    for (auto text : {"", " ", "{", "{} x", "nul", "{\"a\":1,}", "\xff", "\xef\xbb"})
        EXPECT_EQ(codes(problems_of_form(text)), std::vector<std::string>{"not_json "}) << text;
    EXPECT_THAT(
        codes(problems_of_form(R"({"format":1,"name":"f","nodes":[],"x":[0,1e400]})")),
        ElementsAre("number_out_of_range /x/1")
    );
}

TEST(definition, has_no_text_that_cannot_be_stored) {
    EXPECT_THAT(
        codes(problems_of_form(
            R"({"format":1,"name":"f\u0000","x":["",{"y\u0000z":"a\u0000"}],"nodes":[]})"
        )),
        ElementsAre(
            "invalid_text /name",
            std::string("invalid_text /x/1/y\0z", 21),
            std::string("invalid_text /x/1/y\0z", 21)
        )
    );
    auto document = boost::json::parse(one_node(R"("id":"a","name":"a","type":"t")"));
    document.as_object()["x"] = boost::json::array{boost::json::string_view("\0", 1)};
    EXPECT_THAT(
        codes(std::get<std::vector<problem>>(read_definition(document))),
        ElementsAre("invalid_text /x/0")
    );
}

TEST(definition, may_begin_with_a_byte_order_mark) {
    auto const text = one_node(R"("id":"a","name":"a","type":"t")");
    EXPECT_EQ(tests::read_flow("\xef\xbb\xbf" + text).nodes.size(), 1u);
    EXPECT_THAT(problems_of_form("\xef\xbb\xbf{x")[0].message, HasSubstr("line 1, column 2"));
}

} // namespace
} // namespace postrider::agent::flow::definition_test
