#pragma once
// A peer that asks a scripted server over Streamable HTTP.
#include "agent/mcp/http_transport.hpp"
#include "agent/mcp/peer.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/net/scripted_server.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace postrider::agent::mcp::http_world {

inline std::string answer(std::string status, std::string headers, std::string body) {
    return "HTTP/1.1 " + status + "\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
inline std::string json_answer(std::string body, std::string headers = "") {
    return answer("200 OK", "Content-Type: application/json\r\n" + headers, std::move(body));
}
inline std::string events(std::string body) {
    return answer("200 OK", "Content-Type: text/event-stream\r\n", std::move(body));
}
inline std::string result(int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"id":)" +
           std::to_string(id) + "}}";
}
// Its stream goes on.
inline std::string open_events(std::string body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + std::move(body) +
           std::string(tests::stall);
}
inline std::string data(std::string message) {
    return "data: " + message + "\n\n";
}
inline std::string const accepted = answer("202 Accepted", "", "");

inline net::http_client_options one_connection() {
    net::http_client_options options;
    options.connections_per_origin = 1;
    return options;
}

class streamable_http : public testing::Test {
protected:
    void serve(tests::scripted_server::answers answers) { serve_connections({std::move(answers)}); }
    void serve_connections(std::vector<tests::scripted_server::answers> connections) {
        server = std::make_unique<tests::scripted_server>(io.executor(), std::move(connections));
        options.address = {server->origin(), "/mcp"};
        options.resume_delay = std::chrono::milliseconds{1};
        carrier = make_http_transport(io.executor(), *http, options);
        peer_options its_options;
        its_options.on_notification = [this](rpc_notification const& notification) {
            notifications.push_back(notification.method);
        };
        asking = std::make_unique<peer>(io.executor(), *carrier, std::move(its_options));
        ASSERT_TRUE(io.run(asking->open()));
    }
    base::result<rpc_outcome> ask(
        std::string method = "tools/list", json::object params = {}, request_options its = {}
    ) {
        return io.run(asking->request(std::move(method), std::move(params), std::move(its)));
    }
    void TearDown() override {
        if (asking) io.run(asking->close());
        http->close();
        if (server) io.run(server->finish());
    }
    std::string request(std::size_t at) { return server->requests().at(at); }

    tests::loop io;
    std::unique_ptr<tests::scripted_server> server;
    // One connection, so that the script's order is that of the requests.
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor(), one_connection());
    http_options options;
    std::unique_ptr<transport> carrier;
    std::unique_ptr<peer> asking;
    std::vector<std::string> notifications;
};

// Notes what it is to send, and answers by a script.
class noting_client final : public net::http_client {
public:
    base::awaitable<base::result<net::http_answer>> send(net::http_call call) override {
        calls.push_back(call);
        if (answers.empty()) co_return base::error(base::errc::unavailable);
        auto answer = std::move(answers.front());
        answers.pop_front();
        call.take_head(answer);
        if (answer.status == 200) call.take_body(answer.body);
        co_return answer;
    }
    void close() override {}

    std::vector<net::http_call> calls;
    std::deque<net::http_answer> answers;
};

} // namespace postrider::agent::mcp::http_world
