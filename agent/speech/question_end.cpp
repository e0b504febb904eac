#include "agent/speech/question_end.hpp"

#include "agent/speech/speech.hpp"
#include "base/json/json.hpp"

namespace postrider::agent {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

base::awaitable<queue::step_value> withdraw(
    messenger& out, address at, telegram_message_id message, message_content content
) {
    auto const edited = co_await out.edit(at, message, std::move(content));
    if (!edited) co_return edited.error();
    co_return json::value(nullptr);
}

// A message that is gone, or that cannot be changed any more, has no buttons that matter.
base::awaitable<queue::outcome> end_question(queue::workflow& steps, messenger& out) {
    base::json_reader const from{steps.job().input};
    auto const at = address_from(from);
    telegram_message_id const message{from["message"].int64()};
    message_content content;
    content.text = from["text"].string_or(""); // none: of an earlier release, or erased
    if (from["markup"].string_or("") == "html") content.markup = text_markup::html;
    if (from.failed()) co_return queue::outcome::failed(from.failure());
    leave_to_a_node_serving(out, at);
    base::retry_policy const tries{
        .limit = 3, .delay = 1s, .timeout = acting_timeout, .total = 3 * acting_timeout};
    // The buttons stood at the question's last part.
    if (!content.text.empty()) content = out.split(at, std::move(content)).back();
    auto work = [&] { return withdraw(out, at, message, content); };
    (void)co_await steps.try_step("edit", tries, work);
    co_return queue::outcome::completed();
}

} // namespace

queue::job_kind make_question_ends(messenger& out) {
    auto run = [&out](queue::workflow& steps) { return end_question(steps, out); };
    return {.name = std::string(question_end_kind), .run = run};
}

} // namespace postrider::agent
