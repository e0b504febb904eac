#pragma once
// A scratch tool that acts, of the class that its call names, and what the tests see of it.
#include "agent/tools/tool.hpp"

#include <functional>
#include <string>
#include <vector>

namespace postrider::tests {

struct acted {
    std::vector<std::string> keys;            // of each try
    std::vector<agent::requester> requesters; // likewise
    // What a try comes to; none: it has done it.
    std::function<base::result<agent::tool_output>(agent::tool_context& context)> behave;
};
inline acted acts;

} // namespace postrider::tests
