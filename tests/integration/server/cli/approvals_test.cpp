// Calls that wait for a person's word, on the command line.
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::approvals_test {
namespace {

using testing::HasSubstr;

constexpr auto one_approval = R"sql(
insert into postrider.lane (lane_id, lane_key, chat_id) overriding system value values (1, '1:5:0', 5);
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, due_at)
values (41, 1, 9, 1, 'waiting', 'turn', 1, postrider.now(), 'infinity');
update postrider.lane_run set ready_at = 'infinity', arrivals = 1, head = 41;
insert into postrider.question (question_id, job_id, place, until_at) values ('q', 41, '', now() + interval '1 h');
insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, question, call, tool, arguments, digest)
values ('a1', 41, 1, 7, now() + interval '1 h', 'q', 'tool:1', 'http_request', '{"url": "https://example.org"}', 'd');
insert into postrider.wait (job_id, lane_id, until_at, key, type, match)
values (41, 1, '2100-01-01T10:00:00Z', 'approval', 'press', 'q')
)sql";

using approval_commands = tests::database_commands;

TEST_F(approval_commands, a_job_that_waits_for_a_persons_word_says_how_to_give_it) {
    database.execute(one_approval);

    auto const shown = run_with({"jobs", "show", "41"});
    auto const listed = run_with({"jobs", "list"});

    EXPECT_THAT(
        shown.out,
        HasSubstr("waits    approval a1 (http_request) until 2100-01-01 10:00:00Z\n"
                  "  decide   postrider approvals approve a1\n"
                  "           postrider approvals reject a1\n")
    );
    EXPECT_THAT(listed.out, HasSubstr("approval a1 (http_request) until"));
}

TEST_F(approval_commands, approvals_are_listed_and_decided) {
    database.execute(one_approval);

    auto const listed = run_with({"approvals", "list"});
    auto const json = boost::json::parse(run_with({"approvals", "list", "--json"}).out);
    auto const rejected = run_with({"approvals", "reject", "a1"});
    auto const again = run_with({"approvals", "approve", "a1"});
    auto const unknown = run_with({"approvals", "approve", "a2"});

    EXPECT_THAT(
        listed.out,
        testing::ContainsRegex("a1 +waiting +41 +http_request .*example.org.* 7 +bot 1, chat 5")
    );
    auto const& first = json.at("approvals").at(0);
    EXPECT_EQ(first.at("approval_id"), "a1");
    EXPECT_EQ(first.at("chat"), 5);
    EXPECT_EQ(first.at("lane"), "1:5:0");
    EXPECT_EQ(first.at("lane_name"), "bot 1, chat 5");
    EXPECT_EQ(first.at("arguments").at("url"), "https://example.org");
    EXPECT_EQ(rejected.out, "a1 is rejected\n");
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("it is rejected already"));
    EXPECT_THAT(unknown.err, HasSubstr("there is no approval a2"));
    EXPECT_THAT(run_with({"approvals", "list"}).err, HasSubstr("No approval is waiting"));
}

} // namespace
} // namespace postrider::cli::approvals_test
