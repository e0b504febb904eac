#include "agent/language/command.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using language::notices;

constexpr command stopping{
    .name = "/stop",
    .description = &notices::does_stop,
    .reply = &notices::nothing_to_stop,
    .ends_turn = true,
    .ended = &notices::stopped,
    .refused = &notices::may_not_stop};

constexpr std::array all_commands{
    command{
        .name = "/start",
        .description = &notices::does_start,
        .reply = &notices::help,
        .tells_help = true,
        .is_private = true},
    command{
        .name = "/help",
        .description = &notices::does_help,
        .reply = &notices::help,
        .tells_help = true},
    command{
        .name = "/new",
        .description = &notices::does_new,
        .reply = &notices::new_conversation,
        .opens_conversation = true,
        .ends_turn = true,
        .ended = &notices::stopped_for_new},
    stopping,
    command{
        .name = "/usage",
        .description = &notices::does_usage,
        .reply = &notices::no_usage,
        .tells_usage = true},
};

} // namespace

command const unread_message{.name = "(unread)", .reply = &notices::unread};

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
    auto const* const entry = std::ranges::find(all_commands, name, &command::name);
    return entry == all_commands.end() ? nullptr : entry;
}

} // namespace postrider::agent
