#pragma once
// What a person is told of a file that the messenger gives to no bot. Pure.
#include "agent/talk/message_file.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow {

// Its name, its size and the limit.
std::string text_of_large_file(message_file const& file, std::string_view language);

} // namespace postrider::agent::flow
