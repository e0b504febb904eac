#include "server/demo/demo.hpp"

#include "base/log.hpp"
#include "base/utf8.hpp"
#include "server/demo/open_question.hpp"
#include "server/demo/turn_line.hpp"
#include "server/terminal/libedit_line.hpp"

#include <algorithm>
#include <csignal>
#include <ostream>
#include <stdexcept>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_turn = 3min;
constexpr auto look_again = 10ms;
constexpr auto typing_shown = 5s; // as Telegram shows it

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
    // Whoever watches looks for the turn that has just been stored.
    options.deliveries.on_delivery = [this](telegram::simulated_delivery const& posted) {
        if (posted.status == 200) changed();
    };
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
    if (call.method == "sendChatAction") note_typing();
    if (chat_.carry_out(call, now())) changed();
    if (call.method != "sendMessage" || !call.carried_out) return;
    types_until_ = {};
    ++replies_;
    terminal::chat_event reply{.type = "message"};
    reply.message = {.id = std::to_string(replies_), .role = "assistant", .content = call.text};
    show(screen_.hear(reply));
    replied_.notify();
}

void demo::write(std::string text, std::string picture) {
    telegram::simulated_message message;
    message.from = demo_person;
    message.text = base::as_utf8(std::move(text)); // as any client sends it
    message.photo = picture;
    shown_message shown;
    shown.is_persons = true;
    shown.text = message.text;
    shown.created_at = now();
    if (!picture.empty()) shown.media = "photo";
    shown.picture = std::move(picture);
    shown.id = telegram_->say(the_bot().username, std::move(message)).message;
    chat_.add(std::move(shown));
    changed();
}

void demo::say(std::string text, std::string picture) {
    auto const pictured = picture.empty() ? "" : " (with a picture)";
    show(screen_.remark("you, in the console" + std::string(pictured) + ": " + text));
    write(std::move(text), std::move(picture));
}

bool demo::press(telegram_message_id message, std::string_view data) {
    auto const* shown = chat_.find(message);
    if (!shown || !shown->has_button(data)) return false;
    telegram::simulated_press press;
    press.from = demo_person;
    press.chat = the_chat();
    press.message = message;
    press.data = data;
    chat_.press(message, telegram_->press(the_bot().username, std::move(press)).query);
    changed();
    return true;
}

std::string const* demo::picture(telegram_message_id message) const {
    auto const* shown = chat_.find(message);
    return shown && !shown->picture.empty() ? &shown->picture : nullptr;
}

bool demo::had_picture(telegram_message_id message) const {
    auto const* shown = chat_.find(message);
    return shown && shown->is_picture_gone;
}

void demo::kill_process() {
    base::log::warn("demo.killed");
    std::raise(SIGKILL);
}

boost::json::object demo::show() const {
    return {
        {"lane", agent::own_lane_key(place_)},
        {"typing", services_.clock.steady() < types_until_},
        {"messages", chat_.to_json()},
        {"model_timeout",
         {{"state", next_call_.state()},
          {"deadline_ms", std::chrono::milliseconds(hanging_call::deadline).count()}}},
    };
}

void demo::watch(std::shared_ptr<base::waker> const& watcher) {
    std::erase_if(watchers_, [](auto const& other) { return other.expired(); });
    watchers_.push_back(watcher);
}

void demo::changed() {
    for (auto const& watcher : watchers_)
        if (auto const open = watcher.lock()) open->wake();
}

void demo::note_typing() {
    show(screen_.sent());
    types_until_ = services_.clock.steady() + typing_shown;
    changed();
    tasks_.spawn("demo.typing", [](demo& shown) -> base::awaitable<void> {
        co_await base::sleep_for(typing_shown);
        shown.changed();
    }(*this));
}

std::string demo::now() const {
    return base::to_iso8601(services_.clock.now(), true);
}

base::awaitable<void> demo::recall(storage::connections const& postgres, bot_id own_id) {
    place_ = {own_id, the_chat()};
    auto earlier = co_await read_earlier_chat(postgres, place_, services_.clock.now());
    if (!earlier) {
        base::log::warn("demo.not_recalled", {{"error", earlier.error()}});
        co_return;
    }
    lane_ = earlier->lane;
    for (auto& message : earlier->messages) {
        if (!message.is_persons) telegram_->recall(the_chat(), message.id, message.text);
        chat_.add(std::move(message));
    }
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
        if (!is_blank(*line)) write(std::move(*line));
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
        write(std::move(text));
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
