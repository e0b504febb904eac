#include "agent/flow/run/stoppable_call.hpp"

#include "agent/loop/token_window.hpp"

namespace postrider::agent::flow {

namespace {

using called = std::optional<base::result<chat_reply>>;

base::awaitable<void> keep_reply(base::awaitable<base::result<chat_reply>> call, called& reply) {
    reply.emplace(co_await std::move(call));
}

} // namespace

text_listener remembering(text_listener hear, std::string& streamed) {
    return [hear = std::move(hear), &streamed](std::string_view text) {
        if (text.empty())
            streamed.clear(); // it takes back what was said
        else
            streamed.append(text);
        hear(text);
    };
}

base::awaitable<std::optional<base::result<chat_reply>>> call_unless_stopped(
    base::awaitable<base::result<chat_reply>> call, stop_wish& stop
) {
    called reply;
    if (stop.is_made()) co_return reply;
    co_await stop.cut_off(keep_reply(std::move(call), reply));
    if (!reply && !stop.is_made()) reply = base::error(base::errc::internal, "the call broke off");
    // One that ended in an error because it was cancelled has no reply.
    if (stop.is_made() && reply && !*reply) reply.reset();
    co_return reply;
}

chat_reply stopped_reply(std::string streamed, std::string_view mark, std::int64_t input) {
    chat_reply reply;
    reply.usage.input = input;
    reply.usage.output = std::ssize(streamed) / bytes_of_a_token + 1;
    reply.text = std::move(streamed);
    if (!reply.text.empty()) reply.text += "\n\n";
    reply.text += mark;
    return reply;
}

} // namespace postrider::agent::flow
