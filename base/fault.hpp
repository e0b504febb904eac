#pragma once
// Named fault points: places where a test kills, stops or fails the process. Compiled in, off by
// default, and then one relaxed load each. Armed once at start by server/main.cpp from
// POSTRIDER_FAULTS, e.g. "turn.after_send:kill:2,ingest.before_commit:error".
//
//     fault::point("ingest.after_commit");
//
// Actions: kill (SIGKILL to itself), stop (SIGSTOP to itself), error (throws fault::injected). The
// optional number is the hit that acts (1 = the first). Threads: any.
#include "base/error.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base::fault {

struct injected : std::runtime_error {
    using std::runtime_error::runtime_error;
};

namespace detail {
inline std::atomic<bool> armed{false};
void reach(std::string_view name);
} // namespace detail

inline void point(std::string_view name) {
    if (detail::armed.load(std::memory_order_relaxed)) detail::reach(name);
}

// invalid: a malformed entry, an unknown action or an unknown name. An empty text disarms all.
result<void> arm(std::string_view plan);

// Every name that point() is called with, in the order in which a turn meets them.
std::vector<std::string_view> const& names();

} // namespace postrider::base::fault
