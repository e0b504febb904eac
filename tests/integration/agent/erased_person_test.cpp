// A person's word is in no table and in no Redis, once the jobs that an erasure leaves have run.
#include "agent/flow/nodes/person_erasure.hpp"
#include "agent/flow/nodes/redis_memory.hpp"
#include "agent/flow/parts/services.hpp"
#include "net/redis_client.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/postgres.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/support/word_places.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::erased_person_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

// The person's turn is job 41, of lane 1; another person's turn 43 in a group recalled what the person had said there.
constexpr auto said_and_remembered = R"sql(
insert into postrider.bot (name) values ('main');
insert into postrider.lane (lane_key, bot_id, chat_id) values ('1:7:0', 1, 7), ('1:-5:0', 1, -5), ('memory:2', null, null), ('summary:s', null, null);
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, finished_at, input)
values (41, 1, 9, 1, 'completed', 'turn', 1, now(), now(), '{"flow": "remembering", "version": 1, "user": 7, "chat": 7}'),
       (42, 2, 9, 1, 'completed', 'turn', 1, now(), now(), '{"flow": "remembering", "version": 1, "user": 7, "chat": -5}'),
       (43, 2, 9, 1, 'completed', 'turn', 1, now(), now(), '{"flow": "remembering", "version": 1, "user": 8, "chat": -5}'),
       (44, 3, 9, 1, 'completed', 'memory.extract', 1, now(), now(), '{"memory_lane": 2, "bot": 1, "chat": -5, "flow": "remembering"}'),
       (45, 4, 9, 1, 'completed', 'memory.summary', 1, now(), now(), '{"session": "s", "flow": "remembering"}');
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
values (43, 0, now(), now(), 1, 'ask/recall-long-term', 'done', '{"memories": [{"id": 1, "text": "sesame", "said_by": [7]}]}'),
       (44, 0, now(), now(), 1, 'extract:1', 'done', '{"summary": "sesame", "facts": [], "read": []}'),
       (45, 0, now(), now(), 1, 'summarise', 'done', '{"text": "sesame"}');
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, sender_id, content)
values (1, 41, 9, 0, 'user', 'a', 7, 'sesame'), (2, 42, 9, 0, 'user', 'b', 7, 'sesame'), (2, 43, 9, 0, 'user', 'c', 8, 'hello'),
       (2, 43, 9, 2, 'tool', 'd', null, '{"memories":[{"text":"sesame","said_by":[7]}]}');
insert into postrider.session_message (session, job_id, position, role, content) values ('s', 41, 0, 'user', 'sesame');
insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, made_by)
values (7, 0, 1, 'note', 'sesame', '', 'sesame', 'a'), (0, -5, 1, 'fact', 'sesame', '', 'sesame', 'b');
insert into postrider.memory_source (memory_id, lane_id, job_id, position, user_id) values (1, 1, 41, 0, 7), (2, 2, 42, 0, 7);
select postrider.audit_append(l, 'model_call', j, 'ask/model', '{}', 'flow:remembering') from (values (2, 43), (3, 44), (4, 45)) v(l, j);
insert into postrider.audit_content (lane_id, number, created_at, content)
select lane_id, number, now(), 'sesame' from postrider.audit where kind = 'model_call';
)sql";

struct erased_world {
    redis_server server;
    test_database database;
    flow_world w;
    net::credentials credentials;
    net::redis_client client{w.io.executor()};

    erased_world() : w(document(server.port())) {
        net::credential login;
        login.kind = net::credential_kind::bearer;
        login.hosts = {"127.0.0.1"};
        credentials.emplace("redis", login);
        w.adjust = [this](flow::node_services& services) { offer(services); };
    }

    void offer(flow::node_services& services) {
        services.redis = &client;
        services.credentials = &credentials;
    }
    static std::string document(std::string const& port) {
        return flow_builder("remembering")
            .trigger("In", "manual")
            .agent("Ask", {{"prompt", "{{ $json.text }}"}})
            .part(
                "Memory",
                "memory.redis",
                {{"session_id", "ann"},
                 {"host", "127.0.0.1"},
                 {"port", std::stoi(port)},
                 {"credential", "redis"}}
            )
            .text();
    }

    // The person's turn writes to Redis, and its step is in the database.
    void say() {
        w.job.id = job_id{41};
        w.model.script = {says("Open.")};
        w.run(json::object{{"text", "sesame"}});
        database.execute(said_and_remembered);
        auto const step = w.record.steps.at("ask/remember").value();
        database.execute(
            "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, "
            "result) values (41, 0, now(), now(), 1, 'ask/remember', 'done', '" +
            json::serialize(step) + "')"
        );
        database.execute(word_places);
    }

    void erase() {
        for (auto const place : storage::erasure_places) {
            std::optional<std::string> after;
            do {
                storage::run_blocking(database.options(), [&](storage::transaction& tx) {
                    after = flow::erase_person(tx, place, user_id{7}, after, 1000).goes_on;
                }).value();
            } while (after);
        }
    }

    // As a server does, later.
    void run_jobs() {
        auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
        offer(services);
        auto const kind = flow::make_memory_writes(services);
        queue::job later;
        later.id = job_id{1'000};
        later.input = json::parse(database.value("select input::text from postrider.job where kind "
                                                 "= 'memory.write' and state <> 'cancelled'"));
        fake_record record;
        fake_workflow steps{later, record};
        queue::workflow handle{steps};
        EXPECT_EQ(w.io.run(kind.run(handle)).state, queue::job_state::completed);
    }

    net::redis_reply command(net::redis_command words) {
        net::redis_server place{.host = "127.0.0.1", .port = server.port()};
        place.may_be_private = true;
        std::vector<net::redis_command> commands{std::move(words)};
        auto replies = w.io.run(client.ask(place, std::move(commands), std::chrono::seconds{8}));
        return replies.value().front();
    }
    // All that Redis has.
    std::string dump() {
        std::string dump;
        for (auto const& key : command({"KEYS", "*"}).items) {
            dump += key.text + "\n";
            for (auto const& entry : command({"ZRANGE", key.text, "0", "-1"}).items)
                dump += entry.text + "\n";
        }
        return dump;
    }
    std::string places_of(std::string const& word) const {
        return database.value("select public.places_of('" + word + "')");
    }
};

// covers: X.19
TEST(erased_person, has_no_word_left_in_any_table_nor_in_redis) {
    if (!has_redis_server()) GTEST_SKIP() << "redis-server is not installed: scripts/setup --test";
    erased_world e;
    e.say();
    ASSERT_THAT(e.dump(), HasSubstr("sesame"));
    ASSERT_THAT(e.places_of("sesame"), HasSubstr("memory=2"));

    e.erase();
    e.run_jobs();

    EXPECT_EQ(e.places_of("sesame"), "");
    EXPECT_THAT(e.dump(), Not(HasSubstr("sesame")));
    EXPECT_EQ(e.places_of("hello"), "message=1");
}

} // namespace
} // namespace postrider::tests::erased_person_test
