// The bots of a process whose tokens may be others than those of another process.
#include "base/json/text.hpp"
#include "server/bots/bots.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::bots_test {
namespace {

using testing::ElementsAre;
using testing::Pair;
using tests::fake_telegram;
using namespace std::chrono_literals;

// One gate, which the test opens and shuts as another process does.
class shared_gate final : public queue::limiter {
public:
    bool is_open = true;
    mutable std::size_t looks = 0;

    base::awaitable<base::result<void>> start(std::vector<queue::rate_limit>) override {
        co_return base::result<void>{};
    }
    void follow(queue::poll&) override {}
    base::awaitable<void> stop() override { co_return; }
    bool open(std::string_view) const override {
        ++looks;
        return is_open;
    }
    base::awaitable<queue::admission> take(
        std::string, bool, std::optional<std::chrono::milliseconds>, queue::gate_use
    ) override {
        co_return queue::admission{};
    }
    void report(std::string_view, base::result<void> const&) override {}
    void accepted(std::string_view, job_id) override {}
    void give_up(std::string_view, job_id) override {}
    void stop_using(std::string_view, std::string) override { is_open = false; }
    void works(std::string_view) override { is_open = true; }
    base::awaitable<base::result<std::optional<queue::waiting_place>>> find_place(
        job_id, std::string_view
    ) override {
        co_return std::optional<queue::waiting_place>{};
    }
    std::vector<queue::gate_status> gates() const override { return {}; }
};

class idle_engine final : public queue::engine {
public:
    void add(queue::job_kind) override {}
    void add_read(storage::statement const&, queue::poll::handler) override {}
    void add_beat_read(storage::write, queue::poll::handler) override {}
    base::awaitable<base::result<void>> start() override { co_return base::result<void>{}; }
    std::optional<node_id> try_reserve() override { return std::nullopt; }
    void release() override {}
    void start_leased(queue::job, queue::enqueued const&) override {}
    void wake() override {}
    void beat_now() override {}
    base::awaitable<void> drain(base::duration) override { co_return; }
    node_id self() const override { return node_id{1}; }
    queue::engine_counts counts() const override { return {}; }
    bool alive() const override { return true; }
};

class no_intake final : public telegram::intake {
public:
    base::awaitable<base::result<telegram::accepted>> accept(
        telegram::bot_settings const&, std::string
    ) override {
        co_return base::error(base::errc::internal);
    }
    base::awaitable<base::result<telegram::accepted>> accept_cut(
        telegram::bot_settings const&, std::string
    ) override {
        co_return base::error(base::errc::internal);
    }
};

struct fixture {
    fake_telegram telegram;
    tests::loop loop;
    telegram::recording_database db;
    std::unique_ptr<net::http_client> http = net::make_http_client(loop.executor());
    shared_gate gate;
    idle_engine engine;
    no_intake inbox;
    bots running{services(), {configured()}, {{"main", stored()}}};

    explicit fixture(
        std::function<std::string(std::string const&)> const& webhook_url =
            [](auto const&) { return std::string(); },
        std::function<std::set<agent::group_event>(telegram::bot_settings const&)> const&
            watched_events = {}
    ) {
        running.start(inbox, webhook_url, watched_events);
    }
    ~fixture() { loop.run(stop()); }

    bots_services services() {
        bots_services all{
            loop.executor(), *http, base::system_clock(), base::system_random(), db, gate, engine};
        all.between_looks = 5ms;
        return all;
    }
    bot_config configured() const {
        bot_config config;
        config.token = base::secret(telegram.token());
        config.api_base = telegram.api_base();
        return config;
    }
    static storage::bot_row stored() {
        storage::bot_row row;
        row.id = bot_id{1};
        return row;
    }
    base::awaitable<void> stop() {
        co_await running.stop();
        co_await running.close();
    }
    telegram::bot_breaker& breaker() { return *running.first().breaker; }
    std::size_t probes() const { return telegram.calls("getMe").size(); }

