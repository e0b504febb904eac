#include "agent/flow/chat/node_question.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/chat/message_target.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/html.hpp"

#include <boost/json/object.hpp>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

asked_places places_from(node_run const& run, int k) {
    return {run.position(k), run.position(k + 1)};
}

node_question::node_question(
    node_run& run, queue::workflow steps, agent::question draft, asked_places places
)
    : run_(run),
      steps_(std::move(steps)),
      question_(std::move(draft)),
      places_(places) {
    question_.is_owner = run.services().is_owner;
    question_.copies_position = places.question;
    auto const& target = question_.to;
    if (run.started_by().silent || target.is_conversation() || !target.is_complete()) return;
    auto place = place_in_history(run, target, places.question);
    question_.row = std::move(place.row);
    question_.row->detail = json::object{{"asked", true}}; // it is no answer
    question_.lane_key = std::move(place.lane_key);
}

asking node_question::services() const noexcept {
    auto const& services = run_.services();
    return {services.out, services.clock, services.random};
}

base::awaitable<base::result<void>> node_question::ask() {
    auto outcome = co_await open();
    if (!outcome) run_.degrade(degradation_of(degraded_by::undelivered, outcome.error()));
    if (!outcome) co_return outcome;
    outcome = co_await send();
    if (!outcome) steps_.add(agent::close(*asked_));
    co_return outcome;
}

base::awaitable<base::result<void>> node_question::open() {
    if (question_.language.empty()) question_.language = co_await run_.conversation().language();
    auto opened = co_await agent::open(steps_, services(), question_);
    if (!opened) co_return opened.error();
    asked_ = std::move(*opened);
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> node_question::send() {
    auto sent = co_await agent::send(steps_, services(), question_, *asked_);
    if (!sent) run_.degrade(degradation_of(degraded_by::undelivered, sent.error()));
    co_return sent;
}

base::awaitable<base::result<press>> node_question::wait() {
    auto pressed = co_await wait_for_press(steps_, run_.services().clock, *asked_);
    // Of a client of one's own making.
    bool const is_no_answer = pressed && pressed->words.empty() && text_of(*pressed).empty();
    if (is_no_answer) co_return base::error(base::errc::timeout);
    co_return pressed;
}

void node_question::close(std::optional<press> const& press) {
    steps_.add(agent::close(*asked_));
    // What was shown stands in the record behind the commit that has the row.
    bool const is_kept = steps_.recorded(question_.name + "-shown");
    if (!press || press->in_words || is_kept) return;
    if (auto text = text_of(*press); !text.empty()) keep_press(*press, std::move(text));
}

std::string node_question::text_of(press const& press) const {
    for (auto const& row : question_.choices)
        for (auto const& choice : row)
            if (choice.value == press.choice) return choice.text;
    return {};
}

// In the history of the chat that has the button.
void node_question::keep_press(press const& press, std::string text) {
    auto const& out = run_.services().out;
    auto place = out.current(question_.to);
    auto lane_key = question_.lane_key;
    if (!question_.row) {
        auto const copy = std::ranges::find_if(question_.copies, [&](address const& copy_address) {
            return same_place(out, press.at, copy_address);
        });
        if (copy == question_.copies.end()) return;
        place = out.current(*copy);
        lane_key = own_lane_key(place);
    }
    chat_message const message{.role = role::user, .content = std::move(text)};
    auto const origin = storage::message_origin::person;
    auto row = run_.conversation().row_of(message, places_.press, origin);
    row.id = base::nanoid(run_.services().random);
    row.sender = press.user;
    row.sender_name = press.name;
    row.chat = place.chat;
    row.thread = place.thread;
    row.detail = json::object{{"pressed", true}}; // it is of this life of the job
    steps_.add(
        lane_key.empty() ? storage::add_message(row)
                         : storage::add_message_from_beside(row, lane_key)
    );
}

base::awaitable<void> node_question::show(std::string outcome) {
    return show(question_.text, std::move(outcome));
}

base::awaitable<void> node_question::show(std::string text, std::string outcome) {
    if (question_.choices.empty()) co_return; // there are no buttons to be replaced
    message_content content;
    content.markup = question_.markup;
    bool const is_html = content.markup == text_markup::html;
    content.text = std::move(text) + "\n\n" + (is_html ? base::html_escaped(outcome) : outcome);
    co_await show_outcome(steps_, run_.services().out, *asked_, std::move(content));
}

} // namespace postrider::agent::flow
