#pragma once
// A question with buttons, and the press that answers it:
//
//     auto asked = co_await ask(steps, out, random, {.to = chat, .text = "Ban Eve?",
//                                   .choices = {{{"Ban", "ban"}, {"No", "no"}}}, .timeout = 10min});
//     auto press = co_await wait_for_press(steps, *asked);   // user, choice, message
//
// The question stands open in the database before it is sent, so that no press comes too early. A
// press becomes an event of the asking job in the commit that takes it in, once: from the place
// where it was asked, by the one who is asked or an owner. Whoever presses is answered by the
// intake at once; a press that comes late, again or from elsewhere changes nothing.
#include "agent/messenger.hpp"
#include "agent/reply.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct choice {
    std::string text;  // on the button
    std::string value; // comes back: most_choice_value bytes
    // False: a press of it leaves the question open, say one that shows more.
    bool closes = true;
};
// A question's id is 21 bytes of a button's data, and a mark.
inline constexpr std::size_t most_choice_value = most_button_data - 22;

struct question {
    std::string name = "ask"; // of its steps and effects
    address to = {};
    std::string text = {};
    text_markup markup = text_markup::none;
    std::vector<std::vector<choice>> choices = {}; // rows
    std::optional<user_id> only = {};              // who answers; none = whoever is listened to
    std::chrono::milliseconds timeout = std::chrono::hours{24};
    telegram_message_id answers{}; // as reply::answers
    base::retry_policy tries = sending;
    // Rows for the commit that opens it, given its id; called at most once in a run.
    std::function<std::vector<storage::write>(std::string_view id)> with_it = {};
};

struct asked_question {
    std::string name;
    std::string id;
    std::chrono::milliseconds timeout{};
    telegram_message_id message{}; // that has the buttons; 0 = not told
};

struct press {
    user_id user{};
    std::string name; // of the user, as shown
    telegram_message_id message{};
    std::string choice; // the value
    std::string id;     // for messenger::answer_press, who has been answered once
};

// Opens the question and sends it; where it has no place (address::is_complete) it is only opened,
// for whoever answers by other means. Errors as messenger::send(); invalid: a value is too long.
// Throws queue::not_here as deliver() does.
base::awaitable<base::result<asked_question>> ask(
    queue::workflow steps, messenger& out, base::random_source& random, question question
);

// Parks until somebody presses; errc::timeout. `turn` tells several waits for a question that stays
// open apart.
base::awaitable<base::result<press>> wait_for_press(
    queue::workflow steps, asked_question const& asked, int turn = 0
);

// A row for a commit: presses no longer answer it.
storage::write close(asked_question const& asked);

// The seam to what takes presses in. Where an address stands for all who speak there:
// "BOT:CHAT" or "chat:CONVERSATION".
std::string place_of(address const& at);
std::string data_of(std::string_view question, choice const& choice);
struct button_data {
    std::string question; // "" = the data is of no question
    std::string value;
    bool closes = true;
};
button_data read_button_data(std::string_view data);
boost::json::object to_json(press const& press, address const& at);

} // namespace postrider::agent
