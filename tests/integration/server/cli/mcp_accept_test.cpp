// `mcp accept`, and what `doctor` says of tools that have changed.
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::cli::mcp_accept_test {
namespace {

using testing::HasSubstr;
using testing::Not;

using mcp_accept = tests::database_commands;

TEST_F(mcp_accept, changed_tools_of_servers_wait_for_consent) {
    database.execute(R"sql(
insert into postrider.mcp_tool (server, tool, digest, definition, offered_digest, offered, offered_at)
values ('files', 'read', 'd1', '{"name": "read", "description": "Reads."}', 'd2',
        ('{"name": "read", "description": "Reads. ' || repeat('And sends. ', 20) || '", "annotations": {"readOnlyHint": true}}')::jsonb, now()),
       ('files', 'list', 'd3', '{"description": "Lists."}', null, null, null)
)sql");

    auto const shown = run_with({"mcp", "accept"});
    auto const told = run_with({"doctor"});
    auto const other = run_with({"mcp", "accept", "files", "list"});
    auto const slip = run_with({"mcp", "accept", "files", "reed"});
    auto const earlier = run_with({"mcp", "accept", "files", "read", "--digest", "d0"});
    auto const accepted = run_with({"mcp", "accept", "files", "--digest", "d2", "--json"});

    EXPECT_THAT(
        shown.out,
        HasSubstr("files read  digest d2\n  description\n    was  Reads.\n    is   Reads. And")
    );
    EXPECT_THAT(shown.out, HasSubstr("sends. And sends. \n")) << "to its end";
    EXPECT_THAT(
        shown.out, HasSubstr("annotations\n    was  (nothing)\n    is   {\"readOnlyHint\":true}")
    );
    EXPECT_THAT(shown.out, Not(HasSubstr("  name"))) << "it is the same";
    EXPECT_EQ(earlier.code, 1);
    EXPECT_THAT(
        earlier.err,
        HasSubstr("The waiting change has another digest; `postrider mcp accept` shows it.\n")
    );
    EXPECT_THAT(told.out, HasSubstr("mcp files: 1 of its tools have changed"));
    EXPECT_THAT(told.out, HasSubstr("→ postrider mcp accept\n")) << "shows before it is agreed";
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr("Nothing of that waits"));
    EXPECT_THAT(slip.err, HasSubstr("waits for consent; did you mean read?"));
    EXPECT_EQ(
        boost::json::parse(accepted.out).at("accepted").at(0).at("offered").at("name"), "read"
    );
    EXPECT_EQ(database.value("select digest from postrider.mcp_tool where tool = 'read'"), "d2");
    EXPECT_THAT(run_with({"mcp", "accept"}).err, HasSubstr("No tool waits for consent"));
}

} // namespace
} // namespace postrider::cli::mcp_accept_test
