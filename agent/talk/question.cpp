#include "agent/talk/question.hpp"

#include "agent/language/folded_words.hpp"
#include "base/json/json.hpp"
#include "storage/stores/lanes.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

namespace json = boost::json;
using base::errc;

constexpr std::size_t id_size = 21; // of a nanoid
constexpr char closing = ':';
constexpr char keeping = '?';
constexpr std::size_t most_in_a_row = 3;

std::string marked(choice const& choice) {
    return (choice.closes ? closing : keeping) + choice.value;
}

bool fits(question const& question) {
    return std::ranges::all_of(question.choices, [](auto const& row) {
        return std::ranges::all_of(row, [](choice const& choice) {
            return !choice.text.empty() && choice.value.size() <= most_choice_value;
        });
    });
}

// It has no parts where nobody can be written to.
reply message_of(question const& question, asked_question const& opened, messenger& out) {
    reply message;
    message.name = question.name;
    message.to = question.to;
    message.answers = question.answers;
    message.tries = question.tries;
    message.origin = question.origin;
    if (question.to.is_complete())
        message.parts = out.split(question.to, content_of(question, opened.id));
    return message;
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

// The answer that a message of the lane is, of somebody who may give one.
std::optional<press> words_from(json::value const& event, asked_question const& asked) {
    base::json_reader const from{event};
    auto const input = from["input"];
    if (!input || !asked.out || !same_place(*asked.out, address_from(input), asked.at))
        return std::nullopt;
    press answer;
    answer.in_words = true;
    answer.user = user_id{input["user"].int64_or(0)};
    bool const is_asked = !asked.only || answer.user == *asked.only;
    bool const may_answer =
        is_asked || (asked.is_owner && asked.is_owner(asked.at.bot, answer.user));
    if (!may_answer) return std::nullopt;
    // A command is done, whatever is waited for.
    if (!input["command"].string_or("").empty()) return std::nullopt;
    auto const text = from["text"].string_or("");
    // An owner may choose for the person, and not speak for them.
    if (asked.any_words && is_asked && !text.empty()) {
        answer.words = text;
        return answer;
    }
    auto const said = folded_words(text);
    auto const chosen = std::ranges::find_if(asked.words, [&](choice const& choice) {
        return !said.empty() && folded_words(choice.text) == said;
    });
    if (chosen == asked.words.end()) return std::nullopt;
    answer.choice = chosen->value;
    return answer;
}

base::awaitable<queue::step_value> edited(
    messenger& out, address at, telegram_message_id message, message_content content
) {
    auto const done = co_await out.edit(at, message, std::move(content));
    if (!done) co_return done.error();
    co_return json::value(nullptr);
}

base::awaitable<void> put_in_place(
    queue::workflow steps,
    messenger& out,
    asked_question const& asked,
    std::string_view step,
    message_content content
) {
    using namespace std::chrono_literals;
    if (asked.message == telegram_message_id{}) co_return;
    base::retry_policy const tries{
        .limit = 2, .delay = 1s, .timeout = acting_timeout, .total = 2 * acting_timeout};
    auto edit = [&] { return edited(out, asked.at, asked.message, content); };
    (void)co_await steps.try_step(asked.name + std::string(step), tries, edit);
}

std::vector<storage::write> rows_of_history(question const& question) {
    if (question.said_in.empty()) return {storage::add_message(*question.said)};
    return {
        storage::find_or_add_lane(
            {.key = question.said_in, .bot = question.to.bot, .chat = question.to.chat}
        ),
        storage::add_message_from_beside(*question.said, question.said_in)};
}

// With the id, which was drawn just now: a commit takes all that is held.
void hold_rows(queue::workflow steps, question const& question, asked_question const& opened) {
    storage::question_row row;
    row.id = opened.id;
    row.job = steps.job().id;
    row.place = place_of(question.to);
    row.only = question.only;
    row.open_for = question.timeout;
    for (auto const& cells : question.choices)
        for (auto const& choice : cells) row.choices.emplace_back(marked(choice));
    for (auto const& choice : opened.words)
        if (auto words = folded_words(choice.text); !words.empty())
            row.words.emplace_back(std::move(words));
    for (auto const user : question.people) row.people.emplace_back(base::raw(user));
    steps.add(storage::open_question(row));
    if (!question.with_it) return;
    for (auto& more : question.with_it(opened.id)) steps.add(std::move(more));
}

} // namespace

message_content content_of(question const& asked, std::string_view id) {
    message_content content;
    content.text = asked.text;
    content.markup = asked.markup;
    for (auto const& row : asked.choices) {
        auto& cells = content.buttons.emplace_back();
        for (auto const& choice : row) cells.push_back({choice.text, data_of(id, choice), {}});
    }
    return content;
}

std::vector<std::vector<choice>> numbered_choices(std::vector<std::string> const& texts) {
    std::vector<std::vector<choice>> rows;
    bool const side_by_side = texts.size() <= most_in_a_row;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (rows.empty() || !side_by_side) rows.emplace_back();
        rows.back().push_back({texts[i], std::to_string(i)});
    }
    return rows;
}

