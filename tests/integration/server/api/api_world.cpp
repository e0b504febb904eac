#include "tests/integration/server/api/api_world.hpp"

#include "agent/json_schema/json_schema.hpp"
#include "server/api/console_link.hpp"
#include "server/api/last_data.hpp"
#include "tests/unit/net/raw_connection.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::tests {

namespace {

namespace json = boost::json;

net::http_server_options any_port() {
    net::http_server_options options;
    options.listen = "127.0.0.1:0";
    return options;
}

std::unique_ptr<storage::batcher> make_reads(loop& io, test_database const& database) {
    storage::batcher_options options;
    options.read_only = true;
    return storage::make_batcher(io.executor(), database.options(), options);
}

json::value body_of(net::http_answer const& answer) {
    if (answer.body.empty()) return nullptr;
    auto const type = answer.headers.find("Content-Type");
    bool const is_text = type == "text/event-stream" || type == "application/jsonl";
    if (is_text || type.starts_with("image/")) return json::string(answer.body);
    return json::parse(answer.body);
}

// A schema in the document, through the response or body it stands in.
json::value const* schema_of(json::value const& described, std::string_view type) {
    auto const* content = described.as_object().if_contains("content");
    auto const* media = content ? content->as_object().if_contains(type) : nullptr;
    return media ? &media->at("schema") : nullptr;
}

// What is not described is a mistake even where a schema allows it, or the description could fall
// behind unnoticed.
void close(json::value& schemas) {
    if (auto* array = schemas.if_array()) std::ranges::for_each(*array, close);
    auto* object = schemas.if_object();
    if (!object) return;
    for (auto& member : *object) close(member.value());
    if (object->contains("properties")) (*object)["additionalProperties"] = false;
}

enum class reading { as_written, closed };

// What in the value the document's schema does not fit; empty = nothing.
std::string mistakes(
    json::value const& document, json::value const& schema, json::value const& value, reading mode
) {
    json::value whole = schema;
    whole.as_object()["components"] = document.at("components");
    if (mode == reading::closed) close(whole);
    auto const compiled = agent::json_schema::compile(whole, {.assert_formats = true}).value();
    return to_text(compiled.check(value), "the body");
}

} // namespace

// Lane 1 has all jobs but the running one, which has lane 2 to itself.
char const* const scene = R"sql(
insert into postrider.bot (bot_id, name, telegram_id) overriding system value values (1, 'main', 77);
insert into postrider.lane (lane_id, lane_key, bot_id, chat_id, conversation_id)
overriding system value values (1, '1:5:0', 1, 5, 9), (2, '1:6:0', 1, 6, 10);
insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, host, version, slots)
values (3, 1, 1, 'b', 'p', 'h', 'v', 8);
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at,
                           state, kind, run_no, tokens_in, tokens_out, input, output, error_class, error, due_at,
                           wait_reason, paused_at)
values (41, 1, 9, 0, '2026-11-21T09:00:00Z', '2026-11-21T09:00:00.01Z', '2026-11-21T09:00:03Z',
        'completed', 'turn', 2, 100, 7, '{"agent": "assistant"}', '{"delivery": "sent"}', null, null, null, null, null),
       (42, 1, 9, 0, '2026-11-21T09:01:00Z', '2026-11-21T09:01:00Z', '2026-11-21T09:01:01Z',
        'failed', 'turn', 1, null, null, '{}', null, 'invalid', 'no such agent', null, null, null),
       (43, 1, 9, 0, '2026-11-21T09:02:00Z', null, null,
        'paused', 'turn', 0, null, null, '{}', null, null, null, null, null, '2026-11-21T09:02:30Z'),
       (44, 1, 9, 1, '2026-11-21T09:03:00Z', '2026-11-21T09:03:01Z', null,
        'waiting', 'turn', 1, null, null, '{}', null, null, null, '2036-11-21T09:03:01Z', 'waits for an event', null),
       (45, 1, 9, 2, '2026-11-21T09:04:00Z', null, null,
        'available', 'report', 0, null, null, '{}', null, null, null, null, null, null),
       (46, 2, 10, 1, '2026-11-21T09:05:00Z', '2026-11-21T09:05:01Z', null,
        'running', 'turn', 1, null, null, '{}', null, null, null, null, null, null);
