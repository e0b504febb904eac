#include "agent/language/command.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

constexpr std::string_view usual_help = "Write to me in plain words, and I answer. You can also "
                                        "send a picture, and reply to an earlier "
                                        "message to say which one you mean.";

constexpr command stopping{
    .name = "/stop",
    .description = "Stop what I am doing for you",
    .reply = "I am not doing anything for you now.",
    .ends_turn = true,
    .ended = "I stopped. Nothing more comes of that message.",
    .refused = "Only the person who asked, or an owner of this bot, can stop it."};

constexpr std::array all_commands{
    command{
        .name = "/start",
        .description = "Say what this bot does",
        .reply = usual_help,
        .tells_help = true,
        .is_private = true},
    command{
        .name = "/help",
        .description = "Say what this bot does, and list its commands",
        .reply = usual_help,
        .tells_help = true},
    command{
        .name = "/new",
        .description = "Begin a new conversation",
        .reply = "A new conversation begins. I no longer look at what was said before.",
        .opens_conversation = true,
        .ends_turn = true,
        .ended =
            "I stopped what I was doing. A new conversation begins, and I no longer look at what "
            "was said before."},
    stopping,
    command{
        .name = "/usage",
        .description = "Show what you used today",
        .reply = "I cannot read your usage now. Please ask again later.",
        .tells_usage = true},
};

} // namespace

command const unread_message{
    .name = "(unread)",
    .description = {},
    .reply =
        "I cannot use this kind of message. I understand text and pictures: please write to me "
        "what you need."};

command const stop_command = stopping;

std::span<command const> commands() noexcept {
    return all_commands;
}

std::string command_of(std::string_view text) {
    if (!text.starts_with('/')) return {};
    return base::to_lower(std::string(text.substr(0, text.find_first_of("@ \r\n\t"))));
}

command const* find_command(std::string_view name) noexcept {
    if (name == unread_message.name) return &unread_message;
    auto const* const found = std::ranges::find(all_commands, name, &command::name);
    return found == all_commands.end() ? nullptr : found;
}

} // namespace postrider::agent
