// A memory in a real Redis: what it keeps, and turns that go on whatever becomes of it.
#include "agent/flow/nodes/redis_memory.hpp"
#include "agent/flow/parts/services.hpp"
#include "net/redis_client.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>
#include <utility>

namespace postrider::tests::redis_memory_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::SizeIs;

constexpr std::string_view password = "hunter2-and-more";
constexpr std::string_view key = "postrider:remembering:ann";

struct redis_world {
    redis_server server{{"--requirepass", std::string(password)}};
    flow_world w;
    net::credentials credentials;
    std::optional<net::redis_client> client;
    std::int64_t job = 100;

    explicit redis_world(json::object more = {}) : w(document({})) {
        w.graph = compiled(document(std::move(more)));
        client.emplace(w.io.executor());
        net::credential login;
        login.kind = net::credential_kind::basic;
        login.user = "default";
        login.value = base::secret(std::string(password));
        login.hosts = {"127.0.0.1"};
        credentials.emplace("redis", login);
        login.user = "";
        login.kind = net::credential_kind::bearer;
        credentials.emplace("password_alone", login);
        login.value = base::secret("not-the-password");
        credentials.emplace("wrong", login);
        login.hosts = {"redis.example.org"};
        credentials.emplace("other", login);
        w.adjust = [this](flow::node_services& services) { offer(services); };
    }

    void offer(flow::node_services& services) {
        services.redis = &*client;
        services.credentials = &credentials;
    }
    std::string document(json::object more) const {
        json::object parameters{
            {"session_id", "{{ $json.who }}"},
            {"host", "127.0.0.1"},
            {"port", std::stoi(server.port())},
            {"credential", "redis"}};
        for (auto& [name, value] : more) parameters[name] = value;
        return flow_builder("remembering")
            .trigger("In", "manual")
            .node("Which", "if", {{"condition", "{{ $json.clear }}"}})
            .after("Which", "true")
            .node("Clear", "memory.clear")
            .after("Which", "false")
            .agent("Ask", {{"prompt", "{{ $json.text }}"}})
            .part("Memory", "memory.redis", std::move(parameters))
            .connect("Clear", "Ask")
            .connect("Memory", "Clear")
            .text();
    }
    static json::object data(std::string_view question, bool clears = false) {
        return {{"text", question}, {"who", "ann"}, {"clear", clears}};
    }
    void begin_turn() {
        w.job.id = job_id{job++};
        w.job.input = nullptr;
        w.record = {};
    }
    queue::outcome ask(std::string_view question, std::string answer, bool clears = false) {
        begin_turn();
        w.model.script = {says(std::move(answer))};
        return w.run(data(question, clears));
    }
    // The texts of the last request.
    std::vector<std::string> asked() const {
        std::vector<std::string> texts;
        for (auto const& message : w.model.requests.back().messages)
            texts.push_back(message.content);
        return texts;
    }
    net::redis_reply command(net::redis_command words) {
        net::redis_server place{.host = "127.0.0.1", .port = server.port()};
        place.password = base::secret(std::string(password));
        place.may_be_private = true;
        std::vector<net::redis_command> commands{std::move(words)};
        auto replies = w.io.run(client->ask(place, std::move(commands), std::chrono::seconds{8}));
        return replies.value().front();
    }
    std::int64_t entries() { return command({"ZCARD", std::string(key)}).number; }

