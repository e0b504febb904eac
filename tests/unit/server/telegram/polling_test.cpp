// The poller against a simulated Telegram, with an inbox that tells what reaches it.
#include "base/log.hpp"
#include "server/telegram/polling.hpp"
#include "server/telegram/update.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::polling_test {
namespace {

using base::errc;
using tests::fake_telegram;
using namespace std::chrono_literals;

class remembering_intake final : public intake {
public:
    std::vector<std::string> texts; // accepted
    int failures = 0;               // to answer first
    int refused = 0;
    std::string unstorable; // a text that is refused until it is another
    errc refusal = errc::timeout;

    base::awaitable<base::result<accepted>> accept(bot_settings const&, std::string body) override {
        co_await base::sleep_for(1ms); // as a commit: others run meanwhile
        if (!unstorable.empty() && body.find(unstorable) != body.npos) {
            ++refused;
            co_return base::error(refusal);
        }
        if (failures > 0) {
            --failures;
            ++refused;
            co_return base::error(errc::unavailable);
        }
        auto const parsed = parse_update(body);
        auto const& content = std::get<update>(parsed).content;
        if (auto const* stopped = std::get_if<stopped_draft>(&content))
            texts.push_back("stop " + std::to_string(stopped->number));
        else
            texts.push_back(*std::get<new_message>(content).message.text);
        co_return accepted{true, "job"};
    }
    base::awaitable<base::result<accepted>> accept_cut(bot_settings const&, std::string) override {
        co_return base::error(errc::internal);
    }
};

// A lease that the test gives and takes.
class scripted_lease final : public poll_lease {
public:
    bool free = true;
    int asked = 0;
    int released = 0;
    int unreleasable = 0; // so many times it cannot be given back

    base::awaitable<base::result<bool>> take() override {
        ++asked;
        co_return free;
    }
    bool held() const override { return free; }
    base::awaitable<bool> release() override {
        if (unreleasable > 0) {
            --unreleasable;
            co_return false;
        }
        ++released;
        co_return true;
    }
};

struct fixture {
    fake_telegram telegram;
    tests::loop loop;
    recording_database db;
    std::unique_ptr<net::http_client> http = net::make_http_client(loop.executor());
    bot fern;
    remembering_intake inbox;
    scripted_lease lease;
    std::unique_ptr<poller> polling;

    explicit fixture(bool leased = true) {
        lease.free = leased;
        bot_api_options options{telegram.api_base(), base::secret(telegram.token())};
        fern.api = make_bot_api(*http, base::system_clock(), std::move(options)).value();
        fern.breaker = std::make_unique<bot_breaker>(
            loop.executor(), bot_id{1}, *fern.api, db, breaker_options{20ms, 40ms}
        );
        polling = make_poller(
            loop.executor(), fern, inbox, lease, base::system_random(), {50s, 10ms, 20ms, 10ms}
        );
        polling->start();
    }
    ~fixture() { loop.run(stop()); }
    base::awaitable<void> stop() {
        co_await polling->stop();
        co_await fern.breaker->close();
    }

