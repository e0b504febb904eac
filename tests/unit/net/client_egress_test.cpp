// Where a client may connect to: decided by address, after the name was resolved.
#include "tests/unit/net/client_fixture.hpp"

#include <gmock/gmock.h>

#include <future>

namespace postrider::net::client_egress_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using boost::asio::ip::address;
using boost::asio::ip::make_address;
using tests::ok;

class client_egress : public tests::client {
protected:
    std::vector<address> asked;
    std::vector<std::string> resolved_to{"127.0.0.1"};

    // Connects to nothing but the address.
    void admit_only(std::string allowed) {
        http_client_options options;
        options.egress = [this, allowed = make_address(allowed)](address const& to) {
            asked.push_back(to);
            return to == allowed;
        };
        options.look_up = [this](std::string const&, std::string const& port) {
            endpoints found;
            for (auto const& text : resolved_to)
                found.push_back({make_address(text), static_cast<std::uint16_t>(std::stoi(port))});
            return base::result<endpoints>(found);
        };
        http = make_http_client(io.executor(), options);
    }
    http_call call_to(std::string host) const {
        auto request = call();
        request.origin = "http://" + host + ":" + server->port();
        return request;
    }
};

TEST_F(client_egress, refuses_an_address_that_is_not_admitted) {
    serve({{ok("not for you")}});
    admit_only("192.0.2.1");

    EXPECT_EQ(send(call_to("127.0.0.1")).error(), errc::refused);
    EXPECT_EQ(server->connections(), 0u);
}

TEST_F(client_egress, judges_what_a_name_resolves_to) {
    serve({{ok("not for you")}});
    admit_only("192.0.2.1");

    EXPECT_EQ(send(call_to("harmless.example")).error(), errc::refused);
    EXPECT_THAT(asked, testing::ElementsAre(make_address("127.0.0.1")));
    EXPECT_EQ(server->connections(), 0u);
}

TEST_F(client_egress, connects_to_the_admitted_ones_among_the_addresses) {
    serve({{ok("hello")}});
    admit_only("127.0.0.1");
    resolved_to = {"127.0.0.2", "127.0.0.1"};

    auto const answer = send(call_to("mixed.example"));

    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body, "hello");
}

TEST_F(client_egress, sees_through_a_mapped_address) {
    serve({{ok("not for you")}});
    admit_only("192.0.2.1");

    EXPECT_EQ(send(call_to("[::ffff:127.0.0.1]")).error(), errc::refused);
    EXPECT_THAT(asked, testing::ElementsAre(make_address("127.0.0.1")));
}

TEST_F(client_egress, does_not_follow_a_redirect_past_it) {
    serve({{"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2/\r\nContent-Length: 0\r\n\r\n"}});
    admit_only("127.0.0.1");

    auto const answer = send(call_to("127.0.0.1"));

    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 302);
    EXPECT_EQ(send(call_to("127.0.0.2")).error(), errc::refused) << "what a follower would send";
    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(client_egress, admits_no_unix_socket) {
    serve({});
    admit_only("127.0.0.1");
    auto request = call();
    request.origin = "unix:/run/somebody.sock";

    EXPECT_EQ(send(request).error(), errc::refused);
}

TEST_F(client_egress, a_name_that_hangs_delays_no_other) {
    serve({{ok("hello")}});
    auto const gate = std::make_shared<std::promise<void>>();
    http_client_options options;
    options.look_up = [held = gate->get_future().share()](auto const& host, auto const& port) {
        if (host == "hangs.example") held.wait();
        return look_up_by_system("127.0.0.1", port);
    };
    http = make_http_client(io.executor(), options);
    base::task_group others{io.executor()};
    auto hang = [](http_client& with, http_call to) -> base::awaitable<void> {
        EXPECT_EQ((co_await with.send(std::move(to))).error(), errc::cancelled);
    };
    others.spawn("hangs", hang(*http, call_to("hangs.example")));

    auto const answer = send(call_to("telegram.example"));

    ASSERT_TRUE(answer);
    http->close();
    gate->set_value();
    io.run(others.join());
}

} // namespace
} // namespace postrider::net::client_egress_test
