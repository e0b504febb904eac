// Webhooks over real sockets, with a real engine behind them.
#include "base/fault.hpp"
#include "base/log.hpp"
#include "net/digest.hpp"
#include "server/hooks/hook_route.hpp"
#include "tests/integration/server/flow_server.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/held_lock.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::webhooks_test {
namespace {

namespace json = boost::json;
using net::header_list;
using testing::HasSubstr;
using namespace std::chrono_literals;

flow_builder hook(std::string_view name, std::string_view path, json::object parameters = {}) {
    parameters["path"] = path;
    parameters["secret"] = "shop";
    return flow_builder(name).trigger("In", "webhook", std::move(parameters));
}

auto const orders =
    hook("orders", "orders/new")
        .settings({{"lane", "{{ $json.body.customer }}"}, {"timeout", "1h"}})
        .node("Note", "set", {{"fields", {{"customer", "{{ $json.body.customer }}"}}}})
        .text();

// Answers with a greeting; without a name it fails.
json::object const greeting{
    {"status", 201},
    {"headers", {{"X-By", "flow"}, {"Bad Name", "x"}}},
    {"body", {{"hello", "{{ $json.query.name }}"}}}};
json::object const by_key{
    {"method", "GET"}, {"authentication", "header"}, {"header", "X-Key"}, {"respond", "by_node"}};
auto const greeter = hook("greeter", "greet", by_key).node("Out", "http.respond", greeting).text();

auto const stopper = hook("stopper", "stop", {{"respond", "by_node"}})
                         .node("End", "stop", {{"message", "no way"}})
                         .text();

json::object const by_signature{{"authentication", "signature"}, {"header", "X-Hub-Signature-256"}};
auto const pushes = hook("pushes", "push", by_signature).text();

class webhooks : public testing::Test {
protected:
    webhooks() { begin(); }

    // Another process on the same database.
    void begin(base::duration patience = 10s) {
        server.emplace(database);
        server->serve({hooks::hook_route(
            {server->library,
             secrets,
             server->executions(),
             waiting.emplace(*server->postgres.db),
             refusals,
             patience,
             {.of_flow = most_waiting_of_flow}}
        )});
        server->io.run(server->library.refresh()).value();
    }

    base::awaitable<void> waits_for_a_lock() {
        while (database.value("select exists (select from pg_stat_activity where datname = "
                              "current_database() and wait_event_type = 'Lock')") != "t")
            co_await base::sleep_for(2ms);
    }

    net::http_answer post(
        std::string path, std::string body, header_list more = {}, std::string type = json_type
    ) {
        more.add("Authorization", "Bearer s3cret");
        more.add("Content-Type", std::move(type));
        return server->send("POST", "/hooks/" + path, std::move(more), std::move(body));
    }

    base::awaitable<void> ask(std::vector<std::int64_t>& executions) {
        auto call = server->call_of(
            "POST",
            "/hooks/orders/new",
            {{"Authorization", "Bearer s3cret"}, {"Idempotency-Key", "k"}},
            "x"
        );
        auto answer = co_await server->client->send(std::move(call));
        executions.push_back(execution_of(answer.value()));
    }

    static std::int64_t execution_of(net::http_answer const& answer) {
        return json::parse(answer.body).at("execution").as_int64();
    }

    json::value input() const {
        return json::parse(database.value("select input from postrider.job order by job_id desc"));
    }

