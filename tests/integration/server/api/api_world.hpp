#pragma once
// The API on a real server, a real Postgres and a real client. Every answer is compared with
// the API's description while the test goes on: its status, type and body must be described there.
#include "agent/flow/catalog.hpp"
#include "base/clock.hpp"
#include "net/http_client.hpp"
#include "net/http_server.hpp"
#include "server/api/rest.hpp"
#include "server/app/todo_service.hpp"
#include "tests/integration/server/api/executions_scene.hpp"
#include "tests/integration/server/roomless_slots.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>

namespace postrider::tests {

// A bot, two lanes and jobs in every state; see api_world.cpp.
extern char const* const scene;

struct api_answer {
    int status = 0;
    net::header_list headers;
    boost::json::value body;

    std::string code() const; // of a problem or an operation
};

class api_world {
public:
    static constexpr auto owner = "the-owners-configured-token";
    static constexpr user_id person{500}; // whom it acts as

    api_world();
    ~api_world();

    // Adds a failure to the test where the answer is not as described.
    api_answer ask(
        std::string method,
        std::string target,
        std::string body = "",
        std::string const& token = owner
    );
    api_answer get(std::string target) { return ask("GET", std::move(target)); }
    api_answer post(std::string target, std::string body = "") {
        return ask("POST", std::move(target), std::move(body));
    }
    // The beginning of an endless stream, with its first event. With a body it is posted.
    api_answer watch(std::string target, std::string body = "");
    // Without any check, and with these headers instead of a token.
    api_answer send(
        std::string method, std::string target, net::header_list headers, std::string body = ""
    );

    // The same with more headers.
    api_answer ask_with(
        net::header_list more,
        std::string method,
        std::string target,
        std::string body = "",
        std::string const& token = owner
    );
    // The same with an If-Match.
    api_answer ask_matching(
        std::string method, std::string target, std::string body, std::string_view tag
    );

    // A new token of the role.
    std::string make_token(std::string role);

    // What is published starts something from then on.
    void look_at_flows();
    agent::flow::library const& flows() const { return library_; }

    // From now on every transaction fails as when Postgres is away.
    void lose_database();

    std::vector<net::route> const& routes() const { return routes_; }
    std::string address() const { return server_->address(); }
    boost::json::value const& document() const { return document_; }
    // "GET /api/v1/jobs" → the statuses that were answered.
    std::map<std::string, std::set<int>> const& exercised() const { return exercised_; }

    test_database database;
    loop io;
    base::manual_clock clock;
    executions_scene executions_here;

private:
    void compare(
        std::string const& method,
        std::string const& target,
        std::string const& body,
        api_answer const& answer
    );

    api::resources resources();

    std::unique_ptr<net::http_client> client_ = net::make_http_client(io.executor());
    server::config const settings_{};
    server::model_directory models_{settings_, *client_, clock};
    std::unique_ptr<storage::database> db_;
    std::unique_ptr<storage::batcher> reads_;
    std::unique_ptr<storage::batcher> writes_;
    roomless_slots slots_;
    agent::flow::execution_intake executions_{*writes_, slots_, base::system_clock()};
    agent::flow::catalog node_types_ = agent::flow::builtin_types();
    agent::flow::library library_{io.executor(), *db_, node_types_};
    api::reply_waiters waiting_{*db_};
    std::unique_ptr<server::todo_service> todo_;
    std::map<std::string, boost::json::object, std::less<>> const agents_{{"assistant", {}}};
    api::rest rest_;
    std::vector<net::route> routes_;
    boost::json::value document_;
    std::unique_ptr<net::http_server> server_;
    std::map<std::string, std::set<int>> exercised_;
};

// "/api/v1/jobs/{id}" fits "/api/v1/jobs/7?x=1".
bool fits(std::string_view pattern, std::string_view target);

} // namespace postrider::tests
