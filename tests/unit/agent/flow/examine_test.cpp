// What is wrong with the form of a document hides nothing else, and nothing is told that only
// follows from it.
#include "tests/unit/agent/flow/flow_text.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::examine_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;

examination examined(std::string_view text) {
    static catalog const types = builtin_types();
    return examine(text, types);
}

std::vector<std::string> problems_of(std::string_view text) {
    auto const seen = examined(text);
    EXPECT_FALSE(seen.flow) << "not to be kept";
    return codes(seen.problems);
}

constexpr std::string_view agent_links =
    R"({"from":"in","to":"a"},{"from":"m","to":"a","type":"ai_model"})";

std::string agent_nodes(std::string const& more = "") {
    return node_text("in", "manual") + "," + node_text("a", "agent") + "," +
           node_text("m", "model") + (more.empty() ? "" : ",") + more;
}

TEST(examine, lists_what_is_wrong_with_form_and_meaning_at_once) {
    auto const text = R"({
        "format": 1, "name": "Bad Name", "settings": {"timeout": "soon", "lane": "{{ 1 + }}"},
        "nodes": [
            {"id": "in", "name": "In", "type": "manual", "position": [1]},
            {"id": "s", "name": "Stop", "type": "stop", "disabled": "no"},
            {"id": "s 2", "name": "Stop 2", "type": "stpo"}],
        "connections": [{"from": "in", "to": "s"}, {"from": "s", "to": "s 2", "output": "x"}]})";
    EXPECT_THAT(
        problems_of(text),
        ElementsAre(
            "invalid_text /name",
            "invalid_duration /settings/timeout",
            "wrong_type /nodes/0/position",
            "wrong_type /nodes/1/disabled",
            "invalid_text /nodes/2/id",
            "unknown_type /nodes/2/type",
            "expression /settings/lane",
            "missing_parameter /nodes/1/parameters/message",
            "unknown_output /connections/1/output"
        )
    );
}

TEST(examine, gives_the_flow_where_only_its_meaning_is_wrong) {
    auto const seen = examined(flow_text(node_text("in", "manul")));
    EXPECT_THAT(codes(seen.problems), ElementsAre("unknown_type /nodes/0/type"));
    ASSERT_TRUE(seen.flow);
    EXPECT_EQ(seen.flow->name, "test");
    EXPECT_THAT(examined(flow_text(node_text("in", "manual"))).problems, IsEmpty());
}

TEST(examine, gives_nothing_of_what_is_no_document) {
    EXPECT_THAT(problems_of("{"), ElementsAre("not_json "));
    EXPECT_THAT(problems_of("[]"), ElementsAre("wrong_type "));
}

struct unreadable {
    std::string text;
    std::string problem;
};

