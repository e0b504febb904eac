// docs/flows.md says which documents the validator refuses, and what it warns of: each code of its table, and each
// sentence that names a bound or a rule, is tried with a document.
#include "agent/describe/bounds.hpp"
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/document_rows.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace postrider::agent::flow::documented_refusals_test {
namespace {

using tests::flow_text;
using tests::link_text;
using tests::node_text;

std::string repeated(std::size_t count, std::string_view part, std::string_view between = "") {
    std::string joined;
    for (std::size_t i = 0; i < count; ++i) {
        if (i) joined += between;
        joined += part;
    }
    return joined;
}

// Behind a trigger, by the id "a".
std::string behind(std::string const& node, std::string_view trigger = "manual") {
    return flow_text(node_text("in", trigger) + "," + node, link_text("in", "a"));
}

std::string node_a(std::string_view type, std::string_view parameters) {
    return behind(node_text("a", type, parameters));
}

std::string field_x(std::string_view text) {
    return node_a("set", fmt::format(R"("fields":{{"x":"{}"}})", text));
}

std::string with_settings(std::string_view settings) {
    return flow_text(node_text("in", "manual"), "", settings);
}

// An agent with so many models, and what more hangs on it.
std::string with_models(int models, std::string_view nodes = "", std::string_view links = "") {
    auto node_list = node_text("in", "manual") + "," + node_text("a", "agent", R"("prompt":"x")");
    auto connections = link_text("in", "a");
    for (int i = 0; i < models; ++i) {
        auto const id = fmt::format("m{}", i);
        node_list += "," + node_text(id, "model", R"("model":"default")");
        connections += "," + link_text(id, "a", R"("type":"ai_model")");
    }
    for (auto [list, more] : {std::pair(&node_list, nodes), std::pair(&connections, links)})
        if (!more.empty()) *list += "," + std::string(more);
    return flow_text(node_list, connections);
}

std::string with_two(std::string_view type, std::string_view connection) {
    return with_models(
        1,
        node_text("p1", type) + "," + node_text("p2", type),
        link_text("p1", "a", connection) + "," + link_text("p2", "a", connection)
    );
}

// In → Loop ⟲ A → B, and behind it Out; with one connection more.
std::string with_loop(std::string const& link) {
    std::string nodes = node_text("In", "manual") + "," + node_text("Loop", "items.loop");
    for (auto name : {"A", "B", "Out"}) nodes += "," + node_text(name, "set", R"("fields":{})");
    return flow_text(
        nodes,
        link_text("In", "Loop") + "," + link_text("Loop", "A", R"("output":"each")") + "," +
            link_text("A", "B") + "," + link_text("B", "Loop", R"("input":"next")") + "," +
            link_text("Loop", "Out", R"("output":"done")") + "," + link
    );
}

std::string hook(std::string_view id) {
    return node_text(id, "webhook", R"("path":"orders","secret":"s")");
}

std::string with_circle() {
    return flow_text(
        node_text("in", "manual") + "," + node_text("a", "set", R"("fields":{})") + "," +
            node_text("b", "set", R"("fields":{})"),
        link_text("in", "a") + "," + link_text("a", "b") + "," + link_text("b", "a")
    );
}

// Its configuration.
validation_context configuration() {
    validation_context context;
    for (auto name : {"bot", "credential", "flow", "mcp_server", "secret"})
        context.names[name] = {"s"};
    context.names["model"] = {"default", "plain"};
    context.providers = {{"default", {"anthropic"}}, {"plain", {"openai"}}};
    context.has_approvers = false;
    context.toolless_model = [](std::string const& entry, std::string_view) {
        return std::string(entry == "plain" ? "openai/plain" : "");
    };
    return context;
}

std::multiset<std::string> codes_of(std::string_view text) {
    static catalog const types = builtin_types();
    std::multiset<std::string> codes;
    for (auto const& problem : examine(text, types, configuration()).problems)
        codes.insert(problem.code);
    return codes;
}

// A document for each code of the table.
std::multimap<std::string, std::string> documents() {
    auto const two = node_text("in", "manual") + "," + node_text("a", "set", R"("fields":{})");
    std::string unknown; // nodes
    for (int i = 0; i < 150; ++i)
        unknown += (i ? "," : "") + node_text(fmt::format("n{}", i), "agnet");
    auto const tool = R"("name":"pay","description":"Pays.","flow":"s","risk":"high")";
    return {
        {"not_json", "{"},
        {"too_large", flow_text(node_text("in", "manual")) + repeated(4u << 20, " ")},
        {"too_deep",
         R"({"format":1,"name":"f","nodes":[],"x":)" + repeated(40, "[") + repeated(40, "]") + "}"},
        {"too_many_nodes", flow_text(repeated(1001, node_text("a", "manual"), ","))},
        {"too_many_connections", flow_text(two, repeated(5001, link_text("in", "a"), ","))},
        {"duplicate_member", R"({"format":1,"name":"f","name":"g","nodes":[]})"},
        {"number_out_of_range", R"({"format":1,"name":"f","nodes":[],"x":1e400})"},
        {"unknown_member", with_settings(R"("tiemout":"1h")")},
        {"unknown_format", R"({"format":2,"name":"f","nodes":[]})"},
        {"missing_member", R"({"format":1,"name":"f"})"},
        {"wrong_type", R"({"format":1,"name":7,"nodes":[]})"},
        {"invalid_text", R"({"format":1,"name":"F","nodes":[]})"},
        {"invalid_duration", with_settings(R"("timeout":"10")")},
        {"unknown_word", with_settings(R"("mailbox":"que")")},
        {"out_of_range", with_settings(R"("timeout":"999ms")")},
        {"too_long", with_settings(R"("debounce":"2h")")},
        {"duplicate_id", flow_text(node_text("a", "manual") + "," + node_text("a", "manual"))},
        {"duplicate_name",
         flow_text(R"({"id":"a","name":"x","type":"manual"},{"id":"b","name":"x","type":"manual"})"
         )},
        {"unknown_node", flow_text(node_text("in", "manual"), link_text("in", "c"))},
        {"unknown_type", node_a("agnet", "")},
        {"unknown_version",
         behind(node_text("a", "stop", R"("message":"m")", R"("type_version":9)"))},
        {"missing_parameter", node_a("stop", "")},
        {"missing_parameter", node_a("stop", R"("message":null)")},
        {"unknown_parameter", node_a("stop", R"("message":"m","mesage":"n")")},
        {"invalid_parameter", node_a("stop", R"("message":7)")},
        {"parameter_choice", node_a("wait", "")},
        {"parameter_choice", node_a("wait", R"("duration":"1s","event":"e")")},
        {"expression", field_x("{{ 1 + }}")},
        {"too_many_expressions", field_x(repeated(10'001, "{{1}}"))},
        {"expression_not_allowed",
         flow_text(node_text("a", "webhook", R"("path":"{{ $json.x }}","secret":"s")"))},
        {"from_ai_not_allowed", field_x("{{ $from_ai('city') }}")},
        {"simpler_node", node_a("code", R"("code":"return { n: $json.n + 1 };")")},
        {"raw_html", field_x("{{ html_raw($json.a) }}")},
        {"header_left_out", node_a("http.respond", R"("headers":{"Refresh":"0"})")},
        {"unknown_field",
         behind(node_text("a", "set", R"("fields":{"x":"{{ $json.txt }}"})"), "telegram.message")},
        {"not_before", field_x("{{ $node['a'].json.x }}")},
        {"not_yet", with_settings(R"("lane":"{{ $session.user }}")")},
        {"wrong_provider", flow_text(node_text("a", "model.anthropic", R"("credential":"plain")"))},
        {"unknown_output", flow_text(two, link_text("in", "a", R"("output":"out")"))},
        {"unknown_input", flow_text(two, link_text("a", "in"))},
        {"wrong_connection",
         with_models(1, "", link_text("m0", "a", R"("type":"ai_tool","output":"ai_model")"))},
        {"duplicate_connection", flow_text(two, link_text("in", "a") + "," + link_text("in", "a"))},
        {"surplus_connection", with_two("memory.window", R"("type":"ai_memory")")},
        {"missing_connection", with_models(0)},
        {"duplicate_output",
         node_a(
             "switch", R"("rules":[{"name":"x","condition":true},{"name":"x","condition":true}])"
         )},
        {"duplicate_tool", with_two("tool.calculator", R"("type":"ai_tool")")},
        {"cycle", with_circle()},
        {"outside_loop", with_loop(link_text("Out", "Loop", R"("input":"next")"))},
        {"into_loop", with_loop(link_text("Out", "B"))},
        {"no_trigger", flow_text(node_text("a", "stop", R"("message":"m")"))},
        {"path_taken", flow_text(hook("a") + "," + hook("b"))},
        {"unknown_chat",
         flow_text(
             hook("in") + "," + node_text("a", "telegram.send", R"("text":"x")"),
             link_text("in", "a")
         )},
        {"chat_waits", behind(node_text("a", "wait", R"("duration":"1h")"), "telegram.message")},
        {"no_approver",
         flow_text(
             hook("in") + "," + node_text("a", "agent") + "," + node_text("m", "model") + "," +
                 node_text("t", "tool.flow", tool),
             link_text("in", "a") + "," + link_text("m", "a", R"("type":"ai_model")") + "," +
                 link_text("t", "a", R"("type":"ai_tool")")
         )},
        {"model_without_tools",
         with_models(
             0,
             node_text("m", "model", R"("model":"plain")") + "," +
                 node_text("t", "tool.calculator"),
             link_text("m", "a", R"("type":"ai_model")") + "," +
                 link_text("t", "a", R"("type":"ai_tool")")
         )},
        {"unreachable", flow_text(two)},
        {"more_problems", flow_text(unknown)},
        {"unknown_bot", flow_text(node_text("in", "telegram.message", R"("bots":["mian"])"))},
        {"unknown_credential",
         node_a("http.request", R"("url":"https://a.example","credential":"x")")},
        {"unknown_flow", node_a("call_flow", R"("flow":"billing")")},
        {"unknown_mcp_server",
         with_models(
             1,
             node_text("t", "tool.mcp", R"("servers":["fiels"])"),
             link_text("t", "a", R"("type":"ai_tool")")
         )},
        {"unknown_model", flow_text(node_text("m", "model", R"("model":"fast")"))},
        {"unknown_secret", flow_text(node_text("in", "webhook", R"("path":"p","secret":"x")"))},
    };
}

// Two need the other flows of a database (tests/integration/agent/publishing_test.cpp, rivals_test.cpp), and the last a
// machine without time zones.
std::set<std::string, std::less<>> const of_elsewhere{
    "not_callable", "rivalled_trigger", "bad_schedule"};

TEST(documented_refusals, are_all_made) {
    auto const tried = documents();
    std::set<std::string> listed;
    for (auto const& row : tests::document_rows("| code | |")) listed.insert(row.at(0));
    ASSERT_GT(listed.size(), 50u) << "the table was not found";
    for (auto const& code : listed)
        EXPECT_TRUE(tried.contains(code) || of_elsewhere.contains(code))
            << code << " is in the table, and no document here is refused by it";
    for (auto const& [code, text] : tried) {
        EXPECT_TRUE(listed.contains(code)) << code << " is not in the table";
        EXPECT_TRUE(codes_of(text).contains(code))
            << code << " does not come of " << text.substr(0, 400);
    }
}

struct sentence {
    std::string_view words; // of the page, with single spaces
    std::string_view code;
    std::string text;
};

TEST(documented_refusals, keep_what_sentences_say) {
    std::ifstream file(tests::source("docs/flows.md"));
    std::stringstream stream;
    stream << file.rdbuf();
    std::string page;
    for (char c : stream.str()) {
        char const blank = c == '\n' ? ' ' : c;
        if (blank != ' ' || !page.ends_with(' ')) page += blank;
    }
    auto const node = [](std::string_view members) {
        return fmt::format(R"({{"format":1,"name":"f","nodes":[{{{}}}]}})", members);
    };
    for (auto const& [words, code, text] : {
             sentence{
                 "No text may contain the character U+0000",
                 "invalid_text",
                 R"({"format":1,"name":"f","nodes":[],"x":"\u0000"})"},
             sentence{
                 "counts as 60 more",
                 "too_many_expressions",
                 field_x(repeated(170, "{{ 'a'.matches('a') }}"))},
             sentence{
                 "of the flow: up to 63 of",
                 "invalid_text",
                 fmt::format(R"({{"format":1,"name":"{}","nodes":[]}})", repeated(64, "x"))},
             sentence{"at most an hour", "too_long", with_settings(R"("debounce":"61min")")},
             sentence{"at least a second", "out_of_range", with_settings(R"("timeout":"999ms")")},
             sentence{
                 "up to 2,000 characters",
                 "invalid_text",
                 with_settings(fmt::format(R"("help":"{}")", repeated(2001, "x")))},
             sentence{
                 "and the color `yellow`",
                 "unknown_word",
                 R"({"format":1,"name":"f","nodes":[],"notes":[{"id":"n","text":"","x":0,"y":0,"color":"pink"}]})"},
             sentence{
                 "Spans of time have their unit",
                 "invalid_duration",
                 with_settings(R"("timeout":"10")")},
             sentence{
                 "up to 40 of A-Z",
                 "invalid_text",
                 node(fmt::format(R"("id":"{}","name":"a","type":"set")", repeated(41, "x")))},
             sentence{"A circle is an error", "cycle", with_circle()},
             sentence{
                 "one to five models", "surplus_connection", with_models(bounds::most_models + 1)},
             sentence{"one to five models", "missing_connection", with_models(0)},
             sentence{
                 "at most one memory",
                 "surplus_connection",
                 with_two("memory.window", R"("type":"ai_memory")")},
             sentence{
                 "the result is a text, and the validator refuses it",
                 "invalid_parameter",
                 node_a("if", R"("condition":"{{ $json.total }} > 100")")},
             sentence{
                 "must be literal: an expression cannot replace the list",
                 "expression_not_allowed",
                 node_a("switch", R"("rules":"{{ $vars.rules }}")")},
             sentence{
                 "`duration` (`1h 30min`)",
                 "invalid_parameter",
                 node_a("wait", R"("duration":"soon")")},
             sentence{
                 "`instant` (`2026-11-21T08:53:00Z`)",
                 "invalid_parameter",
                 node_a("wait", R"("until":"tomorrow")")},
             sentence{
                 "`cron` (five fields)",
                 "invalid_parameter",
                 flow_text(node_text("in", "schedule", R"("cron":"* * *")"))},
             sentence{
                 "`timezone` (a name such as `Europe/Berlin`)",
                 "invalid_parameter",
                 flow_text(node_text("in", "schedule", R"("cron":"0 9 * * *","timezone":"Mars")"))},
             sentence{
                 "`path` (below `/hooks/`)",
                 "invalid_parameter",
                 flow_text(node_text("in", "webhook", R"("path":"/x","secret":"s")"))},
             sentence{
                 "A value to fill in is `null`",
                 "missing_parameter",
                 node_a("telegram.send", R"("text":"x","chat":null,"bot":"s")")},
         }) {
        EXPECT_NE(page.find(words), page.npos) << "docs/flows.md does not say: " << words;
        EXPECT_TRUE(codes_of(text).contains(std::string(code)))
            << words << ": " << code << " does not come of " << text.substr(0, 400);
    }
}

} // namespace
} // namespace postrider::agent::flow::documented_refusals_test
