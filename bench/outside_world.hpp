#pragma once
// Telegram and the model providers as the product meets them, in one fast server: every call
// succeeds at once. The Bot API's methods that the product calls, POST /v1/messages (Anthropic) and
// POST /v1/chat/completions (OpenAI) with a fixed answer of about a hundred characters;
// GET /counts tells how often each was called, POST /reset forgets it.
//
// It judges nothing (tests/support has the strict fakes): it must cost less than what is measured.
// On the executor's one thread.
#include "base/ids.hpp"
#include "net/http_server.hpp"

#include <functional>
#include <memory>

namespace postrider::bench {

class outside_world {
public:
    // Called when a sendMessage has been read, before it is answered.
    using observer = std::function<void(chat_id to)>;

    struct manner {
        std::string listen = "127.0.0.1:0";
        observer on_sent = {};
        bool calls_tool = false;     // the calculator, before each answer
        bool speaks_by_tool = false; // Anthropic's: it sends a message, and ends without words
        std::chrono::milliseconds model_takes{0};
    };
    outside_world(boost::asio::any_io_executor executor, manner like);
    outside_world(outside_world const&) = delete;

    // unavailable: cannot listen.
    base::result<void> start() { return server_->start(); }
    std::string address() const { return server_->address(); }
    // Closes every connection. To be awaited before this is destroyed on a loop that runs on.
    base::awaitable<void> stop();

    struct counts {
        std::uint64_t model = 0;
        std::uint64_t messages = 0; // sendMessage
        std::uint64_t others = 0;   // of the Bot API
    };
    counts const& seen() const { return counts_; }

private:
    base::awaitable<net::http_response> bot_api(net::http_request request);
    base::awaitable<net::http_response> model(std::string_view answer);
    bool calls_now(std::string_view question, std::string_view result) const;
    base::awaitable<net::http_response> tell();
    base::awaitable<net::http_response> reset();
    net::http_response sent(net::http_request const& request);
    net::router routes();

    observer on_sent_;
    bool calls_tool_;
    bool speaks_by_tool_;
    std::chrono::milliseconds model_takes_;
    counts counts_;
    std::unique_ptr<net::http_server> server_;
};

} // namespace postrider::bench
