#include "server/telegram/simulated_methods.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace postrider::telegram {

namespace {

using base::json_reader;
using json_object = base::json::object;

constexpr std::size_t longest_data = 64;
constexpr std::size_t longest_note = 200;
constexpr std::size_t most_commands = 100;
constexpr std::size_t longest_command = 32;
constexpr std::size_t longest_description = 256;

bool allowed_in_command(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

simulated_answer answer_callback_query(desk const& desk) {
    base::json::value const params = desk.call.params;
    json_reader const from{params};
    if (from["text"].string_or("").size() > longest_note)
        return simulated_answer::failure(400, "MESSAGE_TOO_LONG");
    if (!desk.chats.answer(from["callback_query_id"].string_or("")))
        return simulated_answer::failure(
            400, "query is too old and response timeout expired or query ID is invalid"
        );
    return simulated_answer::ok(true);
}

// Those of a scope and a language are a list of their own.
base::json::array& listed_commands(desk const& desk) {
    base::json::value const params = desk.call.params;
    json_reader const asked{params};
    auto const scope = asked["scope"]["type"].string_or("default");
    return desk.chats.commands_of(
        desk.bot.id, std::string(scope) + ' ' + std::string(asked["language_code"].string_or(""))
    );
}

simulated_answer get_my_commands(desk const& desk) {
    return simulated_answer::ok(listed_commands(desk));
}

simulated_answer set_my_commands(desk const& desk) {
    base::json::value const params = desk.call.params;
    base::json::array commands;
    for (auto const& each : json_reader{params}["commands"].items_or_none()) {
        auto const name = each["command"].string_or("");
        auto const description = each["description"].string_or("");
        if (name.empty() || name.size() > longest_command ||
            !std::ranges::all_of(name, allowed_in_command))
            return simulated_answer::failure(400, "BOT_COMMAND_INVALID");
        if (description.empty() || description.size() > longest_description)
            return simulated_answer::failure(400, "BOT_COMMAND_DESCRIPTION_INVALID");
        commands.push_back(json_object{{"command", name}, {"description", description}});
    }
    if (commands.size() > most_commands)
        return simulated_answer::failure(400, "BOT_COMMANDS_TOO_MUCH");
    listed_commands(desk) = std::move(commands);
    return simulated_answer::ok(true);
}

constexpr simulated_method methods_of_presses[]{
    {"answerCallbackQuery", answer_callback_query},
    {"getMyCommands", get_my_commands},
    {"setMyCommands", set_my_commands},
};

} // namespace

std::string buttons_of(desk const& desk) {
    auto const* markup = desk.call.params.if_contains("reply_markup");
    return markup ? base::json::serialize(*markup) : std::string{};
}

std::optional<simulated_answer> refuse_buttons(desk const& desk) {
    base::json::value const params = desk.call.params;
    for (auto const& row : json_reader{params}["reply_markup"]["inline_keyboard"].items_or_none()) {
        for (auto const& button : row.items_or_none()) {
            if (button["text"].string_or("").empty())
                return simulated_answer::failure(
                    400,
                    "can't parse inline keyboard button: Text buttons are unallowed in the inline "
                    "keyboard"
                );
            if (button["callback_data"].string_or("").size() > longest_data)
                return simulated_answer::failure(400, "BUTTON_DATA_INVALID");
        }
    }
    return std::nullopt;
}

std::span<simulated_method const> press_methods() {
    return methods_of_presses;
}

} // namespace postrider::telegram
