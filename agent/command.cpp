#include "agent/command.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

constexpr std::array all_commands{
    command{
        .name = "/new",
        .description = "Begin a new conversation",
        .reply = "A new conversation begins. I no longer look at what was said before.",
        .opens_conversation = true},
    command{
        .name = "/usage",
        .description = "Show what you used today",
        .reply = "I cannot read your usage now. Please ask again later.",
        .tells_usage = true},
};

} // namespace

std::span<command const> commands() noexcept {
    return all_commands;
}

std::string_view command_of(std::string_view text) noexcept {
    if (!text.starts_with('/')) return {};
    return text.substr(0, text.find_first_of("@ \r\n\t"));
}

command const* find_command(std::string_view name) noexcept {
    auto const* const found = std::ranges::find(all_commands, name, &command::name);
    return found == all_commands.end() ? nullptr : found;
}

} // namespace postrider::agent