    // The jobs that the last turn left, run as the engine would: so many.
    int run_later_jobs() {
        int jobs = 0;
        auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
        offer(services);
        auto const kind = flow::make_memory_writes(services);
        for (auto const& write : std::exchange(w.record.writes, {})) {
            if (write.row.empty()) continue;
            auto const row = json::parse(write.row);
            auto const* written = row.is_object() ? row.get_object().if_contains("kind") : nullptr;
            if (!written || *written != json::value(flow::memory_write_kind)) continue;
            queue::job later;
            later.id = job_id{1'000};
            later.input = row.at("input");
            fake_record record;
            fake_workflow steps{later, record};
            queue::workflow handle{steps};
            EXPECT_EQ(w.io.run(kind.run(handle)).state, queue::job_state::completed);
            ++jobs;
        }
        return jobs;
    }
};

class redis_memory : public testing::Test {
protected:
    void SetUp() override {
        if (!has_redis_server())
            GTEST_SKIP() << "redis-server is not installed: scripts/setup --test";
    }
};

// covers: S3.07 S3.10
TEST_F(redis_memory, has_what_was_said_in_the_session_and_lets_it_expire) {
    redis_world r(json::object{{"ttl", 600}});
    r.ask("q1", "a1");

    auto const outcome = r.ask("q2", "a2");

    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2"));
    EXPECT_FALSE(outcome.degraded);
    EXPECT_EQ(r.entries(), 4);
    auto const seconds_to_live = r.command({"TTL", std::string(key)}).number;
    EXPECT_GT(seconds_to_live, 500);
    EXPECT_LE(seconds_to_live, 600);
}

// covers: S3.10
TEST_F(redis_memory, lasts_for_ever_without_a_time) {
    redis_world r;
    r.ask("q1", "a1");
    EXPECT_EQ(r.command({"TTL", std::string(key)}).number, -1);
}

TEST_F(redis_memory, shows_its_window_and_keeps_little_more) {
    redis_world r(json::object{{"max_messages", 2}});
    for (int n = 1; n <= 30; ++n) r.ask(fmt::format("q{}", n), fmt::format("a{}", n));

    EXPECT_THAT(r.asked(), ElementsAre("q29", "a29", "q30"));
    EXPECT_EQ(r.entries(), 2 * flow::entries_of_a_message);
}

TEST_F(redis_memory, logs_in_with_the_password_alone) {
    redis_world r(json::object{{"credential", "password_alone"}, {"database", 3}});
    r.ask("q1", "a1");
    EXPECT_FALSE(r.ask("q2", "a2").degraded);
    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2"));
    EXPECT_EQ(r.entries(), 0) << "another database";
}

// covers: S3.10
TEST_F(redis_memory, outlives_a_server_that_dies) {
    redis_world r;
    r.ask("q1", "a1");
    r.server.kill();
    r.server.start();

    auto const outcome = r.ask("q2", "a2");

    EXPECT_FALSE(outcome.degraded);
    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2"));
}

// covers: S3.17
TEST_F(redis_memory, answers_without_a_server_and_writes_later) {
    redis_world r;
    r.ask("q1", "a1");
    r.server.kill();

    auto const outcome = r.ask("q2", "a2");

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->reason, "memory_degraded");
    EXPECT_THAT(r.asked(), ElementsAre("q2"));
    r.server.start();
    r.client.emplace(r.w.io.executor()); // which has not learned that the server was away
    EXPECT_EQ(r.run_later_jobs(), 1);
    r.ask("q3", "a3");
    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2", "a2", "q3"));
}

// Its input has what the person said, until the job is done.
// covers: X.19
TEST_F(redis_memory, writes_later_in_a_job_that_is_known_to_be_the_persons) {
    redis_world r;
    json::object memory{
        {"session_id", "ann"}, {"host", "127.0.0.1"}, {"port", std::stoi(r.server.port())}};
    memory["credential"] = "redis";
    r.w.graph = compiled(flow_builder("remembering")
                             .trigger("In", "telegram.message")
                             .agent("Ask", {{"prompt", "q1"}})
                             .part("Memory", "memory.redis", std::move(memory))
                             .text());
    r.server.kill();
    r.w.model.script = {says("a1")};
    flow::execution_input input;
    input.flow = "remembering";
    input.version = 1;
    input.heard = flow::heard_message{
        {bot_id{1}, chat_id{-7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};

    r.w.run(std::move(input));

    std::vector<json::value> people;
    for (auto const& write : r.w.record.writes) {
        auto const row = write.row.empty() ? json::value() : json::parse(write.row);
        auto const* kind = row.is_object() ? row.get_object().if_contains("kind") : nullptr;
        if (kind && *kind == json::value(flow::memory_write_kind))
            people.push_back(row.at("input").at("user"));
    }
    EXPECT_THAT(people, ElementsAre(json::value(7)));
}

// covers: S3.17
TEST_F(redis_memory, does_not_wait_for_a_server_that_answers_nothing) {
    redis_world r;
    r.ask("q1", "a1");
    r.server.freeze();
    auto const began = std::chrono::steady_clock::now();

    auto const outcome = r.ask("q2", "a2");

    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds{9});
    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->error.code, base::errc::timeout);
    r.server.thaw();
}

TEST_F(redis_memory, tells_of_a_wrong_password) {
    redis_world r(json::object{{"credential", "wrong"}});

    auto const outcome = r.ask("q1", "a1");

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_EQ(noted(outcome, "memory_degraded"), "unauthorized");
}

