// What many watchers cost Postgres: queries are counted where they are sent.
#include "server/api/conversation_watch.hpp"
#include "server/api/execution_watch.hpp"
#include "tests/integration/server/api/watched_world.hpp"
#include "tests/support/counting_database.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <iostream>

namespace postrider::tests::shared_watching_test {
namespace {

using namespace std::chrono_literals;

class kept_text final : public net::body_writer {
public:
    base::awaitable<bool> write(std::string_view piece) override {
        text += piece;
        co_return true;
    }
    std::string text;
};

class many_watchers : public watched_conversations, public testing::WithParamInterface<int> {
protected:
    struct watcher {
        explicit watcher(std::shared_ptr<api::conversation_watch> by) : watch(std::move(by)) {}
        std::shared_ptr<api::conversation_watch> watch;
        kept_text told;
    };

    // Whatever the watchers use is still there then.
    void TearDown() override {
        tasks.cancel();
        server.io.run(tasks.join());
    }

    storage::api_conversation conversation_at(std::string const& where) {
        auto const id = where.substr(1, where.rfind('/') - 1);
        storage::api_conversation of;
        of.id = id;
        of.lane = lane_id{std::stoll(
            database.value("select lane_id from postrider.api_conversation where id = '" + id + "'")
        )};
        return of;
    }
    void watch(std::string const& where) {
        api::conversation_watch_services const services{
            looks, server.nodes(), server.live, listeners};
        std::optional<api::conversation_position> const now;
        auto const watch = std::make_shared<api::conversation_watch>(
            services, conversation_at(where), now, server.io.executor()
        );
        watchers.push_back(std::make_shared<watcher>(watch));
        tasks.spawn("watcher", tell(watchers.back()));
    }
    static base::awaitable<void> tell(std::shared_ptr<watcher> of) {
        auto const looked = co_await of->watch->look();
        api::whole_stream stream(of->told);
        if (looked) co_await of->watch->tell(stream);
    }
    template<class Condition>
    void run_until(Condition condition) {
        server.io.run(wait_for(condition), 30s);
    }
    template<class Condition>
    static base::awaitable<void> wait_for(Condition condition) {
        while (!condition()) co_await base::sleep_for(1ms);
    }
    void run_rounds(std::uint64_t count) {
        auto const end = looks.counted().rounds + count;
        run_until([&] { return looks.counted().rounds >= end; });
    }
    // A round is three queries at most. One more was on its way when the counting began.
    static int queries_of(std::uint64_t rounds) { return static_cast<int>(3 * (rounds + 1)); }
    bool all_have(std::string const& text) const {
        return std::ranges::all_of(watchers, [&](auto const& by) {
            return by->told.text.find(text) != std::string::npos;
        });
    }

    counting_database counted{*server.postgres.watchers};
    api::conversation_looks looks = api::look_at_conversations(counted, base::system_clock());
    api::conversation_listeners listeners;
    base::task_group tasks{server.io.executor()};
    std::vector<std::shared_ptr<watcher>> watchers;
};

TEST_P(many_watchers, of_a_conversation_cost_the_database_what_one_costs) {
    auto const where = begin();
    for (int i = 0; i < GetParam(); ++i) watch(where);
    run_until([&] { return all_have("event: watching"); });
    auto const first = counted.queries->exchange(0);
    auto const began = base::system_clock().steady();
    auto const before = looks.counted();
    auto const wanted = before.answers + 3u * static_cast<unsigned>(GetParam());
    run_until([&] { return looks.counted().answers >= wanted; });
    auto const queries = counted.queries->exchange(0);
    auto const rounds = looks.counted().rounds - before.rounds;
    auto const took = std::chrono::duration<double>(base::system_clock().steady() - began);
    ask(202, "POST", where, R"({"text": "hi all"})");
    run_until([&] { return all_have("hi all"); });

    RecordProperty("queries_to_begin", first);
    std::cout << GetParam() << " watchers: " << first << " queries to begin, "
              << queries / took.count() << " queries per second\n";
    EXPECT_LE(first, 4) << "all begin together";
    EXPECT_LE(rounds, 8u) << "a round tells all of them";
    EXPECT_LE(queries, queries_of(rounds));
    for (auto const& by : watchers) {
        auto const at = by->told.text.find("hi all");
        EXPECT_EQ(by->told.text.find("hi all", at + 1), std::string::npos) << "once";
    }
}

INSTANTIATE_TEST_SUITE_P(watchers, many_watchers, testing::Values(1, 100, 1000));

using watchers_of_many = many_watchers;

TEST_F(watchers_of_many, conversations_share_their_queries) {
    std::vector<std::string> all;
    for (int i = 0; i < 20; ++i) all.push_back(begin());
    for (auto const& where : all)
        for (int i = 0; i < 5; ++i) watch(where);
    run_until([&] { return all_have("event: watching"); });
    run_rounds(2); // those that began apart come together
    counted.queries->store(0);
    auto const queries = looks.counted().queries;
    run_rounds(4);

    EXPECT_LE(counted.queries->load(), queries_of(4));
    EXPECT_GE(looks.counted().queries - queries, 4u * 20u);
}

class many_execution_watchers : public many_watchers {
protected:
    static base::awaitable<void> tell_execution(
        std::shared_ptr<api::execution_watch> by, std::shared_ptr<kept_text> to, int& started
    ) {
        auto const looked = co_await by->look();
        ++started;
        api::whole_stream stream(*to);
        if (looked) co_await by->tell(stream);
    }

    api::execution_looks executions{counted, server.nodes()};
};

TEST_P(many_execution_watchers, of_one_execution_cost_the_database_what_one_costs) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select count(*) from postrider.wait", "1");
    job_id const job{std::stoll(database.value("select max(job_id) from postrider.job"))};
    counted.queries->store(0);
    std::vector<std::shared_ptr<kept_text>> told;
    int started = 0;
    for (int i = 0; i < GetParam(); ++i) {
        api::watch_services const services{executions, base::system_clock(), server.live};
        auto const watch =
            std::make_shared<api::execution_watch>(services, job, api::event_position{});
        told.push_back(std::make_shared<kept_text>());
        tasks.spawn("watcher", tell_execution(watch, told.back(), started));
    }
    run_until([&] { return started == GetParam(); });
    auto const first = counted.queries->exchange(0);
    auto const end = executions.rounds().counted().rounds + 4;
    run_until([&] { return executions.rounds().counted().rounds >= end; });

    EXPECT_LE(counted.queries->load(), 5) << "one question a round while nothing changes";
    EXPECT_LE(first, 20) << "the record is read once or twice";
    for (auto const& each : told)
        EXPECT_THAT(each->text, testing::HasSubstr("event: waiting")) << "everybody is told";
}

INSTANTIATE_TEST_SUITE_P(watchers, many_execution_watchers, testing::Values(1, 100, 1000));

} // namespace
} // namespace postrider::tests::shared_watching_test