update postrider.lane_run r
set ready_at = t.ready_at::timestamptz, node_id = t.node_id, epoch = t.epoch, arrivals = t.arrivals, head = t.head, wait_reason = t.reason
from (values (1, '2036-11-21T09:03:01Z', null, 11, 2, 44, 'waits for an event'), (2, '2026-11-21T09:05:00Z', 3, 12, 1, 46, null))
    t(lane_id, ready_at, node_id, epoch, arrivals, head, reason)
where r.lane_id = t.lane_id;
insert into postrider.wait (job_id, lane_id, until_at, key, type, match)
values (44, 1, '2036-11-21T09:03:01Z', 'answer', 'reply', 'q1');
insert into postrider.step (job_id, attempt, seq, started_at, ended_at, next_at, node_id, key, outcome,
                            error_class, error, result)
values (41, 1, 1, '2026-11-21T09:00:00.02Z', '2026-11-21T09:00:00.12Z', '2026-11-21T09:00:02Z', 3,
        'model', 'retry', 'overloaded', 'try later', null),
       (41, 2, 1, '2026-11-21T09:00:02Z', '2026-11-21T09:00:02.5Z', null, 3, 'model', 'done', null, null,
        '{"text": "hi"}'),
       (42, 1, 1, '2026-11-21T09:01:00Z', '2026-11-21T09:01:01Z', null, 3, 'model', 'failed', 'invalid',
        'no such agent', null);
insert into postrider.effect (job_id, flagged, key, kind, class, state, request)
values (41, false, 'reply', 'telegram.send', 'at_most_once', 'unknown', '{"chat_id": 5}'),
       (41, true, 'reply/2', 'telegram.send', 'at_least_once', 'done', null),
       (42, false, 'reply', 'telegram.send', 'ask', 'unknown', null);
select setval('postrider.number', 1000);
select setval(pg_get_serial_sequence('postrider.lane', 'lane_id'), 1000);
)sql";

std::string api_answer::code() const {
    auto const& object = body.as_object();
    if (auto const* operation = object.if_contains("operation"))
        return std::string(operation->at("code").as_string());
    return std::string(object.at("code").as_string());
}

bool fits(std::string_view pattern, std::string_view target) {
    target = target.substr(0, target.find('?'));
    while (!pattern.empty() && !target.empty()) {
        auto const expected = pattern.substr(0, pattern.find('/', 1));
        auto const actual = target.substr(0, target.find('/', 1));
        bool const any = expected.starts_with("/{") && actual.size() > 1;
        if (!any && expected != actual) return false;
        pattern.remove_prefix(expected.size());
        target.remove_prefix(actual.size());
    }
    return pattern.empty() && target.empty();
}

std::string harmless(net::route const& route) {
    auto target = route.pattern;
    for (std::string_view name :
         {"{id}",
          "{key}",
          "{lane}",
          "{bot}",
          "{name}",
          "{version}",
          "{entry}",
          "{chat}",
          "{message}",
          "{user}"})
        if (auto at = target.find(name); at != target.npos)
            target.replace(at, name.size(), "999999");
    return target;
}

api_world::api_world(bool is_demo)
    : executions_here(io.executor(), database.options(), clock),
      db_(storage::open_database(io.executor(), database.options())),
      reads_(make_reads(io, database)),
      writes_(storage::make_batcher(io.executor(), database.options(), {})),
      todo_(std::make_unique<server::todo_service>(
          io.executor(), database.options(), *reads_, settings_
      )),
      rest_(
          api::api_databases(*db_, *db_, *db_),
          *reads_,
          {base::secret(owner), mint_, person},
          clock,
          resources(is_demo)
      ),
      desk_({*db_, mint_, base::system_random(), clock, {}, base::duration::zero()}),
      routes_(rest_.routes()),
      document_(json::parse(rest_.description())),
      server_(net::make_http_server(io.executor(), any_port(), all_routes())) {
    server_->start().value();
    database.execute(scene);
}

