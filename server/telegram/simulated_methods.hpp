#pragma once
// The calls of a simulated Bot API that are about buttons, members and commands, answered as the real
// ones are.
#include "server/telegram/simulated_api.hpp"

namespace postrider::telegram {

// What the methods work on.
struct desk {
    simulated_call& call;
    simulated_bot const& bot;
    simulated_deliveries& updates;
    simulated_chats& chats;
    base::clock& clock;
};

// Where the call's messages are: those of a business account's chat are not those of the customer's own chat with
// the bot. And why the bot may not write there.
chat_id place_of(desk const& desk);
std::optional<simulated_answer> refuse_place(desk const& desk);

// The call's inline keyboard, as JSON; "" = none. And what is wrong with it.
std::string buttons_of(desk const& desk);
std::optional<simulated_answer> refuse_buttons(desk const& desk);

std::span<simulated_method const> press_methods(); // and of commands
std::span<simulated_method const> group_methods();
std::span<simulated_method const> business_methods();

} // namespace postrider::telegram