    static constexpr auto json_type = "application/json";
    test_database database;
    std::map<std::string, base::secret, std::less<>> secrets{{"shop", base::secret("s3cret")}};
    base::report_paces refusals;
    std::size_t most_waiting_of_flow = 500;
    std::optional<api::reply_waiters> waiting;
    std::optional<flow_server> server;
};

// covers: X.18
TEST_F(webhooks, note_the_trace_that_the_request_belongs_to) {
    constexpr auto trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    server->publish(orders);

    post("orders/new", R"({"customer": "eve"})", {{"Traceparent", trace}});
    EXPECT_EQ(input().at("traceparent").as_string(), trace);
    post("orders/new", R"({"customer": "eve"})", {{"Traceparent", "no trace"}});
    EXPECT_FALSE(input().as_object().contains("traceparent"));
}

TEST_F(webhooks, start_an_execution_that_has_the_request_as_its_item) {
    server->publish(orders);

    auto const answer = post(
        "orders/new?from=shop&tag=a+b&tag=c",
        R"({"customer": "eve", "total": 7})",
        {{"X-Shop", "1"}, {"X-Shop", "2"}, {"Cookie", "private"}}
    );

    EXPECT_EQ(answer.status, 202);
    auto const all = input();
    EXPECT_EQ(all.at("flow").as_string(), "orders");
    EXPECT_EQ(all.at("version").as_int64(), 1);
    EXPECT_EQ(all.at("trigger").as_string(), "in");
    auto const& item = all.at("data");
    EXPECT_EQ(item.at("method").as_string(), "POST");
    EXPECT_EQ(item.at("path").as_string(), "orders/new");
    EXPECT_EQ(item.at("query"), (json::object{{"from", "shop"}, {"tag", "a b"}}));
    EXPECT_EQ(item.at("headers").at("x-shop").as_string(), "1, 2");
    EXPECT_EQ(item.at("body").at("total").as_int64(), 7);
    EXPECT_THAT(json::serialize(all), Not(AnyOf(HasSubstr("s3cret"), HasSubstr("private"))));
    EXPECT_EQ(
        database.value("select lane_key || ' ' || kind || ' ' || (deadline_at > now()) "
                       "from postrider.job join postrider.lane using (lane_id)"),
        "flow:orders:eve flow true"
    );

    server->start_engine();
    server->until(
        "select state from postrider.job where job_id = " + std::to_string(execution_of(answer)),
        "completed"
    );
    EXPECT_EQ(database.value("select output #>> '{items,0,customer}' from postrider.job"), "eve");
}

TEST_F(webhooks, that_cannot_be_stored_for_a_while_are_logged_once) {
    server->publish(orders);
    database.execute(R"sql(
create function public.refuse() returns trigger language plpgsql as $$ begin raise exception using errcode = '53100'; end $$;
create trigger full_disk before insert on postrider.job for each row execute function public.refuse();
)sql");
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(post("orders/new", R"({"customer": "eve"})").status, 503);
    database.execute("drop trigger full_disk on postrider.job");
    EXPECT_EQ(post("orders/new", R"({"customer": "eve"})").status, 202);
    auto const log = testing::internal::GetCapturedStderr();

    EXPECT_EQ(log.find("hook.not_started"), log.rfind("hook.not_started")) << log;
    EXPECT_THAT(log, HasSubstr("hook.not_started"));
    EXPECT_THAT(log, HasSubstr("hook.starts_resumed"));
}

// Its requests that wait for their commit leave room for others.
TEST_F(webhooks, of_a_busy_flow_are_turned_away_before_they_fill_every_door) {
    most_waiting_of_flow = 1;
    begin();
    server->publish(orders);
    server->publish(greeter);
    held_lock table(database.url(), "lock table postrider.lane in access exclusive mode");
    auto const slow = [this](int& status) -> base::awaitable<void> {
        auto call = server->call_of(
            "POST",
            "/hooks/orders/new",
            {{"Authorization", "Bearer s3cret"}, {"Content-Type", json_type}},
            R"({"customer": "eve"})"
        );
        status = (co_await server->client->send(std::move(call))).value().status;
    };
    int first = 0;
    base::task_group tasks(server->io.executor());
    tasks.spawn("first", slow(first));
    server->io.run(waits_for_a_lock());

    auto const refused = post("orders/new", R"({"customer": "eve"})");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.headers.find("Retry-After"), "2");
    EXPECT_THAT(refused.body, HasSubstr("overloaded"));

    table.release();
    server->io.run(tasks.join());
    EXPECT_EQ(first, 202);
    EXPECT_EQ(post("orders/new", R"({"customer": "eve"})").status, 202) << "there is room again";
}