    base::awaitable<void> until_stopped() {
        while (!breaker().stopped()) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_probed(std::size_t times) {
        while (probes() < times) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_webhooks(std::size_t set) {
        while (telegram.calls("setWebhook").size() < set) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_looked(std::size_t times) {
        while (gate.looks < times) co_await base::sleep_for(2ms);
    }
    void look_often() { loop.run(until_looked(gate.looks + 40)); }
};

TEST(bots, have_the_webhook_as_telegram_told_of_it_last_and_when) {
    fixture f([](auto const&) { return std::string("https://bot.example.org/telegram/main"); });

    auto const told = f.loop.run(f.running.states());
    f.telegram.fail({.method = "getWebhookInfo", .times = -1, .fault = {.status = 502}});
    auto const later = f.loop.run(f.running.states());

    ASSERT_TRUE(told.at(0).webhook);
    EXPECT_FALSE(told.at(0).webhook->as_of.empty());
    ASSERT_TRUE(later.at(0).webhook) << "it is not known to be another one";
    EXPECT_EQ(later.at(0).webhook->as_of, told.at(0).webhook->as_of);
}

// Reactions and requests to join are told to nobody who does not ask for them.
TEST(bots, ask_telegram_anew_when_a_flow_watches_groups) {
    std::set<agent::group_event> watched;
    fixture f(
        [](auto const&) { return std::string("https://bot.example.org/telegram/main"); },
        [&](auto const&) { return watched; }
    );
    f.db.outcome = base::result<void>(); // who the bot is
    auto const asked_for = [&](std::size_t call) {
        return base::json_text(f.telegram.calls("setWebhook").at(call).params.at("allowed_updates")
        );
    };

    f.loop.run(f.until_webhooks(1));
    watched = {agent::group_event::reaction, agent::group_event::join_request};
    f.loop.run(f.until_webhooks(2));
    f.look_often();

    EXPECT_THAT(asked_for(0), testing::Not(testing::HasSubstr("message_reaction")));
    EXPECT_THAT(asked_for(1), testing::HasSubstr("\"message_reaction\",\"chat_join_request\""));
    EXPECT_EQ(f.telegram.calls("setWebhook").size(), 2u) << "once is enough";
}

// covers: X.02
TEST(bots, probe_a_refused_token_once_when_another_process_has_one_that_works) {
    fixture f;
    f.telegram.fail({.times = -1, .fault = fake_telegram::unauthorized()});
    f.loop.run(f.until_stopped());
    f.look_often();
    EXPECT_EQ(f.probes(), 1u) << "it is refused everywhere";

    f.gate.is_open = true;
    f.loop.run(f.until_probed(2));
    f.look_often();
    EXPECT_EQ(f.probes(), 2u) << "the breaker has a pace of its own";

    f.gate.is_open = false;
    f.look_often();
    f.gate.is_open = true;
    f.loop.run(f.until_probed(3));
    EXPECT_TRUE(f.breaker().stopped());

    f.telegram.clear_faults();
    f.gate.is_open = false;
    f.look_often();
    f.gate.is_open = true;
    f.loop.run(f.breaker().until_running());
}

// covers: X.02
TEST(bots, stop_where_another_process_met_a_401) {
    fixture f;
    f.loop.run(f.until_probed(1));
    f.look_often();
    ASSERT_FALSE(f.breaker().stopped());

    EXPECT_THAT(f.running.stopped(), ElementsAre(Pair("main", false)));
    f.gate.is_open = false;

    f.loop.run(f.until_stopped());
    EXPECT_THAT(f.running.stopped(), ElementsAre(Pair("main", true)));
}

TEST(bots, count_one_that_was_left_out_as_stopped) {
    fixture f;
    auto unusable = f.configured();
    unusable.name = "spare";
    unusable.token = base::secret("1:x/../y");
    std::vector const both{f.configured(), unusable};

    bots some(f.services(), both, {{"main", fixture::stored()}, {"spare", fixture::stored()}});

    EXPECT_THAT(some.stopped(), ElementsAre(Pair("main", false), Pair("spare", true)));
    f.loop.run(some.close());
}

} // namespace
} // namespace postrider::server::bots_test
