#include "agent/flow/run/send_by_tool.hpp"

#include "agent/flow/chat/message_target.hpp"
#include "agent/language/shared_passage.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view effect_name = "send";

std::string words_of(delivery const& delivery) {
    if (!delivery.first) return "Sent.";
    return fmt::format("Sent as message {}.", base::raw(*delivery.first));
}

} // namespace

bool has_sent(queue::workflow const& steps) {
    return steps.planned(effect_name);
}

base::awaitable<queue::step_value> send_by_tool(
    node_run& run,
    queue::workflow steps,
    offered_tool const& tool,
    json::object arguments,
    std::int64_t position,
    std::string_view private_words
) {
    json::value const settings = tool.settings;
    base::json_reader const fields{settings};
    auto const target = co_await target_of(run, fields);
    if (!target) co_return target.error();
    if (run.started_by().silent && is_own_chat(run, *target)) {
        steps.skip_unasked(); // the original sent it
        co_return to_json(tool_output("Not sent: this execution only shows what would happen."));
    }
    auto message = std::get<message_call>(tool.work)(tool.settings, arguments);
    if (!message) co_return message.error();
    if (!has_sent(steps) && has_passage_of(message->content.text, private_words))
        co_return base::error(
            base::errc::refused, "Not sent: it repeats your instructions, which nobody is to read."
        );
    speech draft;
    draft.name = effect_name;
    draft.to = *target;
    draft.content = std::move(message->content);
    draft.answers = message->answers;
    draft.tries = tool.node ? tool.node->tries(sending) : sending;
    draft.origin = storage::message_origin::agent;
    // What is said on the way to an answer is none.
    put_into_history(run, draft, position);
    draft.row->detail = json::object{{"interim", true}};
    auto const delivered = co_await say(run, steps, std::move(draft));
    if (delivered.state != "sent") co_return delivered.error;
    tool_output output(words_of(delivered));
    output.is_reported = tool.risk(tool.settings, arguments) == risk::medium;
    co_return to_json(output);
}

} // namespace postrider::agent::flow
