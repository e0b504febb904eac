#pragma once
// A check of the filter is one value in a file of its own under checks/, and a line in checks.def. It looks at one message
// and gives a score with the reason in plain English. Pure: what a check knows of other messages is given to it.
#include "agent/spam/knowledge.hpp"
#include "agent/spam/message.hpp"
#include "agent/spam/normal_text.hpp"
#include "agent/spam/outside.hpp"
#include "agent/spam/recent_messages.hpp"
#include "agent/spam/rules.hpp"
#include "base/setting.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

struct check_input {
    spam::message const& message;
    normal_text const& text; // what is judged of it
    spam::knowledge const& knowledge;
    spam::recent_messages const& recent; // before this one
    check_settings const& settings;
    outside_answers const& outside;
};

struct finding {
    double score = 0;   // 1: all that this check looks for; below 0: speaks for the message
    std::string reason; // "" with a score of 0
};

struct check {
    std::string_view name;      // in rules and verdicts
    std::string_view looks_for; // a sentence for people
    bool on = true;
    int weight = 0;
    std::vector<base::setting> parameters =
        {}; // their keys without the check's name; integer or words
    finding (*look)(check_input const& input) = nullptr;
    // Says nothing of texts that are shorter than the check "length" lets pass.
    bool needs_length = false;
    // Looks at what approved members write, too.
    bool of_all_members = false;
    // Looks at reactions, too.
    bool of_reactions = false;
};

// Whether the check "length" lets checks compare the text's words; settings are those of that check.
bool is_long_enough(normal_text const& text, check_settings const& settings);

// In the order of verdicts.
std::vector<check const*> const& checks();

} // namespace postrider::agent::spam