TEST_F(redis_memory, leaves_out_what_others_put_under_its_key) {
    redis_world r;
    r.ask("q1", "a1");
    r.command({"ZADD", std::string(key), "0", "rubbish", "0", "\xff\xfe", "-5", "{}"});

    EXPECT_FALSE(r.ask("q2", "a2").degraded);
    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2"));
}

TEST_F(redis_memory, goes_without_a_key_of_another_type) {
    redis_world r;
    r.command({"SET", std::string(key), "rubbish"});

    auto const outcome = r.ask("q1", "a1");

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_EQ(noted(outcome, "memory_degraded"), "conflict");
    EXPECT_EQ(r.command({"GET", std::string(key)}).text, "rubbish") << "it is not ours";
}

// The process dies behind the step that wrote.
TEST_F(redis_memory, doubles_nothing_in_a_later_run) {
    redis_world r;
    r.begin_turn();
    r.w.model.script = {says("a1")};
    ASSERT_TRUE(r.w.run_and_die(2, redis_world::data("q1")));
    ASSERT_EQ(r.entries(), 2);

    r.w.run(redis_world::data("q1"));

    EXPECT_EQ(r.entries(), 2);
    EXPECT_THAT(r.w.model.requests, SizeIs(1));
}

// covers: S3.07
TEST_F(redis_memory, forgets_what_is_cleared_and_gets_none_of_it_back) {
    redis_world r;
    r.ask("q1", "a1");
    auto const old_entry =
        r.command({"ZRANGE", std::string(key), "0", "0"}).items.at(0).text; // of a slow job

    r.ask("q2", "a2", true);

    EXPECT_THAT(r.asked(), ElementsAre("q2"));
    json::object session{
        {"host", "127.0.0.1"},
        {"port", r.server.port()},
        {"database", 0},
        {"tls", false},
        {"credential", "redis"},
        {"key", key},
        {"most", 600},
        {"ttl", 0}};
    json::object const input{{"session", std::move(session)}, {"entries", {old_entry}}};
    json::object const row{{"kind", flow::memory_write_kind}, {"input", input}};
    r.w.record.writes.clear();
    r.w.record.writes.push_back({nullptr, json::serialize(row)});
    EXPECT_EQ(r.run_later_jobs(), 1);
    r.ask("q3", "a3");
    EXPECT_THAT(r.asked(), ElementsAre("q2", "a2", "q3"));
}

// As postrider erase leaves the job: the step names the session, the entries their turns.
// covers: X.19
TEST_F(redis_memory, loses_what_the_turns_of_an_erased_person_put_there) {
    redis_world r;
    r.ask("sesame", "Open.");
    auto const session = r.w.record.steps.at("ask/remember")->at("session");
    EXPECT_EQ(session.at("key"), json::value(key));
    r.ask("q2", "a2");
    ASSERT_EQ(r.entries(), 4);

    json::object const input{{"session", session}, {"erase", {100}}};
    json::object const row{{"kind", flow::memory_write_kind}, {"input", input}};
    r.w.record.writes.clear();
    r.w.record.writes.push_back({nullptr, json::serialize(row)});
    EXPECT_EQ(r.run_later_jobs(), 1);

    EXPECT_EQ(r.entries(), 2);
    for (auto const& entry : r.command({"ZRANGE", std::string(key), "0", "-1"}).items)
        EXPECT_EQ(entry.text.find("sesame"), std::string::npos);
}

struct bad_redis {
    json::object parameters;
    std::string_view code;
};

// Nobody is asked; the agent answers without it.
TEST_F(redis_memory, reaches_no_server_that_is_not_allowed) {
    bad_redis const cases[]{
        {{{"credential", "none"}}, "not_found"},
        {{{"credential", "other"}}, "refused"},
        {{{"host", "10.0.0.1"}}, "refused"},
        {{{"host", "redis.example.org"}, {"credential", "other"}}, "refused"}, // without TLS
        {{{"session_id", "{{ '' }}"}}, "invalid"},
        {{{"url", "redis://127.0.0.1:1/0"}, {"credential", "other"}}, "refused"},
    };
    redis_world r;
    for (auto const& entry : cases) {
        SCOPED_TRACE(json::serialize(entry.parameters));
        r.w.graph = compiled(r.document(entry.parameters));
        auto const outcome = r.ask("q", "a");
        EXPECT_EQ(outcome.state, queue::job_state::completed);
        EXPECT_EQ(noted(outcome, "memory_degraded"), json::value(entry.code));
    }
    EXPECT_EQ(r.entries(), 0);
}

} // namespace
} // namespace postrider::tests::redis_memory_test
