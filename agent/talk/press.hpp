#pragma once
// What comes back of a question's buttons: the data of a button, and the press of it, which is an event
// for the job that asked (agent/speech/question.hpp). Whoever takes presses in reads them here. Pure.
#include "agent/talk/address.hpp"
#include "agent/talk/messenger.hpp"
#include "base/error.hpp"
#include "storage/stores/questions.hpp"

#include <boost/json/object.hpp>

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

// Buttons for these texts, each with its number from 0 on as the value: a text may be longer than a button's
// data. Up to three stand in one row, more one below the other.
std::vector<std::vector<choice>> numbered_choices(std::vector<std::string> const& texts);

// The mark of whether it closes the question, and the value: as the question's row has it.
std::string marked_value(choice const& choice);
std::string data_of(std::string_view question, choice const& choice);
struct button_data {
    std::string question; // "" = the data is of no question
    std::string value;
    bool closes = true;
};
button_data read_button_data(std::string_view data);

struct press {
    user_id user{};
    std::string name; // of the user, as shown
    telegram_message_id message{};
    std::string choice;     // the value; "" where words of one's own were the answer
    std::string id;         // for messenger::answer_press, who has been answered once
    std::string words = {}; // of one's own
    bool in_words = false;  // a message of the lane, which stands in its history
    address at = {};        // where it was
};

// The members of the address, "user", "name", "message", "choice" and "press".
boost::json::object to_json(press const& press, address const& place);
// invalid: it is no such event.
base::result<press> press_from(boost::json::value const& event);

// Where an address stands for all who speak there: "BOT:CHAT" or "chat:CONVERSATION".
std::string place_of(address const& place);
// The address of such a text; it names no place where that is another text.
address address_at(std::string_view place);

} // namespace postrider::agent
