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
#include "agent/speech/speech.hpp"
#include "agent/talk/press.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct question {
    std::string name = "ask"; // of its steps and effects
    address to = {};
    std::string text = {};
    text_markup markup = text_markup::none;
    std::string_view language = {}; // of the person; of an unknown one, English
    // What it becomes when its job ends before the answer; "" = the text, and that it is no longer open.
    std::string withdrawn = {};
    std::vector<std::vector<choice>> choices = {}; // rows
    std::optional<user_id> only = {};              // who answers; none = whoever is listened to
    std::vector<user_id> people = {}; // who alone do, not even owners; empty = by `only`
    std::chrono::milliseconds timeout = std::chrono::hours{24};
    telegram_message_id answers{}; // as speech::answers
    // A message of the lane that is a choice's text answers it, too; any other one of who is asked ends the wait.
    bool in_words = false;
    // Any message of `only` does, unless it is a command: press::words. Needs no choices.
    bool any_words = false;
    // Whose words count beside those of `only`, as their presses do; empty = nobody's.
    std::function<bool(bot_id, user_id)> is_owner = {};
    base::retry_policy tries = sending;
    storage::message_origin origin = storage::message_origin::engine; // who asks
    // Its place in a history, as of a speech.
    std::optional<storage::message_row> row = {};
    std::string lane_key = {};
    // Private chats where the same question stands: the first press decides, and only these people
    // answer it. One that cannot be reached is passed over. Their copies are NAME-to-1, NAME-to-2, …; each stands in its chat's
    // history at that position.
    std::vector<address> copies = {};
    std::int64_t copies_position = 0;
    // Rows for the commit that opens it, given its id; called at most once in a run.
    std::function<std::vector<storage::write>(std::string_view id)> with_it = {};
};

// Where its buttons are.
struct sent_question {
    std::string name; // of its effects
    address at = {};
    telegram_message_id message{}; // 0 = it was sent nowhere, or the number was not told
    bool was_reached = false;      // of a copy: it may be there
};

struct asked_question {
    std::string name;
    std::string id;
    base::sys_time until{}; // once it was sent
    sent_question sent = {};
    std::vector<sent_question> copies = {};
    std::optional<user_id> only = {};
    std::vector<user_id> people = {};
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

// Parks until somebody presses; errc::timeout. Where words answer as well: stale, another message of who
// is asked came, which has a turn of its own. What others say waits for its turn.
base::awaitable<base::result<press>> wait_for_press(
    queue::workflow steps, base::clock const& clock, asked_question const& asked, int turn = 0
);
// What a wait for a press of it is, named NAME-press, NAME-press-2, …: `turn` tells several waits for a
// question that stays open apart.
queue::awaited_event press_of(asked_question const& asked, base::clock const& clock);
std::string press_step(asked_question const& asked, int turn);

// Says something more wherever the question stands: NAME-PART, and NAME-PART-1, … to the copies. It stands
// at that position of their histories, for people alone.
base::awaitable<void> say_more(
    queue::workflow steps,
    asking with,
    asked_question const& asked,
    std::string_view part,
    std::string text,
    std::int64_t position
);

// Puts the question as it is by now in the place of what was sent, say with fewer buttons. Nothing
// depends on it, so a failure is only recorded.
base::awaitable<void> show_again(
    queue::workflow steps, messenger& out, asked_question const& asked, question const& question
);

// Puts what came of it in the place of the question and its buttons, and of its copies. Nothing depends on
// it, so a failure is only recorded. Of a question that was sent nowhere: nothing.
base::awaitable<void> show_outcome(
    queue::workflow steps, messenger& out, asked_question const& asked, message_content content
);

// A row for a commit: presses no longer answer it.
storage::write close(asked_question const& asked);

} // namespace postrider::agent
