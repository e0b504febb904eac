#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::server_drain_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using testing::HasSubstr;
using testing::StartsWith;
using tests::echo_route;
using tests::loop;
using tests::raw_connection;
using tests::test_server;

constexpr base::duration soon = 50ms;

base::signal* release = nullptr;

awaitable<http_response> answer_when_released(http_request) {
    co_await release->wait();
    co_return http_response::empty(200);
}

// An idle connection, one in a handler; then the server is drained.
awaitable<std::string> be_there_at_the_end(
    std::string address, http_server& serving, base::duration limit, bool let_go
) {
    auto executor = co_await base::asio::this_coro::executor;
    raw_connection idle{executor};
    raw_connection busy{executor};
    idle.connect(address);
    busy.connect(address);
    co_await busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    while (serving.counts().requests == 0 || serving.counts().connections < 2)
        co_await base::sleep_for(1ms);

    serving.stop_accepting();
    EXPECT_EQ(co_await idle.read_to_end(), "");
    if (let_go) release->notify();
    co_await serving.drain(limit);
    EXPECT_EQ(serving.counts().connections, 0u);
    co_return co_await busy.read_to_end();
}

route slow_route() {
    auto to = echo_route("GET");
    to.pattern = "/slow";
    to.handle = answer_when_released;
    return to;
}

TEST(server_drain, answers_what_has_been_read_and_closes_what_is_idle) {
    loop io;
    base::signal released{io.executor()};
    release = &released;
    test_server server{io, {slow_route()}};

    auto answer = io.run(be_there_at_the_end(server.address(), *server, 1h, true));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

TEST(server_drain, closes_the_rest_hard_after_the_limit) {
    loop io;
    base::signal released{io.executor()};
    release = &released;
    test_server server{io, {slow_route()}};

    EXPECT_EQ(io.run(be_there_at_the_end(server.address(), *server, soon, false)), "");
}

} // namespace
} // namespace postrider::net::server_drain_test
