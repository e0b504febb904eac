#include "agent/flow/run/asked_history.hpp"

#include "agent/flow/run/conversation.hpp"
#include "agent/flow/run/message_target.hpp"
#include "agent/flow/services.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

asked_places places_from(node_run const& run, int k) {
    return {run.position(k), run.position(k + 1)};
}

void put_into_history(node_run& run, question& question, std::int64_t place) {
    if (run.started_by().silent || question.to.is_conversation()) return;
    chat_message const message{.role = role::assistant, .content = question.text};
    auto row = run.conversation().row_of(message, place, question.origin);
    row.id = base::nanoid(run.services().random);
    row.delivery = "pending";
    row.detail = json::object{{"asked", true}}; // it is no answer
    if (!is_own_chat(run, question.to)) {
        auto const to = run.services().out.current(question.to);
        row.chat = to.chat;
        row.thread = to.thread;
        question.said_in = own_lane_key(to);
    }
    question.said = std::move(row);
}

void keep_press(
    node_run& run, user_id by, std::string const& name, std::string text, std::int64_t place
) {
    auto const* heard = run.started_by().answered();
    if (!heard || heard->from.is_conversation()) return;
    chat_message const message{.role = role::user, .content = std::move(text)};
    auto row = run.conversation().row_of(message, place, storage::message_origin::person);
    row.id = base::nanoid(run.services().random);
    row.sender = by;
    row.sender_name = name;
    row.detail = json::object{{"pressed", true}}; // it is of this life of the job
    run.steps().add(storage::add_message(row));
}

} // namespace postrider::agent::flow
