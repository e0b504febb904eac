#pragma once
// The verdict on a message: every check with its score, weight and reason, and their sum. Pure and deterministic.
//
// The rule: each check that is on gives score times weight points. Scores are between -1 and 1, so a check gives its weight
// at most. A message is spam when its points reach the threshold (100 by default). A check with a weight of 100 decides
// alone at a full score; weaker ones need others. Evidence for the message is subtracted, but not from what repetitions give
// (duplicates, copies, flood) or the album: a harmless text is no excuse for sending it again and again. Only a model's word is.
#include "agent/spam/knowledge.hpp"
#include "agent/spam/message.hpp"
#include "agent/spam/outside.hpp"
#include "agent/spam/recent_messages.hpp"
#include "agent/spam/rules.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

struct check_result {
    std::string_view check;
    double score = 0;
    int weight = 0;
    double points = 0;
    std::string reason; // "" = it has nothing to say
};

struct verdict {
    bool is_spam = false;
    double points = 0;
    int threshold = 0;
    std::vector<check_result> results; // of the checks that are on, in the order of checks()

    // The strongest reasons for the decision, one sentence: "Spam: it has 6 emoji; it has 2 links".
    std::string reason() const;
};

// Someone new is judged by every check, an approved member only by the checks of all members, those of repetitions. Of a reaction,
// those alone look that look at reactions.
enum class scrutiny : std::uint8_t { whole, repetitions };

verdict judge(
    message const& message,
    knowledge const& knowledge,
    rules const& rules = {},
    recent_messages const& recent = {},
    scrutiny scrutiny = scrutiny::whole,
    outside_answers const& outside = {}
);

// The verdict with a model's word on the message, if the check "model" is one of its results.
verdict with_opinion(verdict base, rules const& rules, opinion const& opinion);

// The text that is judged: of a reply to another chat what it cites, too.
std::string judged_text(message const& message);

} // namespace postrider::agent::spam
