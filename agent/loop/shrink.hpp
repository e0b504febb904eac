#pragma once
// A request that a model found too long, at about half its size. Pure.
#include "agent/loop/window.hpp"

namespace postrider::agent {

// Leaves out the oldest messages before the question, and shortens what tools returned behind it where
// that is not enough. The question stays, and calls keep their results. `question` is its place, now
// and afterwards. False: nothing could be left out.
bool shrink(std::vector<chat_message>& messages, std::size_t& question);

} // namespace postrider::agent
