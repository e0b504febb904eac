#include "agent/language/command.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using language::notices;

constexpr command stopping_as(std::string_view name, bool is_listed) {
    return {
        .name = name,
        .description = &notices::does_stop,
        .reply = &notices::nothing_to_stop,
        .ends_turn = true,
        .ended = &notices::stopped,
        .refused = &notices::may_not_stop,
        .is_listed = is_listed};
}

constexpr command stopping = stopping_as("/stop", false);

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
    stopping_as("/cancel", true),
    stopping,
    command{
        .name = "/usage",
        .description = &notices::does_usage,
        .reply = &notices::no_usage,
        .looks_up = lookup::usage},
    command{
        .name = "/approvals",
        .description = &notices::does_approvals,
        .reply = &notices::approvals_unread,
        .looks_up = lookup::approvals},
    command{
        .name = "/settings",
        .description = &notices::does_settings,
        .reply = &notices::no_settings,
        .looks_up = lookup::settings},
    command{
        .name = "/memory",
        .description = &notices::does_memory,
        .reply = &notices::no_memories,
        .looks_up = lookup::memories},
    command{
        .name = "/knowledge",
        .description = &notices::does_knowledge,
        .reply = &notices::how_to_add_document,
        .looks_up = lookup::knowledge,
        .is_private = true},
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

std::string argument_of(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    constexpr std::size_t longest = 200;
    auto const end = text.find_first_of(blanks);
    auto const begin = end == text.npos ? end : text.find_first_not_of(blanks, end);
    if (begin == text.npos) return {};
    auto const last = text.find_last_not_of(blanks);
    return std::string(base::cut_at_character(text.substr(begin, last + 1 - begin), longest));
}

command const* find_command(std::string_view name) noexcept {
    if (name == unread_message.name) return &unread_message;
    auto const* const entry = std::ranges::find(all_commands, name, &command::name);
    return entry == all_commands.end() ? nullptr : entry;
}

} // namespace postrider::agent
