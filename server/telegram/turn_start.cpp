#include "server/telegram/turn_start.hpp"

#include "agent/flow/start/command_start.hpp"
#include "agent/language/command.hpp"
#include "agent/talk/address.hpp"

namespace postrider::telegram {

namespace {

agent::flow::execution_input input_of(to_job const& job, chosen_flow const& chosen) {
    agent::flow::execution_input input;
    input.flow = chosen.flow;
    input.version = chosen.version;
    input.trigger = chosen.trigger;
    input.agent = job.agent;
    input.heard = job.heard;
    return input;
}

// The flow has the message as it is. A customer of a business account commands nothing.
bool is_taken(to_job const& job, chosen_flow const& chosen) {
    bool const is_file_alone = job.heard.file && job.command == agent::unread_message.name;
    return chosen.asks_for_command || (chosen.takes_files && is_file_alone) ||
           agent::is_business(job.heard.from.chat);
}

} // namespace

storage::lane_row lane_of(to_job const& job, chosen_flow const& chosen) {
    storage::lane_row lane;
    lane.bot = job.heard.from.bot;
    lane.manner = chosen.manner.value_or(job.manner);
    lane.key = chosen.lane_key;
    if (!lane.key.empty()) return lane;
    lane.key = job.lane_key;
    lane.chat = job.heard.from.chat;
    return lane;
}

std::optional<album_part> part_of(to_job const& job) {
    if (job.album.empty()) return std::nullopt;
    album_part part;
    part.album = storage::key_of_album(agent::place_of(job.heard.from), job.album);
    if (!job.heard.wordless) part.words = job.text;
    return part;
}

std::optional<storage::album_message> joining_part(to_job const& job) {
    auto const part = part_of(job);
    if (!part) return std::nullopt;
    agent::flow::execution_input input;
    input.heard = job.heard;
    storage::album_message message;
    message.album = part->album;
    message.input = agent::flow::to_json(input);
    message.words = part->words;
    message.wordless = image_without_words;
    return message;
}

storage::message_row message_of(to_job const& job, base::random_source& random) {
    storage::message_row message;
    message.id = base::nanoid(random);
    message.role = job.is_said_for_us ? "assistant" : "user";
    message.content = job.text;
    message.telegram_message = job.heard.message;
    message.chat = job.heard.from.chat;
    message.thread = job.heard.from.thread;
    message.sender = job.heard.user;
    message.origin = storage::message_origin::person;
    message.sender_chat = job.circumstances.sender_chat;
    message.sender_name = job.circumstances.sender;
    message.author = job.circumstances.author;
    message.reply_to = job.circumstances.reply_to;
    message.sent_at = job.circumstances.sent_at;
    return message;
}

agent::flow::execution_start start_of(
    to_job const& job, chosen_flow const& chosen, bool is_owner, base::random_source& random
) {
    namespace flow = agent::flow;
    auto input = input_of(job, chosen);
    flow::execution_start start;
    start.lane = lane_of(job, chosen);
    bool const may_command = !is_taken(job, chosen);
    // Behind the answers to what came before. Where a message may take the place of others, it would answer those.
    bool const waits_its_turn = may_command && job.command == agent::unread_message.name &&
                                start.lane.manner.mailbox == storage::lane_manner{}.mailbox;
    if (waits_its_turn) input.command = job.command;
    start.job.kind = flow::turn_kind;
    start.job.input = flow::to_json(input);
    start.job.deadline = chosen.deadline;
    start.message = message_of(job, random);
    if (may_command && !waits_its_turn)
        start.command = flow::command_in(job.text, job.command, input, is_owner);
    // Where each part of an album is a message of its own, a command waits for the others all the same.
    if (start.command && job.heard.seen.contains("album"))
        start.command->job.input.as_object()["album"] = true;
    return start;
}

} // namespace postrider::telegram