TEST_F(webhooks, turn_away_who_is_wrong_here) {
    server->publish(orders);
    auto const status = [&](std::string method, std::string path, header_list headers) {
        return server->send(std::move(method), "/hooks/" + path, std::move(headers)).status;
    };
    header_list const owner{{"Authorization", "Bearer s3cret"}};

    EXPECT_EQ(status("POST", "orders", owner), 404);
    EXPECT_EQ(status("POST", "orders/new/", owner), 404);
    EXPECT_EQ(status("POST", "orders/new", {}), 401);
    EXPECT_EQ(status("POST", "orders/new", {{"Authorization", "Bearer s3cres"}}), 401);
    EXPECT_EQ(status("POST", "orders/new", {{"Authorization", "s3cret"}}), 401);
    auto const other = server->send("GET", "/hooks/orders/new", owner);
    EXPECT_EQ(other.status, 405);
    EXPECT_EQ(other.headers.find("Allow"), "POST");
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
}

TEST_F(webhooks, let_nobody_in_where_the_secret_is_not_configured) {
    secrets.clear();
    server->publish(orders);

    EXPECT_EQ(post("orders/new", "{}").status, 401);
}

TEST_F(webhooks, refuse_what_they_cannot_read) {
    server->publish(orders);

    EXPECT_EQ(post("orders/new", "{").status, 400);
    EXPECT_EQ(post("orders/new", "\xff", {}, "text/plain").status, 400);
    EXPECT_EQ(post("orders/new?x=%ff", "{}").status, 400);
    EXPECT_EQ(post("orders/new", std::string((1u << 20) + 1, ' ')).status, 413);
    EXPECT_EQ(post("orders/new", "{}", {{"Idempotency-Key", std::string(256, 'k')}}).status, 400);
    EXPECT_EQ(post("orders/new", std::string(1u << 20, ' '), {}, "text/plain").status, 202);
}

TEST_F(webhooks, check_the_signature_of_the_body) {
    server->publish(pushes);
    std::string const body = R"({"ref": "main"})";
    auto const status = [&](std::string signature) {
        return server
            ->send("POST", "/hooks/push", {{"X-Hub-Signature-256", std::move(signature)}}, body)
            .status;
    };

    EXPECT_EQ(status("sha256=" + net::hmac_sha256_hex("s3cret", body)), 202);
    EXPECT_EQ(status(net::hmac_sha256_hex("s3cret", body)), 202);
    EXPECT_EQ(status("sha256=" + net::hmac_sha256_hex("s3cret", body + " ")), 401);
    EXPECT_EQ(status("sha256=" + net::hmac_sha256_hex("other", body)), 401);
    EXPECT_EQ(status("sha256="), 401);
    EXPECT_EQ(server->send("POST", "/hooks/push", {}, body).status, 401);
}

TEST_F(webhooks, answer_with_what_the_flow_says) {
    server->publish(greeter);
    server->start_engine();

    auto const answer = server->send("GET", "/hooks/greet?name=Eve", {{"X-Key", "s3cret"}});

    EXPECT_EQ(answer.status, 201);
    EXPECT_EQ(answer.body, R"({"hello":"Eve"})");
    EXPECT_EQ(answer.headers.find("Content-Type"), json_type);
    EXPECT_EQ(answer.headers.find("X-By"), "flow");
    EXPECT_EQ(answer.headers.find("Content-Security-Policy"), "sandbox");
    EXPECT_FALSE(input().at("data").at("headers").as_object().contains("x-key"));
}

TEST_F(webhooks, tell_that_the_execution_failed) {
    server->publish(stopper);
    server->start_engine();

    auto const answer = post("stop", "{}");

    EXPECT_EQ(answer.status, 500);
    EXPECT_EQ(json::parse(answer.body).at("code").as_string(), "execution_failed");
    EXPECT_THAT(answer.body, Not(HasSubstr("no way")));
}

TEST_F(webhooks, tell_that_the_execution_was_cancelled) {
    header_list const headers{{"X-Key", "s3cret"}, {"Idempotency-Key", "once"}};
    begin(50ms);
    server->publish(greeter);
    ASSERT_EQ(server->send("GET", "/hooks/greet", headers).status, 202);
    database.value("select (postrider.job_cancel(job_id)).code from postrider.job");
    begin(20s);

    auto const answer = server->send("GET", "/hooks/greet", headers);

    EXPECT_EQ(answer.status, 409);
    EXPECT_EQ(json::parse(answer.body).at("code").as_string(), "cancelled");
}

