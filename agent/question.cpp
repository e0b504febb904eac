#include "agent/question.hpp"

#include "base/json.hpp"
#include "storage/stores/questions.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

namespace json = boost::json;
using base::errc;

constexpr std::size_t id_size = 21; // of a nanoid
constexpr char closing = ':';
constexpr char keeping = '?';

bool fits(question const& question) {
    return std::ranges::all_of(question.choices, [](auto const& row) {
        return std::ranges::all_of(row, [](choice const& choice) {
            return !choice.text.empty() && choice.value.size() <= most_choice_value;
        });
    });
}

message_content content_of(question const& question, std::string_view id) {
    message_content content;
    content.text = question.text;
    content.markup = question.markup;
    for (auto const& row : question.choices) {
        auto& cells = content.buttons.emplace_back();
        for (auto const& choice : row) cells.push_back({choice.text, data_of(id, choice), {}});
    }
    return content;
}

base::result<press> press_from(json::value const& event) {
    base::json_reader const from{event};
    press pressed;
    pressed.user = user_id{from["user"].int64()};
    pressed.name = from["name"].string_or("");
    pressed.message = telegram_message_id{from["message"].int64_or(0)};
    pressed.choice = from["choice"].string();
    pressed.id = from["press"].string_or("");
    if (from.failed()) return from.failure();
    return pressed;
}

} // namespace

base::awaitable<base::result<asked_question>> ask(
    queue::workflow steps, messenger& out, base::random_source& random, question question
) {
    if (!fits(question))
        co_return base::error(errc::invalid, "a choice has no text, or a value that is too long");
    bool const has_place = question.to.is_complete();
    bool const is_open = steps.recorded(question.name + "-id");
    queue::step_value drawn = json::value(json::string(base::nanoid(random)));
    auto const id = co_await steps.record_value(question.name + "-id", std::move(drawn));
    if (!id) co_return id.error();
    asked_question asked{question.name, std::string(id->as_string()), question.timeout, {}};

    reply sent;
    sent.name = question.name;
    sent.to = question.to;
    sent.answers = question.answers;
    if (has_place) sent.parts = out.split(content_of(question, asked.id));
    sent.tries = question.tries;
    if (has_place ? !is_planned(steps, sent) : !is_open) {
        storage::question_row row;
        row.id = asked.id;
        row.job = steps.job().id;
        row.place = place_of(question.to);
        row.only = question.only;
        row.open_for = question.timeout;
        queue::commit_with with;
        with.effects = intents_of(sent);
        with.writes.push_back(storage::open_question(row));
        if (question.with_it)
            std::ranges::move(question.with_it(asked.id), std::back_inserter(with.writes));
        (void)co_await steps.commit(std::move(with));
    }
    if (!has_place) co_return asked;
    auto const delivered = co_await deliver(steps, out, sent);
    if (delivered.state == "failed") co_return delivered.error;
    // Where it is not known whether it arrived, somebody may press.
    asked.message = delivered.last.value_or(telegram_message_id{});
    co_return asked;
}

base::awaitable<base::result<press>> wait_for_press(
    queue::workflow steps, asked_question const& asked, int turn
) {
    queue::awaited_event event;
    event.type = std::string(storage::press_event);
    event.match = asked.id;
    event.timeout = asked.timeout;
    auto name = asked.name + "-press";
    if (turn > 0) name += "-" + std::to_string(turn + 1);
    auto pressed = co_await steps.wait_for_event(name, std::move(event));
    if (!pressed) co_return pressed.error();
    co_return press_from(*pressed);
}

storage::write close(asked_question const& asked) {
    return storage::close_question(asked.id);
}

std::string place_of(address const& at) {
    if (at.is_conversation()) return "chat:" + conversation_of(at);
    return base::to_string(at.bot) + ":" + base::to_string(at.chat);
}

std::string data_of(std::string_view question, choice const& choice) {
    return std::string(question) + (choice.closes ? closing : keeping) + choice.value;
}

button_data read_button_data(std::string_view data) {
    if (data.size() <= id_size) return {};
    char const mark = data[id_size];
    if (mark != closing && mark != keeping) return {};
    return {
        std::string(data.substr(0, id_size)),
        std::string(data.substr(id_size + 1)),
        mark == closing};
}

json::object to_json(press const& press, address const& at) {
    auto event = to_json(at);
    event["user"] = base::raw(press.user);
    event["name"] = press.name;
    event["message"] = base::raw(press.message);
    event["choice"] = press.choice;
    event["press"] = press.id;
    return event;
}

} // namespace postrider::agent
