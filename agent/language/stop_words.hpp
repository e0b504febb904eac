#pragma once
// The word that stops a turn, said alone: "stop", "Halt!", "хватит". It asks for what /stop asks for, where
// the person has a turn; where there is none it is a message like any other. Every word of the message
// must belong to it: "stop the timer" and "stop?" are no stop words. Pure.
#include <string_view>

namespace postrider::agent {

namespace language {
struct lexicon;
}

// The language whose word the message is; null: it is none.
language::lexicon const* find_stop_word(std::string_view message);

} // namespace postrider::agent
