#pragma once
// The delivering half of a simulated Telegram, for one bot: queues of updates that are posted to a
// webhook, or fetched by getUpdates, under the real rules. On the executor's one thread.
//
// One queue per chat (per user for presses), one update of a queue at a time, the next only after a
// 2xx; queues run in parallel up to max_connections. A failure is tried again with the same
// update_id: at once, then after 2, 4, 8 … s up to a random 60 to 120 s; Retry-After is obeyed.
// Updates do not expire here. Source: tdlib/telegram-bot-api, WebhookActor.cpp (commit 01a3679).
#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/json/json.hpp"
#include "base/random.hpp"
#include "net/http_client.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace postrider::telegram {

struct simulated_delivery {
    update_id update{};
    int status = 0;       // 0: no answer
    std::string body;     // of the answer
    base::steady_time at; // when the post began
    base::duration took{0};
};

struct delivery_rules {
    base::duration retry_step = std::chrono::seconds{2};     // before the second retry; doubled
    base::duration longest_retry = std::chrono::seconds{60}; // up to twice that
    base::duration answer_timeout = std::chrono::seconds{60};
    std::optional<update_id> first_update{}; // none: drawn by chance, as Telegram does it
    std::function<void(simulated_delivery const&)> on_delivery = [](auto&) {};
};

struct simulated_webhook {
    std::string url; // empty: none
    std::string secret;
    int max_connections = 40;
};

// What getUpdates ends with: the updates, or 409 with a description.
struct simulated_poll {
    std::vector<std::string> updates;
    std::string conflict;
};

class simulated_deliveries {
public:
    simulated_deliveries(
        base::asio::any_io_executor executor,
        net::http_client& http,
        base::clock& clock,
        base::random_source& random,
        delivery_rules rules
    );
    simulated_deliveries(simulated_deliveries const&) = delete;
    simulated_deliveries& operator=(simulated_deliveries const&) = delete;

    // False: the URL is neither https nor on this machine.
    bool set_webhook(simulated_webhook webhook);
    simulated_webhook const& webhook() const noexcept { return webhook_; }
    std::string const& last_error() const noexcept { return last_error_; }

    // The update gets its id here.
    update_id put(std::string const& into, base::json::object update);
    // Puts a body as it is; it should name that id.
    void put_raw(std::string const& into, update_id id, std::string body);
    // The id that put() gives next.
    update_id next_id() const noexcept { return next_; }

    base::awaitable<simulated_poll> poll(
        std::int64_t offset, std::size_t limit, base::duration wait
    );
    std::size_t pending() const noexcept { return waiting_.size(); }

    // Ends deliveries and polls.
    base::awaitable<void> close();

private:
    struct entry {
        std::string queue;
        std::string body;
    };
    struct queue {
        std::deque<update_id> ids;
        bool busy = false;
    };

    void work_on(std::string const& name);
    base::awaitable<void> deliver(std::string name);
    base::awaitable<net::http_answer> post(update_id id);
    base::duration retry_delay(int failures, net::http_answer const& answer);
    void forget(update_id id);
    std::vector<std::string> fetch(std::int64_t offset, std::size_t limit);

    base::asio::any_io_executor executor_;
    net::http_client& http_;
    base::clock& clock_;
    base::random_source& random_;
    delivery_rules rules_;
    simulated_webhook webhook_;
    std::string last_error_;
    update_id next_;
    std::map<update_id, entry> waiting_;
    std::map<std::string, queue> queues_;
    int in_flight_ = 0;
    base::signal connection_free_;
    base::signal changed_; // new updates, another webhook, another poll
    std::int64_t polls_ = 0;
    bool closing_ = false;
    base::task_group tasks_;
};

} // namespace postrider::telegram
