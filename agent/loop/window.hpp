#pragma once
// The part of the history that a model sees. Pure.
#include "agent/models/model.hpp"

namespace postrider::agent {

// The newest `limit` messages, oldest first, mended where a cut or a turn that ended early left a
// tool call without its result or a result without its call: providers refuse both. Such a result
// is dropped, and such an assistant message keeps its text alone, or is dropped when it has none.
// At a cut whole tool rounds are left out, so fewer than `limit` may come back.
std::vector<chat_message> window(std::vector<chat_message> history, int limit);

} // namespace postrider::agent
