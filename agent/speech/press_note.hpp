#pragma once
// What whoever pressed a button is told at once. Pure.
#include "storage/stores/questions.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

// In the language of what the button stands below, or else the person's usual one; "" = nothing, it was taken.
std::string note_of(
    storage::press_outcome outcome, std::string_view shown, std::string_view usual_language
);

} // namespace postrider::agent