base::awaitable<base::result<asked_question>> ask(
    queue::workflow steps, asking with, question question
) {
    auto opened = co_await open(steps, with, question);
    if (!opened) co_return opened.error();
    auto const sent = co_await send(steps, with, question, *opened);
    if (sent) co_return std::move(*opened);
    steps.add(close(*opened));
    co_return sent.error();
}

base::awaitable<base::result<asked_question>> open(
    queue::workflow steps, asking with, question const& question
) {
    if (!fits(question))
        co_return base::error(errc::invalid, "a choice has no text, or a value that is too long");
    bool const was_drawn = steps.recorded(question.name + "-id");
    queue::step_value drawn = json::value(json::string(base::nanoid(with.random)));
    auto const id = co_await steps.record_value(question.name + "-id", std::move(drawn));
    if (!id) co_return id.error();
    asked_question opened{question.name, std::string(id->as_string()), {}, {}};
    opened.at = question.to;
    opened.only = question.only;
    opened.is_owner = question.is_owner;
    opened.out = &with.out;
    opened.any_words = question.any_words;
    if (question.in_words)
        for (auto const& row : question.choices)
            std::ranges::copy(row, std::back_inserter(opened.words));
    auto const message = message_of(question, opened, with.out);
    if (!was_drawn) hold_rows(steps, question, opened);
    if (message.parts.empty() ? was_drawn : is_planned(steps, message)) co_return opened;
    queue::commit_with intents;
    intents.effects = intents_of(message);
    if (question.said) intents.writes = rows_of_history(question);
    (void)co_await steps.commit(std::move(intents));
    co_return opened;
}

base::awaitable<base::result<void>> send(
    queue::workflow steps, asking with, question const& question, asked_question& opened
) {
    if (question.to.is_complete()) {
        auto const message = message_of(question, opened, with.out);
        auto const delivered = co_await deliver(steps, with.out, message);
        if (auto const& row = question.said)
            steps.add(storage::set_delivery(
                row->lane,
                row->job,
                row->position,
                delivered.state,
                delivered.first,
                question.said_in
            ));
        if (delivered.state == "failed") co_return delivered.error;
        // Where it is not known whether it arrived, somebody may press.
        opened.message = delivered.last.value_or(telegram_message_id{});
    }
    auto const name = question.name + "-until";
    if (!steps.recorded(name)) steps.add(storage::begin_question(opened.id, question.timeout));
    json::value const until(base::to_iso8601(with.clock.now() + question.timeout, true));
    auto const recorded = co_await steps.record_value(name, until);
    opened.until = base::from_iso8601(std::string_view(recorded->as_string())).value();
    co_return base::result<void>{};
}

base::awaitable<base::result<press>> wait_for_press(
    queue::workflow steps, base::clock const& clock, asked_question const& asked, int turn
) {
    auto event = press_of(asked, clock);
    auto const pressed = co_await steps.wait_for_event(press_step(asked, turn), std::move(event));
    if (!pressed) co_return pressed.error();
    if (auto answer = words_from(*pressed, asked)) co_return std::move(*answer);
    co_return press_from(*pressed);
}

base::awaitable<void> show_again(
    queue::workflow steps, messenger& out, asked_question const& asked, question const& question
) {
    co_await put_in_place(steps, out, asked, "-again", content_of(question, asked.id));
}

base::awaitable<void> show_outcome(
    queue::workflow steps, messenger& out, asked_question const& asked, message_content content
) {
    co_await put_in_place(steps, out, asked, "-shown", std::move(content));
}

queue::awaited_event press_of(asked_question const& asked, base::clock const& clock) {
    using std::chrono::milliseconds;
    queue::awaited_event event;
    event.type = std::string(storage::press_event);
    event.match = asked.id;
    event.timeout =
        std::max(std::chrono::ceil<milliseconds>(asked.until - clock.now()), milliseconds{0});
    if (asked.any_words || !asked.words.empty()) // with a copy: it may outlive whoever waits
        event.answered_by = [asked](json::value const& message) {
            return words_from(message, asked).has_value();
        };
    return event;
}

std::string press_step(asked_question const& asked, int turn) {
    auto const name = asked.name + "-press";
    return turn == 0 ? name : name + "-" + std::to_string(turn + 1);
}

storage::write close(asked_question const& asked) {
    return storage::close_question(asked.id);
}

std::string place_of(address const& at) {
    if (at.is_conversation()) return own_lane_key(at);
    return base::to_string(at.bot) + ":" + base::to_string(at.chat);
}

std::string data_of(std::string_view question, choice const& choice) {
    return std::string(question) + marked(choice);
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

std::string_view note_of(storage::press_outcome outcome) noexcept {
    switch (outcome) {
    case storage::press_outcome::not_open:
        return "This is no longer open.";
    case storage::press_outcome::not_yours:
        return "This is for somebody else to answer.";
    case storage::press_outcome::taken:
        break;
    }
    return {};
}

} // namespace postrider::agent
