#include "agent/flow/run/command_answer.hpp"

#include "agent/flow/run/message_place.hpp"
#include "agent/reply.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

reply reply_to(command const& asked, heard_message const& heard, messenger const& out) {
    reply answer;
    answer.to = heard.from;
    answer.position = message_place({}, 0, 0);
    answer.parts = out.split(answer.to, {.text = std::string(asked.reply)});
    // Groups are told what is answered; in a private chat it is plain.
    if (base::raw(answer.to.chat) < 0) answer.answers = heard.message;
    return answer;
}

} // namespace

base::awaitable<queue::outcome> answer_command(
    command const& asked,
    conversation const& talk,
    execution_input const& input,
    queue::workflow steps,
    node_services const& services
) {
    auto outcome =
        queue::outcome::completed(json::object{{"nodes", json::object{}}, {"command", asked.name}});
    if (input.silent) {
        steps.forgo();
        co_return outcome;
    }
    auto const answer = reply_to(asked, *input.heard, services.out);
    chat_message const message{.role = role::assistant, .content = std::string(asked.reply)};
    auto row = talk.row_of(message, *answer.position);
    if (!is_planned(steps, answer)) {
        row.id = base::nanoid(services.random);
        row.delivery = "pending";
        if (answer.answers != telegram_message_id{}) row.reply_to = answer.answers;
        queue::commit_with with;
        with.effects = intents_of(answer);
        with.writes.push_back(storage::add_message(row));
        (void)co_await steps.commit(std::move(with));
    }
    auto const delivery = co_await deliver(steps, services.out, answer);
    outcome.writes.push_back(
        storage::set_delivery(row.lane, row.job, row.position, delivery.state, delivery.first)
    );
    co_return outcome;
}

} // namespace postrider::agent::flow
