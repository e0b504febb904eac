#pragma once
// Whether words are a form, from the first to the last. Private to agent/language. Pure; slots take as
// few words as possible, but a new task's time as many as are one; the work is at most quadratic in the words.
#include "agent/language/passage.hpp"

#include <array>
#include <functional>
#include <optional>

namespace postrider::agent::language {

struct form_match {
    struct range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    compiled_form const* matched = nullptr;
    std::size_t own_words = 0;                          // of the form's own words
    std::array<std::optional<range>, slot_count> slots; // by slot

    std::optional<range> const& at(slot s) const { return slots[static_cast<std::size_t>(s)]; }
};

// Whether the words may be the time of a form that has one.
using time_check = std::function<bool(form const&, passage)>;

// The form of the language with the most words of its own that the words are.
std::optional<form_match> best_match(
    compiled_language const& language, passage words, time_check const& may_be_time = {}
);

} // namespace postrider::agent::language
