#include "agent/mcp/memory_transport.hpp"
#include "agent/mcp/peer.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::mcp::peer_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;

// The other end of a peer's memory transport: writes what the test says and keeps what comes.
class scripted_side final : public message_receiver {
public:
    explicit scripted_side(transport& carrier) : transport_(carrier) {}

    awaitable<void> open() {
        auto opened = co_await transport_.open(*this);
        EXPECT_TRUE(opened);
    }
    void say(std::string_view text) { (void)transport_.send(parse_message(text).value(), {}); }

    void receive(message arrived) override {
        lines.push_back(to_text(arrived));
        if (on_line) on_line(lines.back());
    }
    void fail_request(request_id const&, base::error const&) override {}
    void lose(base::error const&) override { lost = true; }

    std::vector<std::string> lines;
    std::function<void(std::string const&)> on_line;
    bool lost = false;

private:
    transport& transport_;
};

awaitable<rpc_outcome> echo(rpc_request request) {
    co_return json::value(request.params);
}

awaitable<rpc_outcome> wait_for_ever(rpc_request) {
    co_await base::sleep_for(1h);
    co_return json::value();
}

awaitable<rpc_outcome> fail_inside(rpc_request) {
    throw std::runtime_error("secret");
    co_return json::value();
}

class peers : public testing::Test {
protected:
    void connect(peer_options options = {}) {
        asking = std::make_unique<peer>(io.executor(), *ends.first, std::move(options));
        io.run(side.open());
        ASSERT_TRUE(io.run(asking->open()));
    }
    void TearDown() override {
        if (asking) io.run(asking->close());
    }
    base::result<rpc_outcome> ask(std::string method, request_options options = {}) {
        return io.run(asking->request(std::move(method), {}, std::move(options)));
    }
    // Runs what is on its way.
    void settle() {
        io.context.restart();
        while (io.context.poll() > 0) {
        }
    }

    tests::loop io;
    std::pair<std::unique_ptr<transport>, std::unique_ptr<transport>> ends =
        make_memory_transports(io.executor());
    scripted_side side{*ends.second};
    std::unique_ptr<peer> asking;
};

TEST_F(peers, match_answers_to_requests_by_id) {
    connect();
    side.on_line = [this](std::string const&) {
        side.say(R"({"jsonrpc":"2.0","id":1,"result":{"x":5}})");
    };

    auto const outcome = ask("tools/list").value();

    EXPECT_EQ(side.lines.at(0), R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    EXPECT_EQ(std::get<json::value>(outcome).at("x"), 5);
}

TEST_F(peers, tell_an_error_of_the_other_side_from_one_of_the_connection) {
    connect();
    side.on_line = [this](std::string const&) {
        side.say(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})");
    };

    EXPECT_EQ(std::get<rpc_error>(ask("x").value()).code, rpc_code::invalid_params);
}

TEST_F(peers, ignore_answers_that_nobody_waits_for) {
    connect();
    side.on_line = [this](std::string const&) {
        side.say(R"({"jsonrpc":"2.0","id":99,"result":{}})");
        side.say(R"({"jsonrpc":"2.0","id":"one","result":{}})");
        side.say(R"({"jsonrpc":"2.0","id":1,"result":{"first":true}})");
        side.say(R"({"jsonrpc":"2.0","id":1,"result":{"first":false}})");
    };

    auto const outcome = ask("x").value();
    settle();

    EXPECT_EQ(std::get<json::value>(outcome).at("first"), true);
    EXPECT_EQ(asking->ignored(), 3u);
}

TEST_F(peers, withdraw_a_request_without_an_answer) {
    connect();

    auto const outcome = ask("tools/call", {.timeout = 5ms});
    settle();

    EXPECT_EQ(outcome.error().code, errc::ambiguous);
    EXPECT_EQ(
        side.lines.at(1),
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
    );
    side.say(R"({"jsonrpc":"2.0","id":1,"result":{}})");
    settle();
    EXPECT_EQ(asking->ignored(), 1u);
}

