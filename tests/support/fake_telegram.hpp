#pragma once
// A Telegram for tests: the simulated one on a thread of its own, with faults to order and a record
// of everything it did. Every member may be called from any thread.
//
//     fake_telegram telegram;
//     ... TELEGRAM_API_BASE = telegram.api_base(), TELEGRAM_BOT_TOKEN = telegram.token() ...
//     telegram.say({.from = user_id{7}, .text = "hello"});
//     ASSERT_TRUE(telegram.wait_for_sent(1, 10s));
//     EXPECT_EQ(telegram.sent()[0].text, "...");
#include "server/telegram/simulation.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace postrider::tests {

// Which calls go wrong, and how.
struct fault_order {
    std::string method{};          // empty: every method
    std::optional<chat_id> chat{}; // none: every chat
    std::string bot{};             // empty: every bot
    int skip = 0;                  // calls to let pass before
    int times = 1;                 // calls to hit; -1: until clear_faults()
    telegram::simulated_fault fault{};
};

struct telegram_record {
    std::vector<telegram::simulated_call> calls; // in the order in which they were answered
    std::vector<telegram::simulated_delivery> deliveries; // posts to the webhook, in that order
};

class fake_telegram {
public:
    // Shorter retries than the real ones, by default.
    explicit fake_telegram(base::duration retry_step = std::chrono::milliseconds{100});
    ~fake_telegram();
    fake_telegram(fake_telegram const&) = delete;
    fake_telegram& operator=(fake_telegram const&) = delete;

    std::string api_base() const { return api_base_; }
    // Of the first bot, which is there from the start: "fern_bot".
    std::string token() const { return bot_.token; }
    telegram::simulated_bot const& bot() const { return bot_; }
    // Another one; its token differs by the number.
    telegram::simulated_bot add_bot(std::string username, user_id id);

    telegram::said say(telegram::simulated_message message) { return say_to("fern_bot", message); }
    telegram::said say_to(std::string username, telegram::simulated_message message);
    update_id edit(telegram::simulated_message message, telegram_message_id id);
    telegram::pressed press(telegram::simulated_press press);
    void set_member(chat_id group, user_id user, std::string status);
    void deny(chat_id group, user_id user, std::string right);
    void link(chat_id group, chat_id channel);
    void set_title(chat_id group, std::string title);
    update_id ask_to_join(chat_id group, user_id user);
    update_id connect(telegram::simulated_connection connection);
    update_id deliver(std::string queue, base::json::object update);
    void deliver_raw(std::string queue, update_id id, std::string body);
    update_id next_update_id();
    std::size_t pending();     // updates of the first bot that are not confirmed
    std::string webhook_url(); // of the first bot; empty: none

    void fail(fault_order order);
    void clear_faults();

    static telegram::simulated_fault too_many_requests(int seconds);
    static telegram::simulated_fault unauthorized();
    static telegram::simulated_fault blocked();
    static telegram::simulated_fault cannot_parse();
    static telegram::simulated_fault too_long();
    static telegram::simulated_fault not_enough_rights();
    static telegram::simulated_fault cannot_be_deleted();
    static telegram::simulated_fault user_not_found();
    static telegram::simulated_fault user_is_administrator();
    static telegram::simulated_fault reply_target_gone();
    static telegram::simulated_fault thread_gone();
    static telegram::simulated_fault query_too_old();
    static telegram::simulated_fault migrated(chat_id to);
    static telegram::simulated_fault server_error(int status = 500);
    static telegram::simulated_fault slow(base::duration by);
    static telegram::simulated_fault lost_answer();
    static telegram::simulated_fault lost_result();

    telegram_record record() const;
    std::vector<telegram::simulated_call> calls(std::string_view method) const;
    // The messages that people got to see, in order; of one chat where one is given.
    std::vector<telegram::simulated_call> sent(std::optional<chat_id> chat = {}) const;

    bool wait_for_sent(std::size_t n, base::duration deadline) const;
    bool wait_for_calls(std::string_view method, std::size_t n, base::duration deadline) const;
    bool wait_until(
        std::function<bool(telegram_record const&)> const& reached, base::duration deadline
    ) const;

private:
    // Runs on the fake's thread and waits for the end.
    template<class Work>
    auto there(Work work);
    telegram::simulated_fault fault_for(telegram::simulated_call const& call);

    mutable std::mutex guard_;
    mutable std::condition_variable changed_;
    telegram_record record_;
    std::vector<fault_order> orders_;

    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::unique_ptr<net::http_client> http_;
    std::unique_ptr<telegram::simulation> simulation_;
    telegram::simulated_bot bot_;
    std::string api_base_;
    std::thread thread_;
};

} // namespace postrider::tests
