#include "agent/flow/run/command_answer.hpp"

#include "agent/flow/run/command_lookup.hpp"
#include "agent/flow/run/large_file_text.hpp"
#include "agent/flow/run/message_place.hpp"
#include "agent/language/notices.hpp"
#include "agent/speech/speech.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr base::retry_policy answer_retries{
    .limit = 2,
    .delay = std::chrono::seconds{1},
    .backoff = base::backoff_shape::exponential,
    .timeout = std::chrono::seconds{10},
    .total = std::chrono::seconds{20}};

std::string_view beginning_of_help(
    settings const& flow, std::string_view language, std::string_view usual
) {
    auto const translated = flow.help_in.find(language);
    if (translated != flow.help_in.end()) return translated->second;
    return flow.help.empty() ? usual : flow.help;
}

std::string help_text(
    settings const& flow, std::string_view language, language::notices const& words
) {
    std::string text(beginning_of_help(flow, language, words.help));
    text += "\n";
    for (auto const& command : commands())
        if (!command.is_private && command.is_listed)
            text += fmt::format("\n{}: {}", command.name, words.*command.description);
    return text;
}

// Of files that the messenger does not give it says so: an album may have others, too.
std::string text_of_unread(heard_message const& heard, std::string_view language) {
    std::string text;
    auto const files = files_of(heard);
    auto const large = std::ranges::count_if(files, is_too_large);
    for (auto const& file : files)
        if (is_too_large(file)) text += text_of_large_file(file, language) + "\n";
    if (large == 0 || large < std::ssize(files))
        return text + language::notices_in(language).unread;
    text.pop_back();
    return text;
}

command::text text_of_end(command const& asked, execution_input const& input) {
    if (input.ended_turn) return asked.ended;
    return input.others_turn && asked.refused ? asked.refused : asked.reply;
}

// The same at every run: its parts are effects by their number.
base::awaitable<std::string> words_of(
    command const& command,
    settings const& flow,
    execution_input const& input,
    queue::workflow steps,
    node_services const& services,
    std::optional<queue::degradation>& degraded
) {
    if (&command == &unread_message) degraded = degradation_of(degraded_by::unread_message);
    if (command.looks_up) {
        auto const subject = *command.looks_up;
        bool const was_recorded = steps.recorded(step_of(subject));
        auto work = [&] { return look_up(subject, steps.job(), input, services); };
        auto const value = co_await steps.try_step(step_of(subject), answer_retries, work);
        if (value && !was_recorded)
            for (auto& row : changes_in(*value, input.heard->user)) steps.add(std::move(row));
        if (value) co_return looked_up_text(*value);
        degraded = degradation_of(degraded_by::command_failed, value.error());
    }
    auto const language = co_await language_of_answer(input, steps.job(), services);
    auto const& words = language::notices_in(language);
    if (command.tells_help) co_return help_text(flow, language, words);
    if (&command == &unread_message) co_return text_of_unread(*input.heard, language);
    co_return words.*text_of_end(command, input);
}

// Of a job beside its chat's lane the history is that lane's. A list of memories is what people said: no model reads
// it as words of its own, and no job makes memories of it.
speech answer_with(
    std::string text,
    command const& command,
    conversation const& conversation,
    execution_input const& input
) {
    speech answer;
    answer.to = input.heard->from;
    // Groups are told what is answered; in a private chat it is plain.
    if (base::raw(answer.to.chat) < 0) answer.answers = input.heard->message;
    chat_message const message{.role = role::assistant, .content = text};
    answer.row = conversation.row_of(message, message_place({}, 0, 0), answer.origin);
    answer.row->for_people = command.looks_up == lookup::memories;
    if (input.chat_lane) answer.row->lane = *input.chat_lane;
    answer.content.text = std::move(text);
    return answer;
}

} // namespace

base::awaitable<queue::outcome> answer_command(
    command const& command,
    settings const& flow,
    conversation const& conversation,
    execution_input const& input,
    queue::workflow steps,
    node_services const& services
) {
    auto outcome = queue::outcome::completed(json::object{
        {"nodes", json::object{}}, {"command", command.name}});
    if (input.silent) {
        steps.skip_unasked();
        co_return outcome;
    }
    auto text = co_await words_of(command, flow, input, steps, services, outcome.degraded);
    auto answer = answer_with(std::move(text), command, conversation, input);
    auto const delivered = co_await say(steps, {services.out, services.random}, std::move(answer));
    if (delivered.state != "sent") outcome.degraded = degradation_of(delivered);
    co_return outcome;
}

} // namespace postrider::agent::flow
