#pragma once
// Demo mode: a simulated Telegram on this machine, and one person in its private chat with the bot
// of the todo agent, who writes in this terminal or says what `--say` names. Everything else is the
// product as it is: webhook, inbox, engine, model, Bot API client. On the executor's one thread.
//
// The simulated Telegram goes on where the one of an earlier process ended: the chat is known, so an
// answer that a killed process left behind is sent, and the ids of updates and messages are above
// all earlier ones, so no update is taken for one that was seen before. What was not in the inbox
// when a process died is lost with it. The console shows and uses the same chat (server/api/demo_chat.hpp).
#include "base/async.hpp"
#include "net/http_client.hpp"
#include "server/api/demo_chat.hpp"
#include "server/demo/earlier_chat.hpp"
#include "server/demo/hanging_call.hpp"
#include "server/demo/stand_in_model.hpp"
#include "server/start/config.hpp"
#include "server/telegram/simulation.hpp"
#include "server/terminal/chat_screen.hpp"
#include "server/terminal/line_terminal.hpp"
#include "storage/database.hpp"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace postrider::server {

struct demo_services {
    base::asio::any_io_executor executor;
    net::http_client& http;
    base::clock& clock;
    base::random_source& random;
    std::ostream& out;
    terminal::terminal_options typing; // how the person writes
    base::time_zone zone;              // of the person
};

class demo final : public api::demo_chat {
public:
    // Starts the simulated Telegram with that chat. Throws std::runtime_error when it cannot listen.
    // What the services refer to must outlive it. Destroyed after stop().
    explicit demo(demo_services services);

    // How the product is told of it.
    bot_config bot() const;
    // Of all models that the product asks.
    hanging_call& next_call() noexcept { return next_call_; }

    // Shows what was said in earlier processes, before anything is said in this one. Where the database
    // does not tell it, the chat begins empty.
    base::awaitable<void> recall(storage::connections const& postgres, bot_id own_id);

    struct turns {
        std::uint64_t ended = 0;
        std::uint64_t parked = 0; // for a person's answer, among others
        int running = 0;
    };

    // Begins the chat in this terminal: says every line of the standard input, shows every reply. A
    // terminal that can edit lines shows a question that is still open first, and a line about each
    // turn (turn_line.hpp) once that has ended or waits for an answer. The database outlives stop().
    void talk(std::function<turns()> count, storage::database& db);
    // No more lines are read, and the terminal is as it was before; replies are still shown.
    void leave_terminal();

    // Says each text once the turn of the one before is over, or waits for an answer to what it has
    // said. False when a turn said nothing, or took more than three minutes.
    base::awaitable<bool> say_all(std::vector<std::string> texts, std::function<turns()> count);

    base::awaitable<void> stop();

    boost::json::object show() const override;
    lane_id lane() const override { return lane_; }
    void watch(std::shared_ptr<base::waker> const& watcher) override;
    void say(std::string text, std::string picture) override;
    bool press(telegram_message_id message, std::string_view data) override;
    std::string const* picture(telegram_message_id message) const override;
    bool had_picture(telegram_message_id message) const override;
    void hang_next_call() override { next_call_.ask_for(); }
    void kill_process() override;

private:
    void heard(telegram::simulated_call const& call);
    void write(std::string text, std::string picture = {});
    void note_typing();
    void changed();
    std::string now() const;
    void show(std::string const& text);
    base::awaitable<void> converse(storage::database& db);
    base::awaitable<void> show_open_question(storage::database& db);
    base::awaitable<void> tell_turns(std::function<turns()> count, storage::database& db);

    demo_services services_;
    std::unique_ptr<telegram::simulation> telegram_;
    bool edits_lines_;
    terminal::chat_screen screen_;
    std::unique_ptr<terminal::line_terminal> terminal_; // while lines are read
    std::uint64_t replies_ = 0;
    base::signal replied_;
    shown_chat chat_;
    agent::address place_;
    lane_id lane_{};
    base::steady_time types_until_{}; // the bot, as it says
    std::vector<std::weak_ptr<base::waker>> watchers_;
    hanging_call next_call_{make_stand_in(services_.clock, services_.zone), [this] { changed(); }};
    base::task_group tasks_;
};

} // namespace postrider::server
