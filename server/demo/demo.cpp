#include "server/demo/demo.hpp"

#include "base/utf8.hpp"
#include "server/demo/open_question.hpp"
#include "server/demo/turn_line.hpp"
#include "server/terminal/libedit_line.hpp"

#include <ostream>
#include <stdexcept>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_turn = 3min;
constexpr auto look_again = 10ms;

// In milliseconds: nobody writes faster than that, so a later process begins above it.
std::int64_t first_number(base::clock const& clock) {
    auto const now = std::chrono::floor<std::chrono::milliseconds>(clock.now());
    return now.time_since_epoch().count();
}

telegram::simulated_bot the_bot() {
    return {"100200:demo", user_id{100200}, "postrider_demo_bot"};
}

chat_id the_chat() {
    return chat_id{base::raw(demo_person)};
}

bool is_blank(std::string const& line) {
    return line.find_first_not_of(" \t\r") == line.npos;
}

} // namespace

demo::demo(demo_services services)
    : services_(std::move(services)),
      edits_lines_(terminal::can_edit_lines(services_.typing.kind)),
      screen_(edits_lines_),
      replied_(services_.executor),
      tasks_(services_.executor) {
    services_.typing.ends_on_signals = false; // the server drains
    auto const first = first_number(services_.clock);
    telegram::simulation_options options;
    options.deliveries.first_update = update_id{first};
    options.on_call = [this](telegram::simulated_call const& call) { heard(call); };
    telegram_ = telegram::make_simulation(
        services_.executor, services_.http, services_.clock, services_.random, std::move(options)
    );
    auto started = telegram_->start();
    if (!started)
        throw std::runtime_error("cannot start the simulated Telegram: " + started.error().detail);
    telegram_->add_bot(the_bot());
    telegram_->resume(the_chat(), telegram_message_id{first});
}

bot_config demo::bot() const {
    bot_config bot;
    bot.name = demo_bot;
    bot.token = base::secret(the_bot().token);
    bot.api_base = telegram_->api_base();
    bot.allowlist.users = {demo_person};
    bot.agent = demo_agent;
    return bot;
}

void demo::heard(telegram::simulated_call const& call) {
    if (call.method == "sendChatAction") show(screen_.sent());
    if (call.method != "sendMessage" || !call.carried_out) return;
    ++replies_;
    terminal::chat_event reply{.type = "message"};
    reply.message = {.id = std::to_string(replies_), .role = "assistant", .content = call.text};
    show(screen_.hear(reply));
    replied_.notify();
}

void demo::say(std::string text) {
    telegram::simulated_message message;
    message.from = demo_person;
    message.text = base::as_utf8(std::move(text)); // as any client sends it
    telegram_->say(the_bot().username, std::move(message));
}

void demo::show(std::string const& text) {
    if (text.empty()) return;
    if (terminal_)
        terminal_->print(text);
    else
        services_.out << text << std::flush;
}

// A turn that sends several messages is told of once.
base::awaitable<void> demo::tell_turns(std::function<turns()> count, storage::database& db) {
    for (std::string last_line;;) {
        co_await replied_.wait();
        auto const deadline = services_.clock.steady() + longest_turn;
        while (count().running > 0 && services_.clock.steady() < deadline)
            co_await base::sleep_for(look_again);
        auto line = co_await newest_turn_line(db, the_chat());
        while (line.empty() && services_.clock.steady() < deadline) {
            co_await base::sleep_for(look_again);
            line = co_await newest_turn_line(db, the_chat());
        }
        if (line.empty() || line == last_line) continue;
        show(screen_.remark(line));
        last_line = std::move(line);
    }
}

void demo::talk(std::function<turns()> count, storage::database& db) {
    if (edits_lines_) tasks_.spawn("demo.turns", tell_turns(std::move(count), db));
    tasks_.spawn("demo.terminal", converse(db));
}

void demo::leave_terminal() {
    tasks_.cancel();
}

base::awaitable<void> demo::converse(storage::database& db) {
    if (edits_lines_) co_await show_open_question(db);
    struct closing {
        std::unique_ptr<terminal::line_terminal>& owner;
        ~closing() { owner.reset(); }
    } const at_the_end{terminal_};
    terminal_ = terminal::make_line_terminal(services_.executor, services_.out, services_.typing);
    while (auto line = co_await terminal_->next())
        if (!is_blank(*line)) say(std::move(*line));
    show(screen_.note("end of input; the server goes on, Ctrl-C stops it"));
}

base::awaitable<void> demo::show_open_question(storage::database& db) {
    auto const question = co_await newest_open_question(db, the_chat(), services_.clock.now());
    if (!question) co_return;
    terminal::chat_event asked{.type = "message"};
    asked.message = {.id = "open", .role = "assistant", .content = question->text};
    show(screen_.hear(asked));
    show(screen_.remark(answer_line(*question)));
}

// A turn may send several messages, so the first one is not the end of it; and a turn that an
// earlier process left behind may end before ours begins.
base::awaitable<bool> demo::say_all(std::vector<std::string> texts, std::function<turns()> count) {
    for (auto& text : texts) {
        auto const deadline = services_.clock.steady() + longest_turn;
        auto const before = count();
        auto const replies = replies_;
        auto const is_over = [&](turns now) {
            bool const asks = now.parked != before.parked && replies_ != replies;
            return now.running == 0 && (now.ended != before.ended || asks);
        };
        say(std::move(text));
        while (!is_over(count())) {
            if (services_.clock.steady() > deadline) co_return false;
            co_await base::sleep_for(look_again);
        }
        if (replies_ == replies) co_return false;
    }
    co_return true;
}

base::awaitable<void> demo::stop() {
    tasks_.cancel();
    co_await tasks_.join();
    co_await telegram_->stop();
}

} // namespace postrider::server