TEST_F(webhooks, keep_nobody_waiting_for_ever) {
    begin(50ms);
    server->publish(greeter);

    auto const late = server->send("GET", "/hooks/greet", {{"X-Key", "s3cret"}});
    begin(10s);
    waiting->close();
    auto const stopped = server->send("GET", "/hooks/greet", {{"X-Key", "s3cret"}});

    for (auto const& answer : {late, stopped}) {
        EXPECT_EQ(answer.status, 202);
        EXPECT_EQ(answer.headers.find("Retry-After"), "2");
        EXPECT_GT(execution_of(answer), 0);
    }
}

TEST_F(webhooks, start_one_execution_for_a_key) {
    server->publish(orders);
    header_list const key{{"Idempotency-Key", "order 7"}};

    auto const first = post("orders/new", R"({"customer": "eve"})", key);
    auto const again = post("orders/new", R"({"customer": "eve"})", key);
    auto const other = post("orders/new", R"({"customer": "mallory"})", key);
    auto const without = post("orders/new", R"({"customer": "eve"})");

    EXPECT_EQ(execution_of(first), execution_of(again));
    EXPECT_NE(execution_of(first), execution_of(without));
    EXPECT_EQ(other.status, 422);
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "2");
}

TEST_F(webhooks, forget_a_key_after_a_day) {
    server->publish(orders);
    header_list const key{{"Idempotency-Key", "k"}};
    auto const first = post("orders/new", "{}", key);
    auto const older = [&](std::string_view than) {
        database.execute(
            "update postrider.request_key set created_at = now() - interval '" + std::string(than) +
            "'"
        );
    };

    older("23 hours 59 min");
    EXPECT_EQ(execution_of(post("orders/new", "{}", key)), execution_of(first));
    EXPECT_EQ(database.value("select postrider.prune_request_keys()"), "0");
    older("24 hours 1 min");
    EXPECT_NE(execution_of(post("orders/new", "{}", key)), execution_of(first));
    older("24 hours 1 min");
    EXPECT_EQ(database.value("select postrider.prune_request_keys()"), "1");
}

// The process died after its commit and before its answer: the client asks the next one.
TEST_F(webhooks, give_a_repeated_request_the_answer_of_the_first) {
    server->publish(greeter);
    header_list const headers{{"X-Key", "s3cret"}, {"Idempotency-Key", "once"}};
    base::fault::arm("hook.committed:error").value();
    auto const lost = server->send("GET", "/hooks/greet?name=Eve", headers);
    base::fault::arm("").value();
    begin();
    server->start_engine();

    auto const again = server->send("GET", "/hooks/greet?name=Eve", headers);

    EXPECT_EQ(lost.status, 500);
    EXPECT_EQ(again.status, 201);
    EXPECT_EQ(again.body, R"({"hello":"Eve"})");
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "1");
}

// covers: E.02
TEST_F(webhooks, commit_by_the_intake_and_begin_where_they_are_taken_in) {
    server->publish(orders);
    server->start_engine();
    auto const before = server->postgres.intake->counts().units;

    auto const answer = post("orders/new", R"({"customer": "eve"})");

    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(server->postgres.intake->counts().units, before + 1);
    server->until("select state from postrider.job", "completed");
    EXPECT_EQ(database.value("select started_at = created_at from postrider.job"), "t")
        << "leased in the commit that made it";
}

TEST_F(webhooks, start_one_execution_for_requests_that_come_together) {
    server->publish(orders);
    std::vector<std::int64_t> executions;
    base::task_group group(server->io.executor());
    for (int i = 0; i < 8; ++i) group.spawn("ask", ask(executions));
    server->io.run(group.join());

    EXPECT_EQ(executions.size(), 8u);
    EXPECT_THAT(executions, testing::Each(executions.front()));
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "1");
}

} // namespace
} // namespace postrider::tests::webhooks_test
