#pragma once
// What the tests of the client share.
#include "net/http_client.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/net/scripted_server.hpp"

#include <gtest/gtest.h>

namespace postrider::tests {

using namespace std::chrono_literals;
using base::awaitable;

inline constexpr base::duration soon = 50ms;

inline std::string ok(std::string body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// A client, and a scripted server for it.
class client : public testing::Test {
protected:
    loop io;
    std::unique_ptr<scripted_server> server;
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor());

    void serve(std::vector<scripted_server::answers> scripts) {
        server = std::make_unique<scripted_server>(io.executor(), std::move(scripts));
    }
    void TearDown() override {
        http->close();
        if (server) io.run(server->finish());
    }

    net::http_call call(std::string target = "/bot12345:secret/sendMessage") const {
        net::http_call request;
        request.origin = server->origin();
        request.target = std::move(target);
        request.body = "hello";
        return request;
    }
    base::result<net::http_answer> send(net::http_call request) {
        return io.run(http->send(std::move(request)));
    }

    // What the server must have seen by then: it may run a moment behind the client.
    void wait_for_connections(std::size_t count) {
        io.run(wait(count));
        EXPECT_EQ(server->connections(), count);
    }
    void wait_for_requests(std::size_t count) { io.run(wait_for(count)); }

private:
    awaitable<void> wait(std::size_t count) {
        while (server->connections() < count) co_await base::sleep_for(1ms);
    }
    awaitable<void> wait_for(std::size_t count) {
        while (server->requests().size() < count) co_await base::sleep_for(1ms);
    }
};

} // namespace postrider::tests
