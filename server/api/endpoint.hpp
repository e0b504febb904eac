#pragma once
// An endpoint of the API is one value: where it is, who may ask, and the function that answers a
// call. It stands in the file that it is about, in that file's list, and its description beside
// that, in FILE.openapi.json; a test compares the two. Most endpoints need one transaction at most:
// in_a_transaction() makes the function from one that reads the request and gives back either the
// answer at once (a mistake), or what to do inside a transaction to come by it. What is common to
// all of them happens around them: the caller's token, failures of the database, counting, logging.
#include "base/async.hpp"
#include "net/router.hpp"
#include "server/api/authentication.hpp"
#include "server/api/database_bounds.hpp"
#include "storage/connections.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::api {

// Runs on a storage thread, perhaps more than once, and owns what it captures.
using work = std::function<net::http_response(storage::transaction&)>;
using planned = std::variant<net::http_response, work>;

using plan = std::function<planned(net::http_request const&, caller const&)>;

// A request that was let in.
struct call {
    net::http_request request;
    caller by;
    storage::database& db;
    std::string name; // of the endpoint, for statistics: its pattern
    database_use use = database_use::change;
    storage::database* reports = nullptr; // where a read goes on that takes long
};

using call_handler = std::function<base::awaitable<net::http_response>(call)>;

struct endpoint {
    std::string method;
    std::string pattern;
    call_handler handle;
    std::size_t body_limit = 64u << 10;
    audience open_to = audience::operators;
    // What is waited for before a change that was done is answered; it stands whatever comes of it.
    std::function<base::awaitable<base::result<void>>()> settle = {};
    // Unless it is told: a GET reads, anything else changes. It chooses the connections, too.
    std::optional<database_use> use = {};
    // Logs itself what it changed (api.operation), since not every call changes something.
    bool logs_itself = false;
    // Its part of the API's description (endpoints.hpp), one for all endpoints of a file. It lives as
    // long as the program.
    std::string_view part = {};
};

// The endpoints, each with that part.
std::vector<endpoint> described_by(std::string_view part, std::vector<endpoint> endpoints);

call_handler in_a_transaction(plan read);
// The same for whatever caller.
call_handler in_a_transaction(std::function<planned(net::http_request const&)> read);

// Answers by the hundreds of their status: [2] counts 2xx.
using status_counts = std::array<std::uint64_t, 6>;

// The API's connections, by purpose: a report that takes long keeps nobody from looking, and
// neither of them the streams from going on. A read that takes long becomes a report.
struct api_databases {
    api_databases(storage::connections const& connections)
        : api_databases(*connections.console, *connections.reports, *connections.watchers) {}
    api_databases(
        storage::database& for_console,
        storage::database& for_reports,
        storage::database& for_watchers
    )
        : console(for_console),
          reports(for_reports),
          watchers(for_watchers) {}

    storage::database& console; // looks and changes
    storage::database& reports;
    storage::database& watchers;

    storage::database& of(database_use use) const noexcept {
        if (use == database_use::report) return reports;
        return use == database_use::watch ? watchers : console;
    }
};

// What all endpoints share; outlives the routes.
struct endpoint_services {
    api_databases databases;
    authentication& authenticator;
    status_counts& counts;
};

net::route to_route(endpoint endpoint, endpoint_services services);

} // namespace postrider::api
