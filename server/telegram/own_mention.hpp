#pragma once
// What a person wrote to the bot, without the @name by which they spoke to it: "@fern_bot yes" is
// "yes", "/report@fern_bot now" is "/report now". What a person addresses a bot by is no part of what
// they ask, and whoever reads the text (rules, waits for an answer, flows) does not know the name. Pure.
#include "server/telegram/update.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::telegram {

// Removes those marks that are of the bot, wherever they stand, with the blanks and the comma that
// belonged to them; of a command its @name alone. The name has no case. The text comes back as it is
// where nothing else is in it, where the bot's name is not known yet (""), and where no mark is the
// bot's: one that does not fit the text counts for nothing.
std::string without_own_mention(
    std::string text, std::vector<text_mark> marks, std::string_view username
);

} // namespace postrider::telegram
