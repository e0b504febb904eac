#include "agent/flow/run/ask_person.hpp"

#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using base::errc;
using base::error;

constexpr std::string_view question_name = "question";

std::vector<std::string> choices_in(base::json_reader const& arguments) {
    std::vector<std::string> choices;
    auto const* list = arguments["choices"].raw();
    if (!list || !list->is_array()) return choices;
    for (auto const& text : list->get_array())
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
    return steps.recorded(std::string(question_name) + "-id");
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
    base::json_reader const fields{arguments};
    auto const choices = choices_in(fields);
    agent::question draft;
    draft.name = question_name;
    draft.to = heard->from;
    draft.text = fields["question"].string_or("");
    draft.choices = numbered_choices(choices);
    draft.only = heard->user;
    draft.timeout = timeout;
    draft.in_words = true;
    draft.any_words = choices.empty();
    draft.origin = storage::message_origin::agent;
    // Groups are told who is asked.
    if (base::raw(heard->from.chat) < 0) draft.answers = heard->message;
    node_question question(run, steps, std::move(draft), places);
    auto const sent = co_await question.ask();
    if (!sent) co_return sent.error();
    auto const press = co_await question.wait();
    if (!press) {
        question.close({});
        if (press.error() != errc::stale)
            run.degrade(degradation_of(degraded_by::question_expired));
        co_await question.show("⌛");
        co_return failure_of(press.error());
    }
    question.close(*press);
    auto answer = answer_in(*press, choices);
    co_await question.show("→ " + answer);
    co_return json::value(answer);
}

} // namespace postrider::agent::flow
