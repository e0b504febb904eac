#include "agent/speech/question.hpp"

#include "agent/language/folded_words.hpp"
#include "agent/language/notices.hpp"
#include "base/html.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent {

namespace {

namespace json = boost::json;
using base::errc;

bool fits(question const& question) {
    return std::ranges::all_of(question.choices, [](auto const& row) {
        return std::ranges::all_of(row, [](choice const& choice) {
            return !choice.text.empty() && choice.value.size() <= most_choice_value;
        });
    });
}

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

std::string withdrawn_text(question const& asked) {
    if (!asked.withdrawn.empty()) return asked.withdrawn;
    auto const& end = language::notices_in(asked.language).not_open;
    bool const is_html = asked.markup == text_markup::html;
    return asked.text + "\n\n↩️ " + (is_html ? base::html_escaped(end) : end);
}

speech speech_of(question const& asked, asked_question const& opened) {
    speech said;
    said.name = asked.name;
    said.to = asked.to;
    said.content = content_of(asked, opened.id);
    said.withdrawn = withdrawn_text(asked);
    said.answers = asked.answers;
    said.tries = asked.tries;
    said.origin = asked.origin;
    said.row = asked.row;
    said.lane_key = asked.lane_key;
    return said;
}

std::string name_of_copy(std::string_view question, std::string_view part, std::size_t number) {
    return fmt::format("{}-{}-{}", question, part, number + 1);
}

// To somebody whose chat has its own history.
speech speech_to(address const& chat, messenger const& out, std::int64_t position) {
    speech said;
    said.to = chat;
    said.row = row_at(position);
    said.lane_key = own_lane_key(out.current(chat));
    return said;
}

// An owner may choose for who is asked, unless certain people are.
bool is_asked(asked_question const& asked, user_id user) {
    if (!asked.people.empty()) return std::ranges::count(asked.people, user) > 0;
    return !asked.only || user == *asked.only;
}

bool may_choose_for_others(asked_question const& asked, user_id user) {
    return asked.people.empty() && asked.is_owner && asked.is_owner(asked.sent.at.bot, user);
}

// The answer that a message of the lane is, of somebody who may give one.
std::optional<press> words_from(json::value const& event, asked_question const& asked) {
    base::json_reader const from{event};
    auto const input = from["input"];
    if (!input || !asked.out || !same_place(*asked.out, address_from(input), asked.sent.at))
        return std::nullopt;
    press answer;
    answer.in_words = true;
    answer.user = user_id{input["user"].int64_or(0)};
    bool const is_own_answer = is_asked(asked, answer.user);
    if (!is_own_answer && !may_choose_for_others(asked, answer.user)) return std::nullopt;
    // A command is done, whatever is waited for.
    if (!input["command"].string_or("").empty()) return std::nullopt;
    auto const text = from["text"].string_or("");
    // An owner may choose for the person, and not speak for them.
    if (asked.any_words && is_own_answer && !text.empty()) {
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

// What was asked belongs to who is asked: another one's message answers it or leaves it as it is.
bool concerns(json::value const& event, asked_question const& asked) {
    auto const user = user_id{base::json_reader{event}["input"]["user"].int64_or(0)};
    return is_asked(asked, user) || words_from(event, asked).has_value();
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
    sent_question const& sent,
    std::string_view step,
    message_content content
) {
    using namespace std::chrono_literals;
    if (sent.message == telegram_message_id{}) co_return;
    base::retry_policy const tries{
        .limit = 2, .delay = 1s, .timeout = acting_timeout, .total = 2 * acting_timeout};
    auto edit = [&] { return edited(out, sent.at, sent.message, content); };
    (void)co_await steps.try_step(sent.name + std::string(step), tries, edit);
}

// The buttons stand at the question's last part, and so does what comes in their place.
base::awaitable<void> put_everywhere(
    queue::workflow steps,
    messenger& out,
    asked_question const& asked,
    std::string_view step,
    message_content content
) {
    for (auto const& copy : asked.copies)
        co_await put_in_place(steps, out, copy, step, out.split(copy.at, content).back());
    if (!asked.sent.at.is_complete()) co_return;
    auto parts = out.split(asked.sent.at, std::move(content));
    co_await put_in_place(steps, out, asked.sent, step, std::move(parts.back()));
}

speech copy_of(question const& question, asked_question const& opened, std::size_t number) {
    auto said = speech_to(question.copies[number], *opened.out, question.copies_position);
    said.name = name_of_copy(question.name, "to", number);
    said.content = content_of(question, opened.id);
    said.withdrawn = withdrawn_text(question);
    said.tries = question.tries;
    return said;
}

// Of the message that has the buttons; of copies the first. "" = it is sent nowhere.
std::string effect_of(
    queue::workflow steps, question const& question, asked_question const& opened
) {
    if (!question.to.is_complete() && question.copies.empty()) return {};
    auto const said =
        question.to.is_complete() ? speech_of(question, opened) : copy_of(question, opened, 0);
    return steps.prefix() + last_key_of(*opened.out, said);
}

// With the id, which was drawn just now: a commit takes all that is held.
void hold_rows(queue::workflow steps, question const& question, asked_question const& opened) {
    storage::question_row row;
    row.id = opened.id;
    row.effect = effect_of(steps, question, opened);
    row.job = steps.job().id;
    row.place = place_of(question.to);
    row.only = question.only;
    row.open_for = question.timeout;
    for (auto const& cells : question.choices)
        for (auto const& choice : cells) row.choices.emplace_back(marked_value(choice));
    for (auto const& choice : opened.words)
        if (auto words = folded_words(choice.text); !words.empty())
            row.words.emplace_back(std::move(words));
    // A private chat has the number of its user.
    for (auto const& copy : question.copies) row.people.emplace_back(base::raw(copy.chat));
    for (auto const user : question.people) row.people.emplace_back(base::raw(user));
    steps.add(storage::open_question(row));
    if (!question.with_it) return;
    for (auto& more : question.with_it(opened.id)) steps.add(std::move(more));
}

base::awaitable<void> send_copies(
    queue::workflow steps, asking with, question const& question, asked_question& opened
) {
    for (std::size_t i = 0; i < question.copies.size(); ++i) {
        auto said = copy_of(question, opened, i);
        sent_question copy{.name = said.name, .at = said.to};
        auto const delivered = co_await say(steps, {with.out, with.random}, std::move(said));
        copy.message = delivered.last.value_or(telegram_message_id{});
        copy.was_reached = delivered.state != "failed";
        opened.copies.push_back(std::move(copy));
    }
}

} // namespace

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
    asked_question opened{.name = question.name, .id = std::string(id->as_string())};
    opened.sent = {.name = question.name, .at = question.to};
    opened.only = question.only;
    opened.people = question.people;
    opened.is_owner = question.is_owner;
    opened.out = &with.out;
    opened.any_words = question.any_words;
    if (question.in_words)
        for (auto const& row : question.choices)
            std::ranges::copy(row, std::back_inserter(opened.words));
    if (!was_drawn) hold_rows(steps, question, opened);
    if (question.to.is_complete())
        co_await plan(steps, {with.out, with.random}, speech_of(question, opened));
    else if (!was_drawn)
        (void)co_await steps.commit();
    co_return opened;
}

base::awaitable<base::result<void>> send(
    queue::workflow steps, asking with, question const& question, asked_question& opened
) {
    co_await send_copies(steps, with, question, opened);
    if (question.to.is_complete()) {
        auto const said = speech_of(question, opened);
        auto const delivered = co_await deliver(steps, {with.out, with.random}, said);
        if (delivered.state == "failed") co_return delivered.error;
        // Where it is not known whether it arrived, somebody may press.
        opened.sent.message = delivered.last.value_or(telegram_message_id{});
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

queue::awaited_event press_of(asked_question const& asked, base::clock const& clock) {
    using std::chrono::milliseconds;
    queue::awaited_event event;
    event.type = std::string(storage::press_event);
    event.match = asked.id;
    event.timeout =
        std::max(std::chrono::ceil<milliseconds>(asked.until - clock.now()), milliseconds{0});
    if (!asked.any_words && asked.words.empty()) return event;
    // With copies: they may outlive whoever waits.
    event.answered_by = [asked](json::value const& message) {
        return words_from(message, asked).has_value();
    };
    event.concerned_by = [asked](json::value const& message) { return concerns(message, asked); };
    return event;
}

std::string press_step(asked_question const& asked, int turn) {
    auto const name = asked.name + "-press";
    return turn == 0 ? name : name + "-" + std::to_string(turn + 1);
}

base::awaitable<void> say_more(
    queue::workflow steps,
    asking with,
    asked_question const& asked,
    std::string_view part,
    std::string text,
    std::int64_t position
) {
    speaking const by{with.out, with.random};
    // It is no answer.
    auto const marked = [](storage::message_row row) {
        row.for_people = true;
        row.detail = json::object{{"interim", true}};
        return row;
    };
    for (std::size_t i = 0; i < asked.copies.size(); ++i) {
        auto said = speech_to(asked.copies[i].at, with.out, position);
        said.name = name_of_copy(asked.name, part, i);
        said.content.text = text;
        said.row = marked(std::move(*said.row));
        (void)co_await say(steps, by, std::move(said));
    }
    if (!asked.sent.at.is_complete()) co_return;
    speech said;
    said.name = fmt::format("{}-{}", asked.name, part);
    said.to = asked.sent.at;
    said.content.text = std::move(text);
    if (!said.to.is_conversation()) said.row = marked(row_at(position, steps.job().lane));
    (void)co_await say(steps, by, std::move(said));
}

base::awaitable<void> show_again(
    queue::workflow steps, messenger& out, asked_question const& asked, question const& question
) {
    co_await put_everywhere(steps, out, asked, "-again", content_of(question, asked.id));
}

base::awaitable<void> show_outcome(
    queue::workflow steps, messenger& out, asked_question const& asked, message_content content
) {
    co_await put_everywhere(steps, out, asked, "-shown", std::move(content));
}

storage::write close(asked_question const& asked) {
    return storage::close_question(asked.id);
}

} // namespace postrider::agent
