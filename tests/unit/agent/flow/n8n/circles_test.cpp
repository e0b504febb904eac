// Circles of n8n become loops, which alone may be led back to here.
#include "tests/unit/agent/flow/n8n/imported.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n::circles_test {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view polling = R"(
    {"name": "Start", "type": "x.manualTrigger"}, {"name": "Wait", "type": "x.wait", "typeVersion": 1.1, "parameters": {"amount": 5}},
    {"name": "Ask", "type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example"}},
    {"name": "Ready", "type": "x.if", "typeVersion": 2, "parameters": {}}, {"name": "Done", "type": "x.noOp"})";

// covers: S3.19
TEST(n8n_circles, run_in_rounds) {
    auto const draft = imported_workflow(
        polling, linked("Start Wait, Wait Ask, Ask Ready, Ready Done, Ready:1 Wait")
    );
    auto const repeat = node_named(draft, "Wait again");
    EXPECT_EQ(repeat.at("type"), "items.repeat");
    EXPECT_EQ(repeat.at("parameters"), json::parse(R"({"max_rounds": 200})"));
    EXPECT_EQ(
        draft.document.at("connections"),
        json::parse(R"([{"from": "wait_again", "to": "wait", "output": "each"},
                        {"from": "start", "to": "wait_again"}, {"from": "wait", "to": "ask"},
                        {"from": "ask", "to": "ready"}, {"from": "ready", "to": "done", "output": "true"},
                        {"from": "ready", "to": "wait_again", "output": "false", "input": "again"}])"
        )
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
    std::vector<std::string> messages;
    for (auto const& problem : draft.problems) messages.push_back(problem.message);
    EXPECT_THAT(messages, Contains(HasSubstr("a circle begins here")));
}

TEST(n8n_circles, may_lead_to_themselves_and_be_within_others) {
    EXPECT_THAT(
        errors_of(imported_workflow(polling, linked("Start Wait, Wait Wait, Wait Done"))), IsEmpty()
    );
    // The inner one begins at Ask, the outer one at Wait.
    auto const draft = imported_workflow(
        polling, linked("Start Wait, Wait Ask, Ask Ready, Ready Ask, Ready:1 Wait")
    );
    EXPECT_FALSE(node_named(draft, "Ask again").empty());
    EXPECT_FALSE(node_named(draft, "Wait again").empty());
}

// covers: S3.19
TEST(n8n_circles, within_a_loop_end_before_its_next_round) {
    auto const draft = imported_workflow(
        R"({"name": "Start", "type": "x.manualTrigger"}, {"name": "Loop", "type": "x.splitInBatches", "typeVersion": 3},
           {"name": "Try", "type": "x.noOp"}, {"name": "Ready", "type": "x.if", "typeVersion": 2, "parameters": {}})",
        linked("Start Loop, Loop:1 Try, Try Ready, Ready Loop, Ready:1 Try")
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
    EXPECT_THAT(
        json::serialize(draft.document.at("connections")),
        testing::AllOf(
            HasSubstr(R"({"from":"ready","to":"try_again","output":"true","input":"finished"})"),
            HasSubstr(R"({"from":"try_again","output":"done","to":"loop","input":"next"})")
        )
    );
}

TEST(n8n_circles, of_a_loop_are_its_own) {
    auto const draft = imported_workflow(
        R"({"name": "Start", "type": "x.manualTrigger"}, {"name": "Loop", "type": "x.splitInBatches", "typeVersion": 3},
           {"name": "Work", "type": "x.noOp"})",
        linked("Start Loop, Loop:1 Work, Work Loop")
    );
    EXPECT_EQ(draft.document.at("nodes").as_array().size(), 3u);
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

// covers: S3.19
TEST(n8n_circles, a_node_that_runs_once_gets_one_item) {
    auto const draft = imported_workflow(
        R"({"name": "Start", "type": "x.manualTrigger"},
           {"name": "Edit", "type": "x.set", "typeVersion": 3.4, "executeOnce": true, "parameters": {}})",
        linked("Start Edit")
    );
    EXPECT_EQ(node_named(draft, "Edit once").at("type"), "items.limit");
    EXPECT_EQ(node_named(draft, "Edit once").at("parameters"), json::parse(R"({"count": 1})"));
    EXPECT_EQ(
        draft.document.at("connections"),
        json::parse(R"([{"from": "edit_once", "to": "edit"}, {"from": "start", "to": "edit_once"}])"
        )
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

TEST(n8n_circles, end_whatever_leads_where) {
    std::string nodes = R"({"name": "Start", "type": "x.manualTrigger"})";
    json::object connections;
    constexpr int count = 60;
    for (int i = 0; i < count; ++i) {
        nodes += R"(, {"name": "N)" + std::to_string(i) + R"(", "type": "x.noOp"})";
        json::array targets;
        for (int other = 0; other < count; ++other)
            targets.push_back({{"node", "N" + std::to_string(other)}, {"type", "main"}});
        connections["N" + std::to_string(i)] = {{"main", {targets}}};
    }
    auto const draft = imported_workflow(nodes, json::serialize(connections));
    EXPECT_TRUE(std::holds_alternative<definition>(read_definition(draft.document)));
}

} // namespace
} // namespace postrider::agent::flow::n8n::circles_test
