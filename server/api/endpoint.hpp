#pragma once
// How an endpoint of the API is written: a function that reads the request and gives back either
// the answer at once (a mistake), or what to do inside a transaction to come by it. What is common
// to all of them happens around it: who asks, what a failing database answers, counting, logging.
#include "base/async.hpp"
#include "net/router.hpp"
#include "server/api/authentication.hpp"
#include "storage/database.hpp"

#include <array>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::api {

// Runs on a storage thread, perhaps more than once, and owns what it captures.
using work = std::function<net::http_response(storage::transaction&)>;
using planned = std::variant<net::http_response, work>;

struct endpoint {
    std::string method;
    std::string pattern;
    std::function<planned(net::http_request const&)> plan = {};
    // Instead of plan, where one transaction is not enough.
    std::function<base::awaitable<net::http_response>(net::http_request, storage::database&)>
        handle = {};
    // Instead of plan, where it matters who asks.
    std::function<planned(net::http_request const&, caller const&)> plan_for = {};
    std::size_t body_limit = 64u << 10;
    // Instead of plan, where both is so.
    std::function<
        base::awaitable<net::http_response>(net::http_request, caller, storage::database&)>
        handle_for = {};
    audience whom = audience::operators;
    // What is waited for before a change that was done is answered; it stands whatever comes of it.
    std::function<base::awaitable<base::result<void>>()> settle = {};
};

// Answers by the hundreds of their status: [2] counts 2xx.
using status_counts = std::array<std::uint64_t, 6>;

// What all endpoints share; outlives the routes.
struct endpoint_services {
    storage::database& db;
    authentication& who;
    status_counts& counts;
};

// A database that is slower than this is answered 503.
inline constexpr base::duration work_deadline = std::chrono::seconds{20};

net::route to_route(endpoint from, endpoint_services services);

// The work in a transaction of its own, and what its failure is to a client.
base::awaitable<net::http_response> perform(
    storage::database& db, std::string name, work operation
);

} // namespace postrider::api
