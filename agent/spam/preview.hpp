#pragma once
// What a training would change: the same texts judged before and after it. Pure.
#include "agent/spam/knowledge.hpp"
#include "agent/spam/rules.hpp"

#include <span>
#include <string>
#include <vector>

namespace postrider::agent::spam {

struct changed_text {
    std::string text;
    double points_before = 0;
    double points_after = 0;
    bool was_spam = false;
    bool is_spam = false;
};

struct training_effect {
    changed_text itself;               // the sample's own text
    std::size_t judged = 0;            // other texts
    std::vector<changed_text> changed; // those of them whose verdict changes
};

// What is known before the training, and after it.
struct training {
    knowledge const& before;
    knowledge const& after;
    std::string const& text; // of the sample
};

// Texts that are equal are judged once.
training_effect preview(
    training const& training, std::span<std::string const> texts, rules const& rules = {}
);

} // namespace postrider::agent::spam
