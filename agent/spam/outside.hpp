#pragma once
// What others say of a message or its author, as the filter was told: a register of spammers, a model. A value; asking them is not
// the filter's work, and what nobody said counts for nothing.
#include <optional>
#include <string>

namespace postrider::agent::spam {

// A model's word on a message.
struct opinion {
    bool is_spam = false;
    std::string reason; // the model's words

    bool operator==(opinion const&) const = default;
};

struct outside_answers {
    bool is_registered = false; // the author, as a spammer
    std::optional<spam::opinion> opinion = {};
};

} // namespace postrider::agent::spam
