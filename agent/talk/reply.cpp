#include "agent/talk/reply.hpp"

#include "base/fault.hpp"
#include "base/log.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr base::retry_policy once{
    .limit = 0,
    .delay = 0s,
    .backoff = base::backoff_shape::constant,
    .timeout = 1min,
    .total = std::nullopt};

// Long enough for the job to be parked.
constexpr auto stopped_pause = 3s;

std::string key_of(reply const& reply, std::size_t part) {
    return part == 0 ? reply.name : reply.name + "#" + std::to_string(part + 1);
}

outgoing message_of(reply const& reply, std::size_t part) {
    outgoing message{reply.to, reply.parts[part]};
    message.origin = reply.origin;
    if (part > 0) return message;
    message.reply_to = reply.answers;
    message.position = reply.position;
    return message;
}

outgoing message_of(queue::workflow const& flow, reply const& reply, std::size_t part) {
    auto message = message_of(reply, part);
    message.job = flow.job().id;
    message.key = flow.prefix() + key_of(reply, part);
    return message;
}

boost::json::object request_of(outgoing const& message, std::size_t part) {
    auto request = to_json(message.to);
    request["reply_to"] = base::raw(message.reply_to);
    request["part"] = part + 1;
    for (auto& member : to_json(message.content)) request[member.key()] = std::move(member.value());
    return request;
}

base::awaitable<queue::step_value> send(messenger& out, outgoing message) {
    base::fault::point("turn.before_send");
    auto sent = co_await out.send(std::move(message));
    base::fault::point("turn.after_send");
    if (sent) co_return boost::json::value(base::raw(*sent));
    if (sent.error() != errc::unauthorized) co_return sent.error();
    // Nobody was told, and nobody is until the bot's token works again: at the next try the gate
    // holds the job until then.
    base::error stopped(errc::unavailable, sent.error().detail);
    stopped.retry_after = stopped_pause;
    co_return stopped;
}

// A message to a conversation that is there already stays as it is.
queue::effect_class class_of(address const& to) {
    using enum queue::effect_class;
    return to.is_conversation() ? keyed : at_least_once;
}

base::awaitable<queue::step_value> leave_out() {
    co_return base::error(errc::refused, "not sent: an earlier part failed");
}

} // namespace

void leave_to_a_node_serving(messenger const& out, address const& to) {
    if (!out.serves(to))
        throw queue::not_here{
            "the node that took it does not have bot " + base::to_string(to.bot) +
            " in its configuration, or Telegram refuses its token"};
}

bool is_planned(queue::workflow const& steps, reply const& reply) {
    return steps.planned(key_of(reply, 0));
}

std::vector<queue::effect_intent> intents_of(reply const& reply) {
    std::vector<queue::effect_intent> intents;
    for (std::size_t part = 0; part < reply.parts.size(); ++part) {
        queue::effect_intent intent;
        intent.key = key_of(reply, part);
        intent.kind = std::string(messenger_of(reply.to)) + ".send";
        intent.effect_class = class_of(reply.to);
        intent.request = request_of(message_of(reply, part), part);
        intents.push_back(std::move(intent));
    }
    return intents;
}

queue::degradation degradation_of(delivery const& failed) {
    bool const is_unknown = failed.state == "unknown";
    auto const reason = is_unknown ? degraded_by::delivery_unknown : degraded_by::undelivered;
    return degradation_of(reason, failed.error);
}

base::awaitable<delivery> deliver(queue::workflow flow, messenger& out, reply const& reply) {
    delivery delivered{.state = "sent"};
    for (std::size_t part = 0; part < reply.parts.size(); ++part) {
        // What is held here is the part before: committed before anything else is sent.
        if (part > 0) (void)co_await flow.commit();
        bool const going_on = delivered.state == "sent";
        bool const to_send = going_on && !flow.recorded(key_of(reply, part));
        if (to_send && flow.is_read_only()) throw queue::suspended{}; // here the record ends
        if (to_send) leave_to_a_node_serving(out, reply.to);
        if (to_send)
            (void)co_await flow.admit(out.resource(reply.to)); // without a limit to its patience
        auto send_part = [&] { return send(out, message_of(flow, reply, part)); };
        // Chosen before: g++ 12 destroys a conditional temporary of a co_await expression twice.
        queue::step_function work = leave_out;
        if (going_on) work = send_part;
        auto sent = co_await flow.perform(key_of(reply, part), going_on ? reply.tries : once, work);
        if (sent) {
            ++delivered.sent;
            auto const id = sent->is_int64() ? sent->get_int64() : 0;
            if (part == 0 && id != 0) delivered.first = telegram_message_id{id};
            delivered.last.reset();
            if (id != 0) delivered.last = telegram_message_id{id};
        } else if (going_on) {
            delivered.state = sent.error() == errc::ambiguous ? "unknown" : "failed";
            delivered.error = sent.error();
            if (to_send)
                base::log::warn(
                    "turn.not_delivered",
                    {{"job", flow.job().id}, {"state", delivered.state}, {"error", sent.error()}}
                );
        }
    }
    co_return delivered;
}

} // namespace postrider::agent
