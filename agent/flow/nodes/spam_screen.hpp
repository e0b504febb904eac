#pragma once
// Looks at one message of a group: whether it is checked at all, by which checks, and what they say. It reads who the author is and
// what the group has learned, and asks for the administrators and CAS where that decides.
#include "agent/flow/node_run.hpp"
#include "agent/flow/nodes/spam_item.hpp"
#include "agent/flow/nodes/spam_look.hpp"
#include "agent/spam/rules.hpp"
#include "agent/spam/store/samples.hpp"
#include "agent/spam/store/verdicts.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace postrider::agent::flow {

// As the node's parameters have it.
struct screen_settings {
    spam::rules rules;
    spam::sample_choice samples = spam::sample_choice::both;
    int enough = 1; // messages that approve
    bool checks_edits = true;
};

// invalid: a rule cannot be.
base::result<screen_settings> screen_settings_from(boost::json::object const& parameters);

spam::judged_message judged_of(spam_item const& item);

// Failures of the database; and of the messenger, where it cannot say whether the author of spam is an administrator and may do so
// later. What it says for good counts as "nobody is". A failure of CAS is none.
base::awaitable<base::result<spam_look>> screen(
    node_run& run, spam_item const& item, screen_settings const& settings
);

// What a model sees of the chat with the message: what was said before it, the oldest first; nothing where it cannot be read. It stands in no record: it has
// the words of others.
base::awaitable<std::vector<std::string>> lines_before(
    node_run& run, spam_item const& item, spam::rules const& rules
);

} // namespace postrider::agent::flow
