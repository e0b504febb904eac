#pragma once
// What a person asks of a bot or a conversation by a word that begins with '/', whichever flow
// answers there. A flow whose trigger asks for the same command takes it instead. A command is answered
// next to the turns of its chat: it waits for none of them (flow/start/execution_unit.hpp). Pure.
#include "agent/language/notices.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace postrider::agent {

// What a command tells of the person: their usage of today, what waits for their approval, what they have set, or
// what becomes of the document that they sent with it.
enum class lookup { usage, approvals, settings, memories, knowledge };

struct command {
    using text = std::string language::notices::*; // in each language

    std::string_view name;      // with its '/'
    text description = nullptr; // for the list that Telegram shows: what it does
    text reply = nullptr;       // said once it is done, or where it cannot be done
    // The open conversation of the message's lane ends with this message and its reply: later turns
    // send a model nothing of it. Its rows stay.
    bool opens_conversation = false;
    // The turn that the person has in the chat, running or waiting, ends. The reply says that there was
    // none, where `ended` is what is said of one.
    bool ends_turn = false;
    text ended = nullptr;
    // Said where the only turn is another person's, which stays.
    text refused = nullptr;
    // What is said is looked up; the reply, where it cannot be read.
    std::optional<lookup> looks_up = {};
    // What is said is the flow's settings.help, or the reply where it has none, and all commands.
    bool tells_help = false;
    // Listed by Telegram in private chats alone; it is answered anywhere.
    bool is_private = false;
    bool is_listed = true; // by Telegram and /help; false: another name of a command that is
};

std::span<command const> commands() noexcept;

// Answers a message that nothing here can read, such as a voice message. It is no word that can be sent.
extern command const unread_message;

// "/help" of "/Help@fern_bot me": commands are ASCII, and their case does not count. "" when it is none.
std::string command_of(std::string_view text);
// What stands behind it: "Berlin" of "/settings  Berlin"; 200 bytes at most.
std::string argument_of(std::string_view text);
extern command const stop_command;

// Also unread_message. Null: no command of ours has that name.
command const* find_command(std::string_view name) noexcept;

} // namespace postrider::agent
