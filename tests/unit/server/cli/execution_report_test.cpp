#include "server/cli/execution_report.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::execution_report_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto document = R"({
    "job_id": 48, "flow": "support", "version": 3, "state": "failed", "took_ms": 1500,
    "created_at": "2026-11-21T09:00:00.000000Z", "error_class": "timeout", "error": "too slow",
    "nodes": [
        {"name": "In", "type": "manual", "state": "done", "began_ms": 0, "ended_ms": 0,
         "input": [], "outputs": {"main": [{"a": 1}, {"a": 2}]}, "error": null},
        {"name": "Which", "type": "if", "state": "done", "began_ms": 0, "ended_ms": 20,
         "input": [{"a": 1}, {"a": 2}], "outputs": {"true": [{"a": 1}], "false": [{"a": 2}]},
         "error": null},
        {"name": "Ask", "type": "agent", "state": "failed", "began_ms": 20, "ended_ms": 1500,
         "input": [{"a": 1}, "12 kB more"], "outputs": {},
         "error": {"code": "timeout", "message": "no\u001b answer"}},
        {"name": "Reply", "type": "telegram.send", "state": "not_reached", "began_ms": null,
         "ended_ms": null, "input": [], "outputs": {}, "error": null}]})";

TEST(execution_report, has_a_line_for_every_node) {
    auto const text = execution_text(boost::json::parse(document));

    EXPECT_THAT(
        text, HasSubstr("execution 48  support v3  failed  created 2026-11-21T09:00:00Z  took 1.5s")
    );
    EXPECT_THAT(text, HasSubstr("error: timeout: too slow\n"));
    auto degraded = boost::json::parse(document);
    degraded.as_object()["state"] = "completed";
    degraded.as_object()["degraded"] = true;
    EXPECT_THAT(execution_text(degraded), HasSubstr("execution 48  support v3  degraded  created"));
    EXPECT_THAT(text, testing::ContainsRegex("In +manual +done +\\+0[a-z]+ +0[a-z]+ +0 +2\n"));
    EXPECT_THAT(text, testing::ContainsRegex("Which +if +done .* +2 +true 1, false 1\n"));
    EXPECT_THAT(
        text, testing::ContainsRegex("Ask +agent +failed +\\+20ms .* 1\\+ +timeout: no. answer\n")
    );
    EXPECT_THAT(text, testing::ContainsRegex("Reply +telegram.send +not_reached +- +-\n"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(execution_report, shows_the_items_that_came_out) {
    auto const text = execution_text(boost::json::parse(document));

    EXPECT_THAT(text, HasSubstr("\nIn\n  {\"a\":1}\n  {\"a\":2}\n"));
    EXPECT_THAT(text, HasSubstr("\nWhich\n  true: {\"a\":1}\n  false: {\"a\":2}\n"));
    EXPECT_THAT(text, Not(HasSubstr("\nReply\n")));
}

TEST(execution_report, shows_a_node_with_what_came_to_it) {
    auto const node = node_text(boost::json::parse(document), "Ask");
    auto const slip = node_text(boost::json::parse(document), "Wich");

    EXPECT_THAT(*node, HasSubstr("\nin\n  {\"a\":1}\n  12 kB more\n"));
    EXPECT_EQ(slip.error(), base::errc::not_found);
    EXPECT_THAT(slip.error().detail, HasSubstr("did you mean Which?"));
}

TEST(execution_report, a_replay_says_where_it_departs) {
    auto const text = replay_text(boost::json::parse(R"({"job_id": 48, "flow": "support",
        "state": "unfinished", "output": null, "error": null, "nodes": [],
        "departures": {"missing": ["ask/model"], "unasked": ["tell/send", "x"]}})"));

    EXPECT_THAT(text, HasSubstr("execution 48  support  replayed: unfinished\n"));
    EXPECT_THAT(text, HasSubstr("does not have: ask/model\n"));
    EXPECT_THAT(text, HasSubstr("of the record: tell/send, x\n"));
}

TEST(execution_report, replays_of_a_flow_are_a_line_each) {
    auto const text = replays_text(boost::json::parse(R"({"flow": "support", "version": "draft",
        "same": 1, "changed": 1, "failed": 0, "replays": [
        {"job_id": 52, "created_at": "2026-11-21T10:00:00Z", "version": 3, "state": "completed",
         "result": "changed", "node": {"id": "note", "name": "Note"}, "reason": "output",
         "detail": "it makes other items"},
        {"job_id": 51, "created_at": "2026-11-21T09:00:00Z", "version": 3, "state": "completed",
         "result": "same", "node": null, "reason": null, "detail": null}]})"));

    EXPECT_THAT(text, HasSubstr("it makes other items"));
    EXPECT_THAT(text, HasSubstr("support, draft: 1 the same, 1 changed, 0 failed\n"));
    EXPECT_THAT(replays_text(boost::json::parse(R"({"replays": []})")), HasSubstr("No execution"));
}

TEST(execution_report, says_when_the_nodes_cannot_be_told) {
    auto const text = execution_text(boost::json::parse(
        R"({"job_id": 48, "flow": "new", "state": "waiting", "nodes": null, "unknown_flow": "no x"})"
    ));

    EXPECT_THAT(text, HasSubstr("nodes: not shown: no x\n"));
}

} // namespace
} // namespace postrider::cli::execution_report_test
