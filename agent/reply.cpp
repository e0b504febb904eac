#include "agent/reply.hpp"

#include "base/fault.hpp"

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

std::string key_of(reply const& what, std::size_t part) {
    return part == 0 ? what.name : what.name + "#" + std::to_string(part + 1);
}

outgoing message_of(reply const& what, std::size_t part) {
    return {what.to, what.parts[part], part == 0 ? what.answers : telegram_message_id{}};
}

base::awaitable<queue::step_value> send(messenger& out, outgoing message, bool& in_doubt) {
    base::fault::point("turn.before_send");
    auto sent = co_await out.send(std::move(message));
    base::fault::point("turn.after_send");
    if (sent) co_return boost::json::value(base::raw(*sent));
    in_doubt = in_doubt || sent.error() == errc::ambiguous;
    if (sent.error() != errc::unauthorized) co_return sent.error();
    // Nobody was told, and nobody is until the bot's token works again: at the next try the gate
    // holds the job until then.
    base::error stopped(errc::unavailable, sent.error().detail);
    stopped.retry_after = stopped_pause;
    co_return stopped;
}

base::awaitable<queue::step_value> leave_out() {
    co_return base::error(errc::refused, "not sent: an earlier part failed");
}

} // namespace

void leave_to_a_node_with(messenger const& out, bot_id bot) {
    if (!out.has_bot(bot))
        throw queue::not_here{
            "the node that took it does not have bot " + base::to_string(bot) +
            " in its configuration"};
}

bool is_planned(queue::workflow const& steps, reply const& what) {
    return steps.planned(key_of(what, 0));
}

std::vector<queue::effect_intent> intents_of(reply const& what) {
    std::vector<queue::effect_intent> intents;
    for (std::size_t part = 0; part < what.parts.size(); ++part) {
        auto const message = message_of(what, part);
        queue::effect_intent intent;
        intent.key = key_of(what, part);
        intent.kind = "telegram.send";
        intent.effect_class = queue::effect_class::at_least_once;
        intent.request = boost::json::object{
            {"bot", base::raw(message.to.bot)},
            {"chat", base::raw(message.to.chat)},
            {"thread", base::raw(message.to.thread)},
            {"reply_to", base::raw(message.reply_to)},
            {"part", part + 1},
            {"text", message.text},
        };
        intents.push_back(std::move(intent));
    }
    return intents;
}

base::awaitable<delivery> deliver(queue::workflow flow, messenger& out, reply const& what) {
    delivery made{.state = "sent"};
    for (std::size_t part = 0; part < what.parts.size(); ++part) {
        // What is held here is the part before: committed before anything else is sent.
        if (part > 0) (void)co_await flow.commit();
        bool const going = made.state == "sent";
        bool const to_send = going && !flow.recorded(key_of(what, part));
        if (to_send) leave_to_a_node_with(out, what.to.bot);
        if (to_send)
            (void)co_await flow.admit(out.resource(what.to)); // without a limit to its patience
        bool in_doubt = false;
        auto send_it = [&] { return send(out, message_of(what, part), in_doubt); };
        // Chosen before: g++ 12 destroys a conditional temporary of a co_await expression twice.
        queue::step_function work = leave_out;
        if (going) work = send_it;
        auto sent = co_await flow.perform(key_of(what, part), going ? what.tries : once, work);
        if (sent) {
            ++made.sent;
            auto const id = sent->is_int64() ? sent->get_int64() : 0;
            if (part == 0 && id != 0) made.first = telegram_message_id{id};
        } else if (going) {
            bool const unknown = in_doubt || sent.error() == errc::ambiguous;
            made.state = unknown ? "unknown" : "failed";
            made.why = sent.error();
        }
    }
    co_return made;
}

} // namespace postrider::agent
