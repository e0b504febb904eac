#pragma once
// Links that end the wait of a node. A link names its job and, by a code that only this cluster makes,
// one node of one run of it: whoever has the link may end that wait, once, and nothing else. Pure.
#include "base/secret.hpp"
#include "queue/workflow.hpp"

#include <string>

namespace postrider::agent::flow {

// Types of events that begin so are the server's own: no flow's author waits for them by name.
inline constexpr std::string_view own_events = "postrider.";
// The event that such a link sends.
inline constexpr std::string_view resume_event = "postrider.resume";

struct resume_links {
    std::string base = {}; // https://postrider.example.org; empty: nobody reaches this server
    base::secret key = {}; // of the database; empty: there are no links
};

// `steps`: the node's own. The event's match.
std::string resume_code(resume_links const& links, queue::workflow const& steps);
// BASE/resume/JOB/CODE; "" where there are no links.
std::string resume_url(resume_links const& links, queue::workflow const& steps);

} // namespace postrider::agent::flow
