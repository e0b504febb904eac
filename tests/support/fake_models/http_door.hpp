#pragma once
// Private to fake_models: the smallest HTTP/1.1 server that does, written apart from the product's.
// It can do what a well-behaved one cannot: break off in the middle of a body.
#include "base/async.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <map>
#include <string>

namespace postrider::tests {

struct door_request {
    std::string method;
    std::string path;
    std::map<std::string, std::string> headers; // names in lower case
    std::string body;
};

struct door_answer {
    int status = 200;
    std::map<std::string, std::string> headers;
    std::string body;
    bool cut = false; // half of the body, then the connection is closed
    // Instead of the body: chunks, each sent on its own. The last one waits for `go_on`; it is what
    // is missing when the answer is cut.
    std::vector<std::string> chunks = {};
    std::function<base::awaitable<void>()> go_on = {};
};

using door_handler = std::function<base::awaitable<door_answer>(door_request)>;

// Serves one connection until the other side closes it or an answer is cut.
base::awaitable<void> serve_connection(
    boost::asio::ip::tcp::socket connection, door_handler const& handle
);

} // namespace postrider::tests