TEST_F(peers, never_withdraw_the_handshake) {
    connect();

    (void)ask("initialize", {.timeout = 5ms});
    settle();

    EXPECT_EQ(side.lines.size(), 1u);
}

awaitable<void> ask_and_forget(peer& asking) {
    request_options options;
    json::object params;
    (void)co_await asking.request("tools/call", std::move(params), std::move(options));
}

TEST_F(peers, withdraw_a_request_whose_coroutine_is_cancelled) {
    connect();
    base::task_group tasks{io.executor()};
    tasks.spawn("ask", ask_and_forget(*asking));
    settle();
    ASSERT_EQ(side.lines.size(), 1u);

    tasks.cancel();
    io.run(tasks.join());
    settle();

    ASSERT_EQ(side.lines.size(), 2u);
    EXPECT_NE(side.lines[1].find("notifications/cancelled"), std::string::npos);
}

TEST_F(peers, give_a_request_that_progresses_more_time_but_not_without_end) {
    connect();
    std::vector<double> told;
    side.on_line = [this](std::string const& line) {
        if (line.find("cancelled") != line.npos) return;
        EXPECT_NE(line.find(R"("_meta":{"progressToken":1})"), line.npos);
        for (auto report : {"1", "3", "2", "3"})
            side.say(
                R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,)"
                R"("progress":)" +
                std::string(report) + "}}"
            );
    };

    request_options options{.timeout = 1h, .total_timeout = 20ms};
    options.on_progress = [&](progress_report const& report) { told.push_back(report.progress); };
    auto const outcome = ask("x", options);

    EXPECT_EQ(outcome.error().code, errc::ambiguous);
    EXPECT_EQ(told, (std::vector<double>{1, 3})) << "progress only grows";
}

TEST_F(peers, answer_pings_and_refuse_unknown_methods) {
    connect();

    side.say(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
    side.say(R"({"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{}})");
    settle();

    ASSERT_EQ(side.lines.size(), 2u);
    EXPECT_EQ(side.lines[0], R"({"jsonrpc":"2.0","id":"p","result":{}})");
    EXPECT_NE(side.lines[1].find("-32601"), std::string::npos);
}

TEST_F(peers, serve_requests) {
    connect({.on_request = echo});

    side.say(R"({"jsonrpc":"2.0","id":3,"method":"x","params":{"a":1}})");
    settle();

    EXPECT_EQ(side.lines.at(0), R"({"jsonrpc":"2.0","id":3,"result":{"a":1}})");
}

TEST_F(peers, do_not_answer_requests_that_were_withdrawn) {
    connect({.on_request = wait_for_ever, .most_running = 1});

    side.say(R"({"jsonrpc":"2.0","id":3,"method":"x"})");
    side.say(R"({"jsonrpc":"2.0","id":3,"method":"x"})");
    side.say(R"({"jsonrpc":"2.0","id":4,"method":"x"})");
    settle();
    side.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})");
    settle();

    ASSERT_EQ(side.lines.size(), 2u);
    EXPECT_NE(side.lines[0].find("in use"), std::string::npos);
    EXPECT_NE(side.lines[1].find("too many"), std::string::npos);
}

TEST_F(peers, keep_what_failed_inside_to_themselves) {
    connect({.on_request = fail_inside});

    side.say(R"({"jsonrpc":"2.0","id":3,"method":"x"})");
    settle();

    EXPECT_EQ(
        side.lines.at(0),
        R"({"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"internal error"}})"
    );
}

TEST_F(peers, end_requests_when_the_connection_is_lost) {
    connect();
    base::task_group tasks{io.executor()};
    side.on_line = [&](std::string const&) { tasks.spawn("close", ends.second->close()); };

    auto const outcome = ask("x");
    io.run(tasks.join());

    EXPECT_EQ(outcome.error().code, errc::ambiguous);
    EXPECT_EQ(ask("y").error().code, errc::unavailable) << "what is not sent was not done";
}

TEST_F(peers, bound_what_is_pending) {
    connect({.most_pending = 0});

    EXPECT_EQ(ask("x").error().code, errc::overloaded);
}

} // namespace
} // namespace postrider::agent::mcp::peer_test
