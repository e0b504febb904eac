#pragma once
// What the nodes about spam do for one of their items: deeds, and words to the group and to the admin chat. All of it is done
// once, however often the execution runs. The run outlives it.
#include "agent/flow/node_run.hpp"
#include "agent/moderation/catch_notice.hpp"
#include "agent/moderation/clean_up.hpp"
#include "agent/moderation/deed.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// Of a parameter of the format duration.
std::chrono::seconds moderation_window(std::string_view text);

class moderator {
public:
    moderator(node_run& run, std::size_t number) : run_(run), number_(number) {}

    // A name of this item's own.
    std::string named(std::string_view step) const;

    // While the message can still be edited the graph begins anew, and this does not return.
    base::awaitable<std::vector<queue::step_value>> carry_out(address group, deed work);
    base::awaitable<cleaned_messages> clean_up(spam::caught_message caught);

    // One message for each catch; its buttons carry what was caught.
    base::awaitable<void> tell_admins(
        chat_id chat, spam::caught_message caught, catch_outcome outcome
    );
    // Whether the filter shall learn the text, and what that would change. A question of its own.
    base::awaitable<void> ask_to_learn(
        chat_id chat, spam::caught_message caught, spam::lesson_kind kind
    );
    // Why nothing is done about the message, as command_answers.hpp says it; "" = it may be done. What Telegram does not tell
    // for good protects nobody: it refuses the act by itself. Failures as of ask_authority() that may pass.
    base::awaitable<base::result<std::string_view>> protection_of(spam::stored_catch subject);
    // It goes again after that time; 0 = it stays.
    base::awaitable<void> say_to_group(
        address group, std::string text, std::chrono::milliseconds goes_after = {}
    );

private:
    base::awaitable<delivery> say_to_people(
        address place, std::string_view step, message_content content, int k
    );
    base::awaitable<bool> was_passed(std::string_view point);
    base::awaitable<std::string> title_of(address group);
    base::awaitable<spam::training_effect> effect_of(
        spam::caught_message const& caught, spam::lesson_kind kind
    );
    committing committer();

    node_run& run_;
    std::size_t number_;
};

} // namespace postrider::agent::flow
