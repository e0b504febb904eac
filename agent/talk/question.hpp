#pragma once
// A question with buttons, and the press that answers it:
//
//     auto asked = co_await ask(steps, with, {.to = chat, .text = "Ban Eve?",
//                                   .choices = {{{"Ban", "ban"}, {"No", "no"}}}, .timeout = 10min});
//     auto press = co_await wait_for_press(steps, with.clock, *asked);   // user, choice, message
//
// The question stands open in the database before it is sent, so that no press comes too early; its
// time counts from when it was sent, however long that took. A
// press becomes an event of the asking job in the commit that takes it in, once: from the place
// where it was asked, by the one who is asked or an owner. Whoever presses is answered by the
// intake at once; a press that comes late, again or from elsewhere changes nothing.
#include "agent/talk/messenger.hpp"
#include "agent/talk/reply.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"
#include "storage/stores/messages.hpp"
#include "storage/stores/questions.hpp"

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

// Buttons for these texts, each with its number from 0 on as the value: a text may be longer than a button's
// data. Up to three stand in one row, more one below the other.
std::vector<std::vector<choice>> numbered_choices(std::vector<std::string> const& texts);

struct question {
    std::string name = "ask"; // of its steps and effects
    address to = {};
    std::string text = {};
    text_markup markup = text_markup::none;
    std::vector<std::vector<choice>> choices = {}; // rows
    std::optional<user_id> only = {};              // who answers; none = whoever is listened to
    std::vector<user_id> people = {}; // or these alone, wherever they press; empty = as `only`
    std::chrono::milliseconds timeout = std::chrono::hours{24};
    telegram_message_id answers{}; // as reply::answers
    // A message of the lane that is a choice's text answers it, too; any other one ends the wait.
    bool in_words = false;
    // Any message of `only` does, unless it is a command: press::words. Needs no choices.
    bool any_words = false;
    // Whose words count beside those of `only`, as their presses do; empty = nobody's.
    std::function<bool(bot_id, user_id)> is_owner = {};
    base::retry_policy tries = sending;
    storage::message_origin origin = storage::message_origin::engine; // who asks
    // Its row in the history of the job's lane, or of the lane of that key; none = in no history.
    std::optional<storage::message_row> said = {};
    std::string said_in = {};
    // Rows for the commit that opens it, given its id; called at most once in a run.
    std::function<std::vector<storage::write>(std::string_view id)> with_it = {};
};

struct asked_question {
    std::string name;
    std::string id;
    base::sys_time until{};        // once it was sent
    telegram_message_id message{}; // that has the buttons; 0 = not told
    address at = {};
    std::optional<user_id> only = {};
    std::vector<choice> words = {}; // that answer it
    bool any_words = false;         // all do
    std::function<bool(bot_id, user_id)> is_owner = {};
    messenger const* out = nullptr; // by which it was asked
};

// What asking needs from the composition root.
struct asking {
    messenger& out;
    base::clock& clock;
    base::random_source& random;
};

struct press {
    user_id user{};
    std::string name; // of the user, as shown
    telegram_message_id message{};
    std::string choice;     // the value; "" where words of one's own were the answer
    std::string id;         // for messenger::answer_press, who has been answered once
    std::string words = {}; // of one's own
    bool in_words = false;  // a message of the lane, which stands in its history
};

// Opens the question and sends it; where it has no place (address::is_complete) it is only opened,
// for whoever answers by other means. One that cannot be sent is closed again. Errors as
// messenger::send(); invalid: a value is too long. Throws queue::not_here as deliver() does.
base::awaitable<base::result<asked_question>> ask(
    queue::workflow steps, asking with, question question
);

// The two halves of ask(), for a caller that has to know what was opened and not sent.
base::awaitable<base::result<asked_question>> open(
    queue::workflow steps, asking with, question const& question
);
base::awaitable<base::result<void>> send(
    queue::workflow steps, asking with, question const& question, asked_question& opened
);

// Parks until somebody presses; errc::timeout. Where words answer as well: stale, another message
// came, which has a turn of its own. `turn` tells several waits for a question that stays
// open apart.
base::awaitable<base::result<press>> wait_for_press(
    queue::workflow steps, base::clock const& clock, asked_question const& asked, int turn = 0
);
// What a wait for a press of it is, named NAME-press, NAME-press-2, …
queue::awaited_event press_of(asked_question const& asked, base::clock const& clock);
std::string press_step(asked_question const& asked, int turn);

// What is sent of it, with the buttons.
message_content content_of(question const& asked, std::string_view id);

// Puts the question as it is by now in the place of what was sent, say with fewer buttons. Nothing
// depends on it, so a failure is only recorded.
base::awaitable<void> show_again(
    queue::workflow steps, messenger& out, asked_question const& asked, question const& question
);

// Puts the content in the place of the question and its buttons: what came of it. Nothing depends on
// it, so a failure is only recorded. Of a question that was sent nowhere: nothing.
base::awaitable<void> show_outcome(
    queue::workflow steps, messenger& out, asked_question const& asked, message_content content
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
// What whoever pressed is told; "" = nothing, it was taken.
std::string_view note_of(storage::press_outcome outcome) noexcept;

} // namespace postrider::agent
