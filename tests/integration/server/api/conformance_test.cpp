// POST /mcp against the protocol's own suite, @modelcontextprotocol/conformance, which `scripts/setup
// --test` installs with a Node that runs it where there is npm. Skipped where it is absent.
//
// Of its scenarios those that a server of tools alone can meet. Where a check wants a tool or a
// feature made for the suite, it says so ("Not testable"), and nothing else may fail.
#include "agent/mcp/child_process.hpp"
#include "net/http_client.hpp"
#include "net/http_server.hpp"
#include "server/api/endpoints.hpp"
#include "server/app/todo_service.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sstream>

namespace postrider::tests::conformance_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
namespace fs = std::filesystem;
namespace mcp = agent::mcp;

fs::path module(std::string const& name) {
    return fs::absolute("build/node/node_modules/" + name);
}

struct scenario {
    char const* name;
    char const* revision;
};

class conformance : public testing::TestWithParam<scenario> {
protected:
    conformance() { std::signal(SIGPIPE, SIG_IGN); }
    ~conformance() override {
        if (http_) io_.run(http_->drain(base::duration::zero()));
        todo_.close();
        reads_->close();
        db_->close();
    }
    void SetUp() override {
        if (!fs::exists(suite_) || !fs::exists(node_))
            GTEST_SKIP() << "no conformance suite in build/node: scripts/setup --test installs it";
        net::http_server_options options;
        options.listen = "127.0.0.1:0";
        http_ = net::make_http_server(io_.executor(), options, net::router(routes()));
        http_->start().value();
    }

    // The suite cannot send a token: everybody is user 7 here.
    std::vector<net::route> routes() {
        std::vector<net::route> all;
        api::resources with{base::system_random()};
        with.todo.emplace(todo_.for_api(base::system_random()));
        for (auto& endpoint : api::mcp_endpoints(with)) {
            net::route route;
            route.method = endpoint.method;
            route.pattern = endpoint.pattern;
            route.body_limit = endpoint.body_limit;
            route.handle = [this, handle = endpoint.handle](net::http_request request) {
                api::caller const by{storage::token_role::user, token_id{1}, user_id{7}};
                return handle(api::call{std::move(request), by, *db_, "/mcp"});
            };
            all.push_back(std::move(route));
        }
        return all;
    }
    std::unique_ptr<storage::batcher> make_reads() {
        storage::batcher_options options;
        options.name = "reads";
        options.read_only = true;
        return storage::make_batcher(io_.executor(), database_.options(), std::move(options));
    }
    awaitable<std::string> run_suite(scenario asked) {
        mcp::child_command command;
        command.program = node_.string();
        command.arguments = {
            suite_.string(),
            "server",
            "--url",
            "http://" + http_->address() + "/mcp",
            "--scenario",
            asked.name,
            "--spec-version",
            asked.revision};
        auto const process = mcp::child_process::start(io_.executor(), command).value();
        std::string said;
        boost::system::error_code ended;
        co_await boost::asio::async_read(
            process->output(),
            boost::asio::dynamic_buffer(said),
            boost::asio::redirect_error(boost::asio::use_awaitable, ended)
        );
        co_await process->wait();
        co_return said;
    }

    fs::path const suite_ = module("@modelcontextprotocol/conformance/dist/index.js");
    fs::path const node_ = module("node/bin/node");
    test_database database_;
    loop io_;
    server::config const settings_{};
    std::unique_ptr<storage::database> db_ =
        storage::open_database(io_.executor(), database_.options());
    std::unique_ptr<storage::batcher> reads_ = make_reads();
    server::todo_service todo_{io_.executor(), database_.options(), *reads_, settings_};
    std::unique_ptr<net::http_server> http_;
};

// covers: S2.03
TEST_P(conformance, holds) {
    auto const said = io_.run(run_suite(GetParam()), 60s);

    EXPECT_NE(said.find("Passed: "), said.npos) << said;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        bool const fails = line.find("Error:") != line.npos;
        EXPECT_TRUE(!fails || line.find("Not testable") != line.npos) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(
    mcp,
    conformance,
    testing::Values(
        scenario{"server-initialize", "2025-06-18"},
        scenario{"ping", "2025-06-18"},
        scenario{"tools-list", "2025-06-18"},
        scenario{"server-session-lifecycle", "2025-06-18"},
        scenario{"server-initialize", "2025-11-25"},
        scenario{"ping", "2025-11-25"},
        scenario{"tools-list", "2025-11-25"},
        scenario{"server-session-lifecycle", "2025-11-25"},
        scenario{"dns-rebinding-protection", "2025-11-25"},
        scenario{"tools-list", "2026-07-28"},
        scenario{"server-stateless", "2026-07-28"},
        scenario{"http-header-validation", "2026-07-28"},
        scenario{"server-sse-multiple-streams", "2026-07-28"},
        scenario{"dns-rebinding-protection", "2026-07-28"}
    )
);

} // namespace
} // namespace postrider::tests::conformance_test
