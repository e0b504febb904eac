#pragma once
// Runs a text in JavaScript or Python in a child process that is confined (agent/mcp/confinement.hpp): no
// network, no files but the system's, no other process. Memory, time and output are bounded.
#include "agent/flow/parts/code_options.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace postrider::agent::flow {

inline constexpr std::size_t most_code_output = 1u << 20; // bytes of JSON

struct code_request {
    std::string language; // "javascript" or "python"
    std::string code;
    boost::json::value items;  // that came in; an array
    boost::json::value values; // that it reads beside them; an object
    bool for_each = false;     // called once with each
    base::duration deadline;
};

// What the code returned: an array of items. invalid: it threw, or returned what is no item; the detail says
// so. timeout, too_large: beyond the bounds. refused: there is no such program. overloaded: this machine cannot
// start it now. unavailable: this system cannot confine it.
base::awaitable<base::result<boost::json::value>> run_code(
    code_options const& options, code_request request
);

} // namespace postrider::agent::flow
