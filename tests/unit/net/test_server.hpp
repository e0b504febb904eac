#pragma once
// A running server with the routes of a test, on any port of the loopback.
#include "net/http_server.hpp"
#include "tests/support/loop.hpp"

#include <stdexcept>

namespace postrider::tests {

class test_server {
public:
    test_server(
        loop& io, std::vector<net::route> routes, net::http_server_options options = any_port()
    )
        : io_(io),
          server_(net::make_http_server(
              io.executor(), std::move(options), net::router{std::move(routes)}
          )) {
        server_->start().value();
    }
    // Hard: a test that wants to see a drain awaits it.
    ~test_server() { io_.run(server_->drain(base::duration::zero())); }

    static net::http_server_options any_port() {
        net::http_server_options options;
        options.listen = "127.0.0.1:0";
        return options;
    }

    net::http_server& operator*() const { return *server_; }
    net::http_server* operator->() const { return server_.get(); }
    std::string address() const { return server_->address(); }

private:
    loop& io_;
    std::unique_ptr<net::http_server> server_;
};

// "POST /echo": answers with what it was given.
inline base::awaitable<net::http_response> echo(net::http_request request) {
    auto text = request.method + " " + request.path + " [" + request.body + "]";
    if (request.truncated) text += " truncated";
    co_return net::http_response::text(200, std::move(text));
}

inline base::awaitable<net::http_response> answer_empty(net::http_request) {
    co_return net::http_response::empty(200);
}

inline net::route echo_route(std::string method = "POST") {
    net::route to;
    to.method = std::move(method);
    to.pattern = "/echo";
    to.handle = echo;
    return to;
}

} // namespace postrider::tests
