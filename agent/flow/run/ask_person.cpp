#include "agent/flow/run/ask_person.hpp"

#include "agent/flow/services.hpp"
#include "agent/talk/degradation.hpp"
#include "agent/talk/question.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using base::errc;
using base::error;

constexpr std::string_view name = "question";

std::vector<std::string> choices_in(base::json_reader const& from) {
    std::vector<std::string> choices;
    auto const* all = from["choices"].raw();
    if (!all || !all->is_array()) return choices;
    for (auto const& text : all->get_array())
        if (text.is_string()) choices.emplace_back(text.get_string());
    return choices;
}

std::optional<std::string> answer_in(press const& press, std::vector<std::string> const& choices) {
    if (!press.words.empty()) return press.words;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (press.choice == std::to_string(i)) return choices[i];
    return std::nullopt; // of a client of one's own making
}

queue::step_value failure_of(error const& cause) {
    if (cause == errc::stale)
        return error(
            errc::stale,
            "Another message came instead of an answer, and is answered next. The question is "
            "withdrawn: "
            "end here in one sentence, and do not ask again."
        );
    if (cause == errc::timeout)
        return error(errc::timeout, "The person did not answer in time. Go on without the answer.");
    return cause;
}

} // namespace

bool has_asked(queue::workflow const& steps) {
    return steps.recorded(std::string(name) + "-id");
}

base::awaitable<queue::step_value> ask_person(
    node_run& run,
    queue::workflow steps,
    json::value arguments,
    std::chrono::milliseconds timeout,
    asked_places places,
    bool known
) {
    auto const* heard = run.started_by().answered();
    if (run.started_by().silent) steps.skip_unasked(); // the original asked
    if (!heard)
        co_return error(
            errc::refused, "This execution has no person to ask. Continue without the answer."
        );
    base::json_reader const from{arguments};
    auto const choices = choices_in(from);
    question question;
    question.name = name;
    question.to = heard->from;
    question.text = from["question"].string_or("");
    question.choices = numbered_choices(choices);
    question.only = heard->user;
    question.timeout = timeout;
    question.in_words = true;
    question.any_words = choices.empty();
    question.is_owner = run.services().is_owner;
    question.origin = storage::message_origin::agent;
    // Groups are told who is asked.
    if (base::raw(heard->from.chat) < 0) question.answers = heard->message;
    put_into_history(run, question, places.question);
    auto const& services = run.services();
    asking const with{services.out, services.clock, services.random};
    auto const asked = co_await agent::ask(steps, with, question);
    if (!asked) run.degrade(degradation_of(degraded_by::undelivered, asked.error()));
    if (!asked) co_return asked.error();
    auto const press = co_await wait_for_press(steps, services.clock, *asked);
    steps.add(close(*asked));
    std::optional<std::string> answer;
    if (press) answer = answer_in(*press, choices);
    if (answer && !press->in_words && !known)
        keep_press(run, press->user, press->name, *answer, places.press);
    bool const is_withdrawn = !press && press.error() == errc::stale;
    if (!answer && !is_withdrawn) run.degrade(degradation_of(degraded_by::question_expired));
    if (!choices.empty()) {
        message_content content;
        content.text = question.text + "\n\n" + (answer ? "→ " + *answer : "⌛");
        co_await show_outcome(steps, services.out, *asked, std::move(content));
    }
    if (!press) co_return failure_of(press.error());
    if (!answer) co_return failure_of(error(errc::timeout));
    co_return json::value(*answer);
}

} // namespace postrider::agent::flow
