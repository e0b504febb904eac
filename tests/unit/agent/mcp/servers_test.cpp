#include "agent/mcp/servers.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::mcp::servers_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;

// Where servers end: each waits there for the others.
struct farewell {
    explicit farewell(boost::asio::any_io_executor executor) : arrival(std::move(executor)) {}

    int expected = 0;
    int arrived = 0;
    base::signal arrival;
};

// A server that never answers, or is not there.
class mute_transport final : public transport {
public:
    mute_transport(farewell& end, bool is_there) : end_(end), is_there_(is_there) {}

    awaitable<base::result<void>> open(message_receiver&) override {
        if (!is_there_) co_return base::error(errc::unavailable, "nobody is there");
        co_return base::result<void>{};
    }
    base::result<void> send(message const&, send_options const&) override { return {}; }
    bool abandon(request_id const&) override { return true; }
    void use_revision(std::string const&) override {}
    void listen() override {}
    awaitable<void> close() override {
        ++end_.arrived;
        end_.arrival.notify();
        while (is_there_ && end_.arrived < end_.expected) co_await end_.arrival.wait();
    }
    std::string diagnostics() const override { return {}; }

private:
    farewell& end_;
    bool is_there_;
};

class mcp_servers : public testing::Test {
protected:
    mcp_servers() { options.reconnection.delay = 0ms; }
    void begin(std::vector<std::string> names, bool are_there) {
        servers::clients clients;
        for (auto const& name : names) {
            auto factory = [this, are_there] {
                ++connections;
                return std::make_unique<mute_transport>(end, are_there);
            };
            clients.emplace(
                name, std::make_unique<client>(io.executor(), std::move(factory), options)
            );
        }
        all.emplace(clock, std::move(clients), 20ms);
    }
    errc failure_of(std::string name) {
        auto const tools = io.run(all->list_tools(std::move(name)));
        return tools ? errc{} : tools.error().code;
    }

    tests::loop io;
    base::manual_clock clock;
    farewell end{io.executor()};
    client_options options;
    std::optional<servers> all;
    int connections = 0;
};

TEST_F(mcp_servers, that_failed_are_left_alone_for_half_a_minute) {
    begin({"gone"}, false);

    EXPECT_EQ(failure_of("gone"), errc::unavailable);
    EXPECT_EQ(failure_of("gone"), errc::unavailable);
    EXPECT_EQ(connections, 1);

    clock.advance(31s);
    EXPECT_EQ(failure_of("gone"), errc::unavailable);
    EXPECT_EQ(connections, 2);
    io.run(all->close());
}

TEST_F(mcp_servers, tell_since_when_they_fail) {
    begin({"asked", "idle"}, false);
    auto const began = clock.now();
    EXPECT_EQ(failure_of("asked"), errc::unavailable);
    clock.advance(31s);
    EXPECT_EQ(failure_of("asked"), errc::unavailable);

    auto const states = all->states();

    ASSERT_EQ(states.size(), 2u);
    EXPECT_EQ(states[0].name, "asked");
    EXPECT_EQ(states[0].failure.value(), errc::unavailable);
    EXPECT_EQ(states[0].failing_since, began) << "since the first of them";
    EXPECT_FALSE(states[0].agreed);
    EXPECT_FALSE(states[1].failure) << "nobody has asked for it";
    EXPECT_FALSE(states[1].failing_since);
    io.run(all->close());
}

TEST_F(mcp_servers, that_failed_are_asked_again_and_no_others) {
    begin({"asked", "idle"}, false);
    EXPECT_EQ(failure_of("asked"), errc::unavailable);
    io.run(all->ask_failing());
    EXPECT_EQ(connections, 1) << "not before half a minute is over";
    clock.advance(31s);

    io.run(all->ask_failing());

    EXPECT_EQ(connections, 2);
    EXPECT_FALSE(all->states()[1].failure) << "nobody has asked for it";
    EXPECT_EQ(failure_of("asked"), errc::unavailable);
    EXPECT_EQ(connections, 2) << "the failure is kept";
    io.run(all->close());
}

TEST_F(mcp_servers, are_closed_all_at_once) {
    begin({"first", "second"}, true);
    EXPECT_EQ(failure_of("first"), errc::timeout);
    EXPECT_EQ(failure_of("second"), errc::timeout);
    end.expected = 2;

    io.run(all->close());

    EXPECT_EQ(end.arrived, 2);
}

} // namespace
} // namespace postrider::agent::mcp::servers_test
