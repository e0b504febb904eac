#include "agent/speech/question_end.hpp"

#include "agent/speech/speech.hpp"
#include "base/json/json.hpp"

namespace postrider::agent {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

base::awaitable<queue::step_value> take_buttons(
    messenger& out, address at, telegram_message_id message
) {
    message_content none; // named: g++ 12 destroys an unnamed one twice
    auto const edited = co_await out.edit(at, message, std::move(none));
    if (!edited) co_return edited.error();
    co_return json::value(nullptr);
}

// A message that is gone, or that cannot be changed any more, has no buttons that matter.
base::awaitable<queue::outcome> end_question(queue::workflow& steps, messenger& out) {
    base::json_reader const from{steps.job().input};
    auto const at = address_from(from);
    telegram_message_id const message{from["message"].int64()};
    if (from.failed()) co_return queue::outcome::failed(from.failure());
    leave_to_a_node_serving(out, at);
    base::retry_policy const tries{
        .limit = 3, .delay = 1s, .timeout = acting_timeout, .total = 3 * acting_timeout};
    auto work = [&] { return take_buttons(out, at, message); };
    (void)co_await steps.try_step("edit", tries, work);
    co_return queue::outcome::completed();
}

} // namespace

queue::job_kind make_question_ends(messenger& out) {
    auto run = [&out](queue::workflow& steps) { return end_question(steps, out); };
    return {.name = std::string(question_end_kind), .run = run};
}

} // namespace postrider::agent
