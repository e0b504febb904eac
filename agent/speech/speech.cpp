#include "agent/speech/speech.hpp"

#include "base/fault.hpp"
#include "base/html.hpp"
#include "base/log.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

namespace {

using namespace std::chrono_literals;
using base::errc;

using message_parts = std::vector<message_content>;

constexpr base::retry_policy once{
    .limit = 0,
    .delay = 0s,
    .backoff = base::backoff_shape::constant,
    .timeout = 1min,
    .total = std::nullopt};

// Long enough for the job to be parked.
constexpr auto stopped_pause = 3s;

std::string key_of(speech const& said, std::size_t part) {
    return part == 0 ? said.name : said.name + "#" + std::to_string(part + 1);
}

outgoing message_of(speech const& said, message_content part, std::size_t number) {
    outgoing message{said.to, std::move(part)};
    message.origin = said.origin;
    if (number > 0) return message;
    message.reply_to = said.answers;
    if (said.row) message.position = said.row->position;
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
queue::effect_class class_of(address const& chat) {
    using enum queue::effect_class;
    return chat.is_conversation() ? keyed : at_least_once;
}

base::awaitable<queue::step_value> leave_out() {
    co_return base::error(errc::refused, "not sent: an earlier part failed");
}

std::vector<queue::effect_intent> intents_of(speech const& said, message_parts const& parts) {
    std::vector<queue::effect_intent> intents;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        queue::effect_intent intent;
        intent.key = key_of(said, part);
        intent.kind = std::string(messenger_of(said.to)) + ".send";
        intent.effect_class = class_of(said.to);
        auto request = request_of(message_of(said, parts[part], part), part);
        bool const has_buttons = !parts[part].buttons.empty();
        if (has_buttons && !said.withdrawn.empty()) request["withdrawn"] = said.withdrawn;
        intent.request = std::move(request);
        intents.push_back(std::move(intent));
    }
    return intents;
}

std::string_view media_word(media_kind kind) {
    return kind == media_kind::photo ? "photo" : "document";
}

storage::message_row full_row(queue::job const& job, speaking speaker, speech const& said) {
    auto row = *said.row;
    row.job = job.id;
    if (row.conversation == conversation_id{}) row.conversation = job.conversation;
    if (row.id.empty()) row.id = base::nanoid(speaker.random);
    if (row.role.empty()) row.role = "assistant";
    if (row.content.empty()) row.content = history_text(said.content);
    row.origin = said.origin;
    row.delivery = "pending";
    if (said.answers != telegram_message_id{}) row.reply_to = said.answers;
    if (said.content.media) row.author.media = media_word(said.content.media->kind);
    auto const place = speaker.out.current(said.to);
    if (!place.is_conversation()) row.chat = place.chat;
    row.thread = place.thread;
    return row;
}

// What is said in another lane than the job's own stands there beside that lane's turns.
std::vector<storage::write> rows_of(queue::job const& job, speaking speaker, speech const& said) {
    if (!said.row) return {};
    auto const row = full_row(job, speaker, said);
    if (said.lane_key.empty())
        return {row.lane == job.lane ? add_message(row) : add_message_from_beside(row)};
    std::vector<storage::write> rows;
    if (row.chat)
        rows.push_back(storage::find_or_add_lane(
            {.key = said.lane_key, .bot = speaker.out.current(said.to).bot, .chat = *row.chat}
        ));
    rows.push_back(add_message_from_beside(row, said.lane_key));
    return rows;
}

base::awaitable<void> plan_parts(
    queue::workflow steps,
    speaking speaker,
    speech const& said,
    message_parts const& parts,
    committing commit
) {
    if (steps.planned(said.name)) co_return;
    queue::commit_with with;
    with.effects = intents_of(said, parts);
    with.writes = rows_of(steps.job(), speaker, said);
    if (commit)
        co_await commit(std::move(with));
    else
        (void)co_await steps.commit(std::move(with));
}

base::awaitable<delivery> deliver_parts(
    queue::workflow steps, speaking speaker, speech const& said, message_parts const& parts
) {
    delivery delivered{.state = "sent"};
    for (std::size_t part = 0; part < parts.size(); ++part) {
        // What is held here is the part before: committed before anything else is sent.
        if (part > 0) (void)co_await steps.commit();
        bool const going_on = delivered.state == "sent";
        bool const to_send = going_on && !steps.recorded(key_of(said, part));
        if (to_send && steps.is_read_only()) throw queue::suspended{}; // here the record ends
        if (to_send) {
            leave_to_a_node_serving(speaker.out, said.to);
            // Without a limit to its patience.
            (void)co_await steps.admit(speaker.out.resource(said.to));
        }
        auto send_part = [&] {
            auto message = message_of(said, parts[part], part);
            message.job = steps.job().id;
            message.key = steps.prefix() + key_of(said, part);
            return send(speaker.out, std::move(message));
        };
        // Chosen before: g++ 12 destroys a conditional temporary of a co_await expression twice.
        queue::step_function work = leave_out;
        if (going_on) work = send_part;
        auto sent = co_await steps.perform(key_of(said, part), going_on ? said.tries : once, work);
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
                    {{"job", steps.job().id}, {"state", delivered.state}, {"error", sent.error()}}
                );
        }
    }
    if (said.row)
        steps.add(storage::set_delivery(
            said.row->lane,
            steps.job().id,
            said.row->position,
            delivered.state,
            delivered.first,
            said.lane_key
        ));
    co_return delivered;
}

} // namespace

storage::message_row row_at(std::int64_t position, lane_id lane) {
    storage::message_row row;
    row.lane = lane;
    row.position = position;
    return row;
}

std::string history_text(message_content const& content) {
    return content.markup == text_markup::html ? base::html_unescaped(content.text) : content.text;
}

void leave_to_a_node_serving(messenger const& out, address const& chat) {
    if (!out.serves(chat))
        throw queue::not_here{
            "the node that took it does not have bot " + base::to_string(chat.bot) +
            " in its configuration, or Telegram refuses its token"};
}

queue::degradation degradation_of(delivery const& failed) {
    bool const is_unknown = failed.state == "unknown";
    auto const reason = is_unknown ? degraded_by::delivery_unknown : degraded_by::undelivered;
    return degradation_of(reason, failed.error);
}

std::string last_key_of(messenger const& out, speech const& said) {
    return key_of(said, out.split(said.to, said.content).size() - 1);
}

base::awaitable<delivery> say(
    queue::workflow steps, speaking speaker, speech said, committing commit
) {
    auto const parts = speaker.out.split(said.to, said.content);
    co_await plan_parts(steps, speaker, said, parts, std::move(commit));
    co_return co_await deliver_parts(steps, speaker, said, parts);
}

base::awaitable<void> plan(queue::workflow steps, speaking speaker, speech const& said) {
    auto const parts = speaker.out.split(said.to, said.content);
    co_await plan_parts(steps, speaker, said, parts, committing());
}

base::awaitable<delivery> deliver(queue::workflow steps, speaking speaker, speech const& said) {
    auto const parts = speaker.out.split(said.to, said.content);
    co_return co_await deliver_parts(steps, speaker, said, parts);
}

} // namespace postrider::agent