TEST(examine, tells_nothing_that_follows_from_what_could_not_be_read) {
    auto const asks = [](std::string_view name) {
        return node_text(
            "s", "set", fmt::format(R"("fields":{{"x":"{{{{ $node['{}'].json }}}}"}})", name)
        );
    };
    auto const links = std::string(agent_links);
    for (auto const& [text, problem] : {
             // Which connection is another node's, which expression?
             unreadable{
                 flow_text(agent_nodes("7"), links + "," + link_text("a", "lost")),
                 "wrong_type /nodes/3"},
             unreadable{
                 flow_text(agent_nodes(R"({"name":"n","type":"manual"})"), links),
                 "missing_member /nodes/3"},
             unreadable{
                 flow_text(agent_nodes(asks("Lost") + ",7"), links + "," + link_text("a", "s")),
                 "wrong_type /nodes/4"},
             // Of two nodes of one id nobody knows whose connections these are.
             unreadable{
                 flow_text(
                     agent_nodes(R"({"id":"m","name":"M","type":"model.rules"})"),
                     links + "," + link_text("m", "a", R"("type":"ai_model")")
                 ),
                 "duplicate_id /nodes/3/id"},
             unreadable{
                 flow_text(
                     agent_nodes(asks("a") + R"(,{"id":"z","name":"a","type":"manual"})"),
                     links + "," + link_text("in", "s")
                 ),
                 "duplicate_name /nodes/4/name"},
             // The model is connected to what is not there, so the agent has none.
             unreadable{
                 flow_text(
                     agent_nodes(),
                     link_text("in", "a") + "," + link_text("m", "b", R"("type":"ai_model")")
                 ),
                 "unknown_node /connections/1/to"},
             unreadable{
                 flow_text(
                     agent_nodes(asks("a")), links + "," + link_text("a", "s", R"("input":7)")
                 ),
                 "wrong_type /connections/2/input"},
             unreadable{
                 R"({"format":1,"name":"f","nodes":{},"connections":[{"from":"a","to":"b"}]})",
                 "wrong_type /nodes"},
             unreadable{
                 R"({"format":1,"name":"f","nodes":[)" + agent_nodes() + R"(],"connections":{}})",
                 "wrong_type /connections"},
             // Neither what it needs nor its outputs are known.
             unreadable{
                 flow_text(
                     R"({"id":"in","name":"in","type":"manual"},
                        {"id":"w","name":"w","type":"switch","parameters":[]},)" +
                         node_text("s", "set", R"("fields":{})"),
                     link_text("in", "w") + "," + link_text("w", "s", R"("output":"big")")
                 ),
                 "wrong_type /nodes/1/parameters"},
             unreadable{
                 flow_text(
                     node_text("in", "manual") + "," +
                         node_text("w", "wait", R"("duration":"1s")", R"("on_error":"output")") +
                         "," + node_text("s", "set", R"("fields":{})"),
                     link_text("in", "w") + "," + link_text("w", "s", R"("output":"error")")
                 ),
                 "unknown_word /nodes/1/on_error"},
             unreadable{
                 flow_text(R"({"id":"in","name":"in","type":"Manual"})"),
                 "invalid_text /nodes/0/type"},
             unreadable{
                 flow_text(R"({"id":"in","name":"in","type":"manual","type_version":"1"})"),
                 "wrong_type /nodes/0/type_version"},
         })
        EXPECT_THAT(problems_of(text), ElementsAre(problem)) << text;
}

TEST(examine, a_node_whose_id_is_not_fit_is_there) {
    EXPECT_THAT(
        problems_of(flow_text(
            R"({"id":"my in","name":"in","type":"manual"},)" +
                node_text("s", "set", R"("fields":{})"),
            link_text("my in", "s") + "," + link_text("s", "other")
        )),
        ElementsAre("invalid_text /nodes/0/id", "unknown_node /connections/1/to")
    );
}

// A duplicate member, for one: the text is JSON nevertheless.
TEST(examine, reads_on_behind_what_reading_would_lose) {
    EXPECT_THAT(
        problems_of(R"({"format":1,"name":"f","name":"f",
                        "nodes":[{"id":"in","name":"in","type":"manul"}]})"),
        ElementsAre("duplicate_member /name", "unknown_type /nodes/0/type")
    );
}

// Each hangs on all before it: the work must not grow with the ways between them.
TEST(examine, goes_through_a_long_chain_of_parts) {
    std::vector<std::string> nodes{node_text("in", "manual")};
    std::vector<std::string> links;
    for (std::size_t i = 1; i < definition_limits{}.nodes; ++i) {
        nodes.push_back(node_text(fmt::format("n{}", i), "tool.calculator"));
        if (i > 1)
            links.push_back(
                link_text(fmt::format("n{}", i), fmt::format("n{}", i - 1), R"("type":"ai_tool")")
            );
    }

    auto const seen = examined(flow_text(
        fmt::format("{}", fmt::join(nodes, ",")), fmt::format("{}", fmt::join(links, ","))
    ));

    EXPECT_GE(seen.problems.size(), definition_limits{}.problems);
}

} // namespace
} // namespace postrider::agent::flow::examine_test