std::vector<base::settings::line> api_world::test_lines() {
    server::config_sources sources;
    sources.environment = {
        {"POSTRIDER_SLOTS", "8"},
        {"POSTRIDER_AUDIT_KEY", "a-key-of-thirty-two-characters-at-least"}};
    return server::load_config(sources).effective;
}

server::config api_world::test_settings() {
    server::config settings;
    settings.budgets["user"].calls = 2;
    agent::mcp::server_options absent;
    absent.command.emplace().program = "/nonexistent/server";
    settings.mcp_servers.emplace("absent", absent);
    settings.tools["calculator"].risk = agent::risk::high;
    settings.models["built_in"].provider = "rules";
    return settings;
}

agent::mcp::servers::clients api_world::test_servers() {
    agent::mcp::servers::clients clients;
    for (auto const& [name, options] : settings_.mcp_servers)
        clients.emplace(name, agent::mcp::make_client(io.executor(), *client_, options));
    return clients;
}

api::resources api_world::resources(bool is_demo) {
    api::resources all{
        base::system_random(),
        {{&node_types_, {.names = {{"model", {"default"}}, {"bot", {"main"}}}}}}};
    all.flows.last_data = [this](storage::database& db, std::string flow, std::string node) {
        return api::last_data(executions_here.services(), db, std::move(flow), std::move(node));
    };
    all.flows.put_in_force = [this] { return library_.refresh(); };
    all.models = &models_;
    all.bots = &settings_.bots;
    if (is_demo) all.demo = &demo;
    all.executions.emplace(executions_here.for_api());
    all.todo.emplace(todo_->for_api(base::system_random()));
    all.installed.emplace(api::installation{
        settings_,
        servers_,
        [this] { return look_at_bots(); },
        &shown_settings_,
        &bots_at_telegram,
        &groups_at_telegram});
    all.conversations.emplace(api::conversation_services{
        library_,
        agents_,
        waiting_,
        base::system_random(),
        executions_,
        *reads_,
        executions_here.services(),
        executions_here.hub});
    return all;
}

net::router api_world::all_routes() {
    auto all = desk_.routes();
    all.insert(all.end(), routes_.begin(), routes_.end());
    return net::router(std::move(all));
}

api_world::~api_world() {
    client_->close();
    io.run(servers_.close());
    io.run(server_->drain(base::duration::zero()));
    lose_database();
}

void api_world::lose_database() {
    todo_->close();
    reads_->close();
    writes_->close();
    db_->close();
}

api_answer api_world::send(
    std::string method, std::string target, net::header_list headers, std::string body
) {
    net::http_call call;
    call.method = std::move(method);
    call.origin = "http://" + server_->address();
    call.target = std::move(target);
    call.headers = std::move(headers);
    call.body = std::move(body);
    auto answer = io.run(client_->send(std::move(call))).value();
    return {answer.status, answer.headers, body_of(answer)};
}

api_answer api_world::ask(
    std::string method, std::string target, std::string body, std::string const& token
) {
    return ask_with({}, std::move(method), std::move(target), std::move(body), token);
}

api_answer api_world::ask_with(
    net::header_list more,
    std::string method,
    std::string target,
    std::string body,
    std::string const& token
) {
    more.add("Authorization", "Bearer " + token);
    auto answer = send(method, target, std::move(more), body);
    compare(method, target, body, answer);
    io.run(rest_.note_token_uses());
    return answer;
}

api_answer api_world::watch(std::string target, std::string body) {
    std::string const method = body.empty() ? "GET" : "POST";
    raw_connection line(io.executor());
    line.connect(server_->address());
    io.run(line.send(
        method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + owner +
        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body
    ));
    api_answer answer;
    auto const head = io.run(line.read_until("\r\n\r\n"));
    answer.status = std::stoi(head.substr(head.find(' ')));
    std::string const type = "Content-Type: ";
    auto const begin = head.find(type) + type.size();
    answer.headers.add("Content-Type", head.substr(begin, head.find("\r\n", begin) - begin));
    answer.body = json::string(io.run(line.read_until("\n\n")));
    compare(method, target, body, answer);
    return answer;
}

