#pragma once
// What a failed call of the messenger means for people: sentences without our codes and without the last full stop. The one
// place that words it for admin chats, the console and the command line. Pure.
#include "base/error.hpp"

#include <string>

namespace postrider::agent {

// "the author is an administrator of the group". Of a refusal that has no words here, the other side's own.
std::string refusal_in_words(base::error const& failure);

} // namespace postrider::agent