    // Lets the poller run until Telegram has everything confirmed and waits with a new poll.
    void settle(std::size_t accepted) { loop.run(wait_for(accepted)); }
    base::awaitable<void> wait_for(std::size_t accepted) {
        while (inbox.texts.size() < accepted || telegram.pending() > 0)
            co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_accepted(std::size_t updates) {
        while (inbox.texts.size() < updates) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_asked(int times) {
        while (lease.asked < times) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_released() {
        while (lease.released == 0) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_refused(int times = 1) {
        while (inbox.refused < times) co_await base::sleep_for(2ms);
    }
    base::awaitable<void> until_probed(std::size_t times) {
        while (telegram.calls("getMe").size() < times) co_await base::sleep_for(2ms);
    }
    void say(user_id from, std::string text) {
        telegram.say({.from = from, .text = std::move(text)});
    }
};

// covers: E.06
TEST(polling, brings_updates_to_the_inbox_and_confirms_them) {
    fixture f;
    f.say(user_id{1}, "one");
    f.say(user_id{1}, "two");
    f.settle(2);

    EXPECT_EQ(f.inbox.texts, (std::vector<std::string>{"one", "two"}));
    auto const polls = f.telegram.calls("getUpdates");
    EXPECT_EQ(polls.at(0).params.at("timeout"), 50);
    EXPECT_EQ(polls.at(0).params.at("limit"), 100);
    EXPECT_EQ(f.telegram.calls("deleteWebhook").size(), 1u);
}

// covers: E.06
TEST(polling, keeps_the_order_of_a_chat_through_failures) {
    fixture f;
    f.inbox.failures = 5;
    for (int n = 1; n <= 5; ++n) f.say(user_id{1}, std::to_string(n));
    f.settle(5);

    EXPECT_EQ(f.inbox.texts, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
    EXPECT_EQ(f.inbox.refused, 5) << "nothing was skipped or confirmed before it was stored";
}

// covers: E.06
TEST(polling, lets_the_other_chats_go_on_where_an_update_cannot_be_stored) {
    fixture f;
    f.inbox.unstorable = "stuck";
    f.say(user_id{1}, "stuck");
    f.say(user_id{1}, "behind");
    f.say(user_id{2}, "one");
    f.loop.run(f.until_accepted(1));
    f.say(user_id{2}, "two");
    f.say(user_id{3}, "three");
    f.loop.run(f.until_accepted(3));

    EXPECT_EQ(f.inbox.texts, (std::vector<std::string>{"one", "two", "three"}));
    EXPECT_EQ(f.telegram.pending(), 5u) << "nothing behind the stuck one may be confirmed";
    EXPECT_GE(f.inbox.refused, 1);

    f.inbox.unstorable.clear();
    f.settle(5);
    EXPECT_EQ(f.inbox.texts, (std::vector<std::string>{"one", "two", "three", "stuck", "behind"}));
}

TEST(polling, reports_an_update_that_is_put_off_once_whatever_other_chats_store) {
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();
    fixture f;
    f.inbox.unstorable = "stuck";
    f.inbox.refusal = errc::overloaded; // no outage of the database: it is reported at once
    f.say(user_id{1}, "stuck");
    f.loop.run(f.until_refused());
    f.say(user_id{2}, "one");
    f.loop.run(f.until_accepted(1));
    f.loop.run(f.until_refused(f.inbox.refused + 1));
    auto const log = testing::internal::GetCapturedStderr();

    auto const line = log.find("telegram.update_put_off");
    EXPECT_NE(line, log.npos) << log;
    EXPECT_EQ(line, log.rfind("telegram.update_put_off")) << log;
}

TEST(polling, stops_an_answer_where_an_update_of_another_chat_cannot_be_stored) {
    fixture f;
    f.fern.settings.drafts = true;
    f.inbox.unstorable = "\"draft_id\":41";
    auto const stop = [&f](std::int64_t chat, std::int64_t draft) {
        boost::json::object where{{"id", chat}, {"type", "private"}};
        boost::json::object stopped{{"chat", std::move(where)}, {"draft_id", draft}};
        boost::json::object update;
        update["stopped_message_generation"] = std::move(stopped);
        f.telegram.deliver(std::to_string(chat), std::move(update));
    };
    stop(1, 41);
    stop(2, 42);
    f.loop.run(f.until_accepted(1));
    EXPECT_EQ(f.inbox.texts, std::vector<std::string>{"stop 42"});

    f.inbox.unstorable.clear();
    f.settle(2);
    EXPECT_EQ(f.inbox.texts, (std::vector<std::string>{"stop 42", "stop 41"}));
}

// covers: E.06
TEST(polling, is_left_to_the_process_that_has_the_lease) {
    fixture f(false);
    f.say(user_id{1}, "one");
    f.loop.run(f.until_asked(3));
    EXPECT_TRUE(f.telegram.calls("getUpdates").empty());
    EXPECT_TRUE(f.telegram.calls("deleteWebhook").empty());

    f.lease.free = true;
    f.settle(1);

    f.loop.run(f.polling->stop(), 2s);
    EXPECT_EQ(f.lease.released, 1);
}

// covers: E.17
TEST(polling, leaves_what_it_was_brought_after_its_lease_was_lost) {
    fixture f;
    f.loop.run(f.until_asked(2)); // before it removed the webhook, and before it polls
    f.lease.free = false;
    f.say(user_id{1}, "one");
    f.loop.run(f.until_asked(f.lease.asked + 3));
    EXPECT_TRUE(f.inbox.texts.empty());
    EXPECT_EQ(f.telegram.pending(), 1u) << "it is not confirmed either";

    f.lease.free = true;
    f.settle(1);
    EXPECT_EQ(f.inbox.texts, std::vector<std::string>{"one"});
}

TEST(polling, survives_errors_of_telegram) {
    fixture f;
    f.telegram.fail({.method = "getUpdates", .times = 2, .fault = fake_telegram::server_error(502)}
    );
    f.telegram.fail({.method = "getUpdates", .fault = fake_telegram::too_many_requests(0)});
    f.say(user_id{1}, "one");
    f.settle(1);
    EXPECT_EQ(f.inbox.texts.size(), 1u);
}

TEST(polling, a_refused_token_stops_it_until_it_works_again) {
    fixture f;
    f.telegram.fail({.method = "deleteWebhook", .fault = fake_telegram::unauthorized()});
    f.say(user_id{1}, "one");
    f.settle(1);
    EXPECT_EQ(f.telegram.calls("deleteWebhook").size(), 2u);
    EXPECT_GE(f.telegram.calls("getMe").size(), 1u);
}

// Another process may have a token that works.
// covers: E.17
TEST(polling, a_refused_token_leaves_the_bot_to_other_processes_until_it_works_again) {
    fixture f;
    f.inbox.unstorable = "stuck";
    f.say(user_id{1}, "stuck");
    f.loop.run(f.until_refused());
    f.telegram.fail({.times = -1, .fault = fake_telegram::unauthorized()});

    f.loop.run(f.until_released());
    f.inbox.unstorable.clear();
    int const asked = f.lease.asked;
    f.loop.run(f.until_probed(3));
    EXPECT_EQ(f.lease.asked, asked);
    EXPECT_EQ(f.lease.released, 1);
    EXPECT_TRUE(f.inbox.texts.empty()) << "the other one is given it";

    f.telegram.clear_faults();
    f.settle(1);
    EXPECT_EQ(f.inbox.texts, std::vector<std::string>{"stuck"});
    EXPECT_GT(f.lease.asked, asked);
}

// The database did not answer just then. Without a second try the bot is deaf as long as this process beats.
TEST(polling, a_refused_token_gives_the_lease_back_once_that_succeeds) {
    fixture f;
    f.lease.unreleasable = 2;
    f.telegram.fail({.times = -1, .fault = fake_telegram::unauthorized()});
    f.loop.run(f.until_released());
    EXPECT_EQ(f.lease.unreleasable, 0);
}

TEST(polling, stopping_drops_the_poll_in_flight) {
    fixture f;
    f.say(user_id{1}, "one");
    f.settle(1);
    f.loop.run(f.polling->stop(), 2s); // the poll would have waited 50 s
}

} // namespace
} // namespace postrider::telegram::polling_test
