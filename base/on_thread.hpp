#pragma once
// Runs work that blocks or computes for long on a thread of its own, while a coroutine waits for it.
#include "base/async.hpp"

#include <functional>
#include <stop_token>

namespace postrider::base {

// Throws what the work throws. When the coroutine is cancelled or destroyed, the work is asked to stop and its thread
// is joined: the work looks at its token every few milliseconds. std::system_error: no thread can be started.
awaitable<void> run_on_thread(std::function<void(std::stop_token)> work);

} // namespace postrider::base
