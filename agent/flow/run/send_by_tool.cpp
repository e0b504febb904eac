#include "agent/flow/run/send_by_tool.hpp"

#include "agent/flow/chat/message_target.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view name = "send";

std::string words_of(delivery const& sent) {
    if (!sent.first) return "Sent.";
    return fmt::format("Sent as message {}.", base::raw(*sent.first));
}

} // namespace

bool has_sent(queue::workflow const& steps) {
    return steps.planned(name);
}

base::awaitable<queue::step_value> send_by_tool(
    node_run& run,
    queue::workflow steps,
    offered_tool const& tool,
    json::object arguments,
    std::int64_t position
) {
    json::value const settings = tool.settings;
    base::json_reader const place{settings};
    auto const to = co_await target_of(run, place);
    if (!to) co_return to.error();
    if (run.started_by().silent && is_own_chat(run, *to)) {
        steps.skip_unasked(); // the original sent it
        co_return to_json(tool_output("Not sent: this execution only shows what would happen."));
    }
    auto message = std::get<message_call>(tool.work)(tool.settings, arguments);
    if (!message) co_return message.error();
    speech said;
    said.name = name;
    said.to = *to;
    said.content = std::move(message->content);
    said.answers = message->answers;
    said.tries = tool.node ? tool.node->tries(sending) : sending;
    said.origin = storage::message_origin::agent;
    // What is said on the way to an answer is none.
    put_into_history(run, said, position);
    said.row->detail = json::object{{"interim", true}};
    auto const delivered = co_await say(run, steps, std::move(said));
    if (delivered.state != "sent") co_return delivered.error;
    tool_output output(words_of(delivered));
    output.is_reported = tool.risk(tool.settings, arguments) == risk::medium;
    co_return to_json(output);
}

} // namespace postrider::agent::flow
