#pragma once
// The API on a real server, a real Postgres and a real client. Every answer is compared with
// the API's description while the test goes on: its status, type and body must be described there.
#include "agent/flow/catalog.hpp"
#include "base/clock.hpp"
#include "net/http_client.hpp"
#include "net/http_server.hpp"
#include "server/api/rest.hpp"
#include "server/app/todo_service.hpp"
#include "server/console/login.hpp"
#include "tests/integration/server/api/executions_scene.hpp"
#include "tests/integration/server/api/noting_demo.hpp"
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

// Of one bot, main: what Telegram answers is set by the test.
struct scripted_bot_setup final : server::bot_setup {
    server::bot_check says;
    std::optional<base::error> refusal;
    std::vector<std::string> calls = {}; // "set main"

    bool knows(std::string const& bot) const override { return bot == "main"; }
    base::awaitable<server::bot_check> check(std::string bot) override {
        calls.push_back("check " + bot);
        co_return says;
    }
    base::awaitable<base::result<std::string>> set_webhook(std::string bot) override {
        calls.push_back("set " + bot);
        if (refusal) co_return *refusal;
        co_return "https://a.example/telegram/" + bot;
    }
    base::awaitable<base::result<void>> delete_webhook(std::string bot) override {
        calls.push_back("delete " + bot);
        if (refusal) co_return *refusal;
        co_return base::result<void>{};
    }
};

// Of one bot, main: what Telegram says of its groups is set by the test.
struct scripted_groups final : server::group_desk {
    std::vector<server::group_state> says = {
        {.bot_name = "main", .place = {bot_id{1}, chat_id{-100}}, .title = "Ferns"}};

    std::optional<server::serving_bot> bot_of(chat_id group) const override {
        for (auto const& state : says)
            if (state.place.chat == group)
                return server::serving_bot{state.place.bot, "Europe/Berlin"};
        return std::nullopt;
    }
    base::awaitable<std::vector<server::group_state>> look() override { co_return says; }
    std::vector<server::group_state> last_seen() const override { return says; }
    base::awaitable<void> keep_looking() override { co_return; }
};

struct api_answer {
    int status = 0;
    net::header_list headers;
    boost::json::value body;

    std::string code() const; // of a problem or an operation
};

// The route's pattern with ids of nothing in it, so that asking changes nothing.
std::string harmless(net::route const& route);

class api_world {
public:
    static constexpr auto owner = "the-owners-configured-token";
    static constexpr user_id person{500}; // whom it acts as

    explicit api_world(bool is_demo = false);
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

    // A one-time link's token.
    std::string make_link(storage::token_role role, user_id user = {});
    // Logs a browser in, as the person; the value of its header Cookie.
    std::string log_in(storage::token_role role, user_id user = {});
    // What a page of this server asks for with that cookie; compared with the description.
    api_answer ask_as(
        std::string const& cookie, std::string method, std::string target, std::string body = ""
    );
    // Notes the uses of tokens and sessions.
    void note_uses() { io.run(rest_.note_token_uses()); }
    // As a turn does that has its tools; it may fail.
    void ask_tool_server(std::string name) { (void)io.run(servers_.list_tools(std::move(name))); }

    // What is published starts something from then on.
    void look_at_flows();
    agent::flow::library const& flows() const { return library_; }

    // From now on every transaction fails as when Postgres is away.
    void lose_database();

    std::vector<net::route> const& routes() const { return routes_; }
    // Beside those: by them one logs in and out.
    std::vector<net::route> login_routes() { return desk_.routes(); }
    std::string address() const { return server_->address(); }
    boost::json::value const& document() const { return document_; }
    // "GET /api/v1/jobs" → the statuses that were answered.
    std::map<std::string, std::set<int>> const& exercised() const { return exercised_; }

    test_database database;
    loop io;
    base::manual_clock clock;
    executions_scene executions_here;
    std::vector<server::bot_state> running_bots; // as if this process had them
    noting_demo demo;
    scripted_bot_setup bots_at_telegram;
    scripted_groups groups_at_telegram;
    server::config& settings() { return settings_; } // as the endpoints read them

private:
    void compare(
        std::string const& method,
        std::string const& target,
        std::string const& body,
        api_answer const& answer
    );

    api::resources resources(bool is_demo);
    net::router all_routes();
    // A budget of two calls of a user, a server of tools whose program is not there, and a tool of high
    // risk.
    static server::config test_settings();
    agent::mcp::servers::clients test_servers();
    base::awaitable<std::vector<server::bot_state>> look_at_bots() { co_return running_bots; }

    std::unique_ptr<net::http_client> client_ = net::make_http_client(io.executor());
    server::config settings_ = test_settings();
    static std::vector<base::settings::line> test_lines();
    std::vector<base::settings::line> const shown_settings_ = test_lines();
    agent::mcp::servers servers_{clock, test_servers()};
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
    api::token_mint const mint_{
        base::secret(database.value("select encode(mac_key, 'hex') from postrider.token_key"))};
    api::rest rest_;
    console::login_desk desk_;
    std::vector<net::route> routes_; // of the API
    boost::json::value document_;
    std::unique_ptr<net::http_server> server_;
    std::map<std::string, std::set<int>> exercised_;
};

// "/api/v1/jobs/{id}" fits "/api/v1/jobs/7?x=1".
bool fits(std::string_view pattern, std::string_view target);

} // namespace postrider::tests
