// The client against a server that others wrote: @modelcontextprotocol/server-everything, which
// `scripts/setup --test` installs where there is npm. Skipped where it is absent.
#include "agent/mcp/child_process.hpp"
#include "agent/mcp/client.hpp"
#include "agent/mcp/http_transport.hpp"
#include "agent/mcp/stdio_transport.hpp"
#include "tests/support/free_port.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace postrider::agent::mcp::everything_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

fs::path program() {
    return fs::absolute(
        "build/node/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
    );
}

std::vector<std::string> names_of(tool_list const& list) {
    std::vector<std::string> names;
    for (auto const& tool : list.tools) names.push_back(tool.name);
    return names;
}

enum class carried_by { stdio, http };

class everything : public testing::TestWithParam<carried_by> {
protected:
    void SetUp() override {
        std::signal(SIGPIPE, SIG_IGN);
        if (!fs::exists(program()))
            GTEST_SKIP() << "no server-everything in build/node: scripts/setup --test installs it";
        options.handshake.identity = {"postrider", "1"};
        transport_factory factory;
        if (GetParam() == carried_by::http) {
            auto const port = std::to_string(tests::free_port());
            io.run(serve(port), 30s);
            factory = [this, port]() {
                http_options its{.address = {"http://127.0.0.1:" + port, "/mcp"}};
                return make_http_transport(io.executor(), *http, std::move(its));
            };
        } else {
            factory = [this]() {
                stdio_options its;
                its.command = {.program = "node", .arguments = {program(), "stdio"}};
                return make_stdio_transport(io.executor(), std::move(its));
            };
        }
        server = std::make_unique<client>(io.executor(), std::move(factory), options);
    }
    void TearDown() override {
        if (server) io.run(server->close());
        http->close();
    }

    awaitable<void> serve(std::string port) {
        child_command command{.program = "node", .arguments = {program(), "streamableHttp"}};
        command.environment.emplace_back("PORT", base::secret(port));
        process = std::move(child_process::start(io.executor(), command)).value();
        std::string said;
        co_await boost::asio::async_read_until(
            process->errors(),
            boost::asio::dynamic_buffer(said),
            "listening on port",
            boost::asio::use_awaitable
        );
    }

    base::result<tool_result> call(
        std::string tool,
        json::object arguments,
        std::function<void(progress_report const&)> on_progress = {}
    ) {
        return io.run(
            server->call_tool(std::move(tool), std::move(arguments), std::move(on_progress)), 30s
        );
    }

    tests::loop io;
    client_options options;
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor());
    std::unique_ptr<child_process> process;
    std::unique_ptr<client> server;
};

// covers: X.08
TEST_P(everything, lists_its_tools) {
    auto const list = io.run(server->list_tools(), 30s).value();

    EXPECT_THAT(names_of(list), Contains("echo"));
    EXPECT_THAT(names_of(list), Contains("get-structured-content"));
    EXPECT_TRUE(list.dropped.empty());
    EXPECT_EQ(server->agreed()->revision, "2025-11-25");
    EXPECT_FALSE(server->agreed()->server_name.empty());
}

TEST_P(everything, returns_texts_images_links_and_structures) {
    ASSERT_TRUE(io.run(server->list_tools(), 30s));

    auto const text = call("echo", {{"message", "hällo"}}).value();
    EXPECT_THAT(std::get<text_content>(text.content.at(0)).text, HasSubstr("hällo"));

    auto const picture = call("get-tiny-image", {}).value();
    bool has_image = false;
    for (auto const& part : picture.content)
        if (auto const* image = std::get_if<image_content>(&part))
            has_image = image->media_type == "image/png" && !image->base64.empty();
    EXPECT_TRUE(has_image);

    auto const links = call("get-resource-links", {{"count", 2}}).value();
    EXPECT_TRUE(std::holds_alternative<resource_link>(links.content.back()));

    auto const weather = call("get-structured-content", {{"location", "New York"}}).value();
    EXPECT_TRUE(weather.structured && weather.structured->is_object());
}

TEST_P(everything, tells_a_tools_error_from_one_of_the_protocol) {
    auto const bad = call("get-sum", {{"a", "no number"}});

    ASSERT_TRUE(bad) << "for the model to read";
    EXPECT_TRUE(bad->is_error);
}

TEST_P(everything, reports_progress) {
    int reports = 0;

    auto const result = call(
        "trigger-long-running-operation",
        {{"duration", 0.2}, {"steps", 4}},
        [&](progress_report const& report) {
            ++reports;
            EXPECT_EQ(report.total, 4);
        }
    );

    EXPECT_TRUE(result);
    EXPECT_EQ(reports, 4);
}

using everything_child = everything; // over HTTP its process is no child of the transport

TEST_P(everything_child, knows_nothing_of_our_environment) {
    setenv("MCP_TEST_OF_OURS", "topsecret", 1);

    auto const result = call("get-env", {}).value();

    EXPECT_THAT(std::get<text_content>(result.content.at(0)).text, Not(HasSubstr("topsecret")));
}

std::string carrier_name(testing::TestParamInfo<carried_by> const& tested) {
    return tested.param == carried_by::stdio ? "stdio" : "http";
}

INSTANTIATE_TEST_SUITE_P(
    server, everything, testing::Values(carried_by::stdio, carried_by::http), carrier_name
);
INSTANTIATE_TEST_SUITE_P(
    server, everything_child, testing::Values(carried_by::stdio), carrier_name
);

} // namespace
} // namespace postrider::agent::mcp::everything_test
