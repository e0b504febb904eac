#pragma once
// One conversation with the running server, which may go away and come again: what is said is said
// once however often it has to be sent, and events go on behind the last one that arrived. On the
// loop's thread; stop() before it goes.
#include "base/async.hpp"
#include "base/random.hpp"
#include "net/http_client.hpp"
#include "net/sse_reader.hpp"
#include "server/cli/own_server.hpp"
#include "server/terminal/chat_event.hpp"

#include <deque>
#include <functional>
#include <string>

namespace postrider::cli {

struct outage_limits {
    base::duration first_pause = std::chrono::milliseconds{250};
    base::duration longest_pause = std::chrono::seconds{5};
    base::duration longest_outage = std::chrono::minutes{10};
};

class conversation_client {
public:
    conversation_client(
        own_server& server,
        base::asio::any_io_executor executor,
        base::random_source& random,
        outage_limits limits = {}
    );

    // Begins a conversation; tried once. Failures as of own_server::ask.
    base::awaitable<base::result<void>> begin(std::string agent);

    // Says it and listens to its turn, no longer to the one before.
    base::awaitable<void> say(std::string text);
    // Says it while the turn is listened to, once, and hears its own stream to the end.
    base::awaitable<base::result<void>> say_beside(
        std::string text, std::function<void(terminal::chat_event const&)> hear
    );
    // The next event; "away" where the server does not answer and is tried again, "back" when it
    // does. refused: what a problem says; else, after the longest outage, as the client fails.
    base::awaitable<base::result<terminal::chat_event>> next();
    // next() gives an event of no type.
    void wake() { put(terminal::chat_event{}); }
    // False: it answers no question any more. Failures as of next().
    base::awaitable<base::result<bool>> press(std::string message, std::string data);
    // Listens no longer.
    base::awaitable<void> stop();

private:
    base::awaitable<void> listen();
    base::awaitable<base::result<void>> hear_once();
    net::http_call call_for_events() const;
    net::http_call call_to_say(std::string const& text) const;
    void take(std::string_view bytes, net::sse_reader& reader);
    void put(base::result<terminal::chat_event> event);
    // Waits before the next try. False: it has been away for too long.
    base::awaitable<bool> pause(int failures, base::steady_time since);

    own_server& server_;
    base::random_source& random_;
    outage_limits limits_;
    std::string path_; // of the conversation
    std::string text_; // what was said last, and its key
    std::string key_;
    std::string last_id_;
    bool is_away_ = false;
    std::deque<base::result<terminal::chat_event>> heard_;
    base::signal arrived_;
    base::task_group listening_;
};

} // namespace postrider::cli
