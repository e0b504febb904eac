#pragma once
// Private to agent/models: what of a request a model may refuse, and what the request is without it. Pure.
//
// What is known of a model beforehand is never sent to it (known_model, and the wire of its API); of others
// their server's word is taken, once.
#include "agent/models/model.hpp"

#include <span>
#include <string>
#include <string_view>

namespace postrider::agent {

struct optional_parameter {
    std::string_view name; // for people
    // As servers call it in a refusal.
    std::span<std::string_view const> words;
    bool (*is_sent)(chat_request const& request);
    // What of it a refusal speaks of: "" where no value would be taken.
    std::string (*refused_value)(chat_request const& request);
    // Leaves it out; what it asked for is asked for in words, where that can be.
    void (*leave_out)(chat_request& request);
};

// The parameter that the failure speaks of, of those that the request has; null: none.
optional_parameter const* refused_parameter(
    chat_request const& request, base::error const& failure
) noexcept;

// The model is free to answer, and is told to call a tool first. Whoever asks looks whether it did.
void ask_for_tools_in_words(chat_request& request);

} // namespace postrider::agent