api_answer api_world::ask_matching(
    std::string method, std::string target, std::string body, std::string_view tag
) {
    return ask_with(
        {{"If-Match", std::string(tag)}}, std::move(method), std::move(target), std::move(body)
    );
}

void api_world::look_at_flows() {
    io.run(library_.refresh()).value();
}

std::string api_world::make_token(std::string role) {
    json::object wanted{{"user_id", 7}, {"role", role}};
    auto const answer = post("/api/v1/tokens", json::serialize(wanted));
    return std::string(answer.body.at("token").as_string());
}

std::string api_world::make_link(storage::token_role role, user_id user) {
    auto const link = std::make_shared<api::new_link>();
    std::function<void(storage::transaction&)> const make = [&](storage::transaction& tx) {
        auto token = mint_.make_token(base::system_random(), api::token_kind::link);
        *link = api::make_link(tx, std::move(token), role, user);
    };
    io.run(db_->run("link", make, std::chrono::seconds{5})).value();
    return link->token.reveal();
}

std::string api_world::log_in(storage::token_role role, user_id user) {
    auto const body = json::serialize(json::object{{"token", make_link(role, user)}});
    auto const answer = send("POST", "/api/v1/login", {{"Sec-Fetch-Site", "same-origin"}}, body);
    compare("POST", "/api/v1/login", body, answer);
    EXPECT_EQ(answer.status, 204) << answer.body;
    auto const cookie = answer.headers.find("Set-Cookie");
    return std::string(cookie.substr(0, cookie.find(';')));
}

api_answer api_world::ask_as(
    std::string const& cookie, std::string method, std::string target, std::string body
) {
    auto answer =
        send(method, target, {{"Cookie", cookie}, {"Sec-Fetch-Site", "same-origin"}}, body);
    compare(method, target, body, answer);
    return answer;
}

void api_world::compare(
    std::string const& method,
    std::string const& target,
    std::string const& body,
    api_answer const& answer
) {
    std::string lower = method;
    for (auto& c : lower) c = static_cast<char>(std::tolower(c));
    for (auto const& path : document_.at("paths").as_object()) {
        auto const* operation = path.value().as_object().if_contains(lower);
        if (!operation || !fits(path.key(), target)) continue;
        auto const name = method + " " + std::string(path.key());
        exercised_[name].insert(answer.status);

        auto const* described =
            operation->at("responses").as_object().if_contains(std::to_string(answer.status));
        ASSERT_NE(described, nullptr)
            << name << " answered " << answer.status << ": " << answer.body;
        if (auto const* to = described->as_object().if_contains("$ref"))
            described = &document_.at_pointer(std::string(to->as_string()).substr(1));
        if (!described->as_object().contains("content")) {
            EXPECT_TRUE(answer.body.is_null()) << name << " answered " << answer.body;
            return;
        }
        std::string const type(answer.headers.find("Content-Type"));
        auto const* schema = schema_of(*described, type);
        ASSERT_NE(schema, nullptr) << name << " answered " << answer.status << " of type " << type;
        EXPECT_EQ(mistakes(document_, *schema, answer.body, reading::closed), "")
            << name << " answered " << answer.status;

        // What is accepted must be described as well.
        auto const* request = operation->as_object().if_contains("requestBody");
        if (answer.status < 300 && request && !body.empty()) {
            boost::system::error_code no_json;
            auto const value = json::parse(body, no_json);
            // A file may be anything.
            if (no_json && schema_of(*request, "application/octet-stream")) return;
            auto const& wanted = *schema_of(*request, "application/json");
            EXPECT_EQ(mistakes(document_, wanted, value, reading::as_written), "")
                << name << " accepted " << body;
        }
        return;
    }
    ADD_FAILURE() << method << " " << target << " is not described";
}

} // namespace postrider::tests
