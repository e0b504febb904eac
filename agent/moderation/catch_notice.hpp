#pragma once
// What the admin chat is told of a catch, and the buttons below it. A button's data names what was caught: a press of it
// needs no row, and never grows old. Whether the presser may is asked when it is pressed. Pure.
#include "agent/spam/preview.hpp"
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/samples.hpp"
#include "agent/talk/content.hpp"
#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent {

enum class catch_choice : std::uint8_t {
    not_spam,
    ban,
    reasons,
    // Below the question whether the filter shall learn a text.
    learn_spam,
    learn_ham,
    leave,
};

struct catch_press {
    catch_choice choice{};
    spam::catch_key key;
};

std::string catch_button_data(catch_choice choice, spam::catch_key const& key);
// Nothing: the data is of no such button.
std::optional<catch_press> read_catch_button(std::string_view data);

// What became of the actions: what Telegram did, and what it refused.
struct catch_outcome {
    bool is_deleted = false;
    bool is_acted_on = false; // banned or restricted
    std::optional<base::error> delete_error = {};
    std::optional<base::error> act_error = {}; // of the ban or the restriction
    std::size_t cleaned = 0;                   // other messages of the author that were deleted
    std::optional<base::error> clean_error = {};
};

message_content catch_notice(spam::caught_message const& caught, catch_outcome const& outcome);

// What was said in its place once somebody has decided: "Not spam: Ada unbanned the author."
message_content decided_notice(spam::caught_message const& caught, std::string_view decision);

// Whether the filter shall learn the text, and what that would change.
message_content training_question(
    spam::caught_message const& caught, spam::lesson_kind kind, spam::training_effect const& effect
);

// Every check that said something, the strongest first. Of a person's word: whose.
std::string reasons_of(spam::caught_message const& caught);

} // namespace postrider::agent
