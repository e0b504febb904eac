#pragma once
// Parts of agents that somebody outside is asked for: the tools of a server, and a memory that is
// searched elsewhere. What the tests put outside, and see of it.
#include "base/error.hpp"

#include <deque>
#include <string>
#include <vector>

namespace postrider::tests {

struct scratch_outside {
    std::vector<std::string> tools;     // that the server has
    std::deque<base::error> failures;   // of its next answers
    int listings = 0;                   // answered or not
    std::vector<std::string> called;    // tools
    std::string remembered;             // what the memory has to say
    std::vector<std::string> questions; // that it was searched for
    std::vector<std::string> written;   // into it
    bool is_full = false;               // it refuses to be written
};
inline scratch_outside outside;

} // namespace postrider::tests
