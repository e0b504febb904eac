#pragma once
// Options and words that commands of the spam filter share.
#include "agent/spam/rules.hpp"
#include "agent/spam/store/samples.hpp"
#include "server/cli/options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

// "--chat": a group's Telegram id; 0 = all groups.
option* add_spam_chat(option_parser& parser, std::int64_t& chat, std::string const& help);

// "--kind": spam, ham or stop_word.
option* add_spam_kind(option_parser& parser, std::string& kind);

// The default rules with each "KEY=VALUE" set; nothing, and it says why, where one cannot be.
std::optional<agent::spam::rules> spam_rules_of(
    context const& in, std::vector<std::string> const& assignments
);
// Of assignments that can be.
agent::spam::rules with_assignments(
    agent::spam::rules rules, std::vector<std::string> const& assignments
);

// Prints the sample's id and how it is undone.
void tell_lesson(context const& in, std::int64_t sample);

} // namespace postrider::cli
