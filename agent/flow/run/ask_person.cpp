#include "agent/flow/run/ask_person.hpp"

#include "agent/flow/services.hpp"
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

std::string answer_in(press const& press, std::vector<std::string> const& choices) {
    return press.words.empty() ? choices.at(std::stoul(press.choice)) : press.words;
}

error failure_of(error const& cause) {
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
    asked_places places
) {
    auto const* heard = run.started_by().answered();
    if (run.started_by().silent) steps.skip_unasked(); // the original asked
    if (!heard)
        co_return error(
            errc::refused, "This execution has no person to ask. Continue without the answer."
        );
    base::json_reader const from{arguments};
    auto const choices = choices_in(from);
    agent::question question;
    question.name = name;
    question.to = heard->from;
    question.text = from["question"].string_or("");
    question.choices = numbered_choices(choices);
    question.only = heard->user;
    question.timeout = timeout;
    question.in_words = true;
    question.any_words = choices.empty();
    question.origin = storage::message_origin::agent;
    // Groups are told who is asked.
    if (base::raw(heard->from.chat) < 0) question.answers = heard->message;
    node_question asking(run, steps, std::move(question), places);
    auto const asked = co_await asking.ask();
    if (!asked) co_return asked.error();
    auto const press = co_await asking.wait();
    if (!press) {
        asking.close({});
        if (press.error() != errc::stale)
            run.degrade(degradation_of(degraded_by::question_expired));
        co_await asking.show("⌛");
        co_return failure_of(press.error());
    }
    asking.close(*press);
    auto answer = answer_in(*press, choices);
    co_await asking.show("→ " + answer);
    co_return json::value(std::move(answer));
}

} // namespace postrider::agent::flow
