// `postrider mcp todo` as a program that speaks the protocol starts it.
#include "agent/mcp/client.hpp"
#include "agent/mcp/server.hpp"
#include "agent/mcp/stdio_transport.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace postrider::tests::mcp_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
namespace mcp = agent::mcp;
using namespace std::chrono_literals;
using testing::ElementsAre;

class mcp_todo : public testing::Test {
protected:
    mcp_todo() {
        std::signal(SIGPIPE, SIG_IGN);
        fs::create_directories(folder_);
    }
    ~mcp_todo() override { fs::remove_all(folder_); }

    // A client of a process of its own, which ends with close().
    std::unique_ptr<mcp::client> start(
        std::string user, std::string revision = "", std::string faults = ""
    ) {
        mcp::stdio_options options;
        options.command.program = built("postrider");
        options.command.arguments = {"mcp", "todo", "--user", std::move(user)};
        options.command.folder = folder_.string();
        options.command.environment.emplace_back("DATABASE_URL", base::secret(database_.url()));
        if (!faults.empty())
            options.command.environment.emplace_back("POSTRIDER_FAULTS", base::secret(faults));
        mcp::client_options its;
        its.handshake.identity = {"test", "1"};
        its.handshake.revision = std::move(revision);
        its.handshake.probe_timeout = 30s; // a start under load takes its time
        return std::make_unique<mcp::client>(
            io_.executor(),
            [this, options] { return mcp::make_stdio_transport(io_.executor(), options); },
            std::move(its)
        );
    }
    base::result<mcp::tool_result> call(
        mcp::client& client, std::string tool, json::object arguments, std::string key = ""
    ) {
        json::object meta;
        if (!key.empty()) meta[mcp::call_key_member] = key;
        return io_.run(
            client.call_tool(std::move(tool), std::move(arguments), {}, std::move(meta)), 60s
        );
    }
    void close(mcp::client& client) { io_.run(client.close(), 30s); }

    fs::path folder_ = fs::temp_directory_path() / ("mcp_todo_test." + std::to_string(getpid()));
    test_database database_;
    loop io_;
};

// covers: X.08 S2.03
TEST_F(mcp_todo, serves_a_persons_tasks_by_every_revision) {
    std::int64_t created_so_far = 0;
    for (auto const* revision : {"", "2025-11-25", "2025-06-18"}) {
        auto const client = start("7", revision);
        auto const list = io_.run(client->list_tools(), 60s);
        ASSERT_TRUE(list) << to_string(list.error()) << client->diagnostics();
        std::vector<std::string> names;
        for (auto const& tool : list->tools) names.push_back(tool.name);
        EXPECT_THAT(
            names,
            ElementsAre(
                "create_todo_task",
                "get_todo_task",
                "list_todo_tasks",
                "update_todo_task",
                "complete_todo_task",
                "delete_todo_task"
            )
        );
        auto const created = call(*client, "create_todo_task", {{"title", "milk"}});
        ASSERT_TRUE(created) << to_string(created.error());
        EXPECT_EQ(created->structured->at("task_id"), ++created_so_far);
        close(*client);
    }
    auto const other = start("8");
    auto const foreign = call(*other, "get_todo_task", {{"task_id", 1}});
    EXPECT_TRUE(foreign->is_error);
    close(*other);
}

// Killed between the commit of a task and its answer.
// covers: S2.05
TEST_F(mcp_todo, makes_one_task_of_a_call_that_is_repeated_after_a_kill) {
    for (auto const* fault : {"tasks.before_commit:kill", "tasks.after_commit:kill"}) {
        auto const doomed = start("7", "2025-11-25", fault);
        auto const lost = call(*doomed, "create_todo_task", {{"title", "milk"}}, fault);
        EXPECT_FALSE(lost);
        close(*doomed);

        auto const next = start("7");
        auto const repeated = call(*next, "create_todo_task", {{"title", "milk"}}, fault);
        ASSERT_TRUE(repeated) << to_string(repeated.error());
        EXPECT_FALSE(repeated->is_error);
        close(*next);
    }
    EXPECT_EQ(database_.value("select count(*) from postrider.task"), "2");
    EXPECT_EQ(database_.value("select max(task_id) from postrider.task"), "2");
}

} // namespace
} // namespace postrider::tests::mcp_test
