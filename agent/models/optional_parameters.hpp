#pragma once
// Private to agent/models: what of a request a model may refuse, and what the request is without it. Pure.
//
// What is known of a model beforehand is never sent to it (known_model, and the wire of its API); of others
// their server's word is taken, once.
#include "agent/models/errors.hpp"
#include "agent/models/model.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

enum class parameter_refusal {
    none,
    of_value, // another value may be taken
    of_any
};

struct optional_parameter {
    std::string_view name; // for people
    bool (*is_sent)(chat_request const& request);
    // Whether the failure speaks of it, or what the server says of the request.
    parameter_refusal (*refused_by)(base::error const& failure, refusal_words const& said);
    // What a value that was refused is known by; "" = it is not remembered.
    std::string (*value)(chat_request const& request);
    // Leaves it out; what it asked for is asked for in words, where that can be.
    void (*leave_out)(chat_request& request);
};

// The parameter that the failure speaks of, of those that the request has; null: none.
struct refused_parameter {
    optional_parameter const* parameter = nullptr;
    parameter_refusal by = parameter_refusal::none;
};
refused_parameter find_refused(
    chat_request const& request, base::error const& failure, refusal_words const& said
);

bool has_tools(chat_request const& request) noexcept;
void leave_out_tools(chat_request& request);

// The model is free to answer, and is told to call a tool first. Whoever asks looks whether it did.
void ask_for_tools_in_words(chat_request& request);

} // namespace postrider::agent
