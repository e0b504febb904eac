#pragma once
// The table of routes: the server's whole surface in one screen. 404 and 405 fall out of the
// lookup. Pure: no sockets here.
#include "base/async.hpp"
#include "net/http.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::net {

enum class oversize {
    refuse,   // 413, the handler is not called
    truncate, // the handler gets the body's beginning with request.truncated set
};

// The request may be read on. `proven`: its head held a secret that was right, so that its
// connection is not closed for others (net/eviction_queue.hpp).
struct admitted {
    bool proven = false;
    bool anonymous = false; // everyone is let in: no answer proves anything, either
};
using gate_result = std::variant<admitted, http_response>;

struct route {
    std::string method; // "" = any: its gate says which
    // "/telegram/{bot}": a {name} matches one non-empty segment; its value may hold a decoded '/'.
    // "/hooks/{path...}": so written at the end it matches all the rest, which is not empty.
    std::string pattern;
    std::size_t body_limit = 64u << 10;
    oversize when_oversize = oversize::refuse;
    // Called when the head has been read and before the body is: an answer ends the request there.
    // An answer below 400 to a request that has passed a gate proves its connection, too, unless
    // it was let in anonymously.
    std::function<gate_result(http_request const& head)> gate;
    std::function<base::awaitable<http_response>(http_request request)> handle;
};

class router {
public:
    // A pattern starts with '/' (std::invalid_argument: a defect of the caller).
    explicit router(std::vector<route> routes);

    struct match {
        route const* to;
        std::map<std::string, std::string, std::less<>> params;
    };
    // The route, or what to answer instead: 404, 405 with Allow, or 400 when a parameter's percent
    // encoding is malformed. HEAD is served by GET's route, OPTIONS by the table itself (204 with
    // Allow). The first route that matches wins.
    std::variant<match, http_response> find(std::string_view method, std::string_view path) const;

private:
    struct compiled {
        route to;
        std::vector<std::string> segments; // of the pattern; "{name}" as it is
    };
    std::vector<compiled> routes_;
};

} // namespace postrider::net
