#pragma once
// /resume/JOB/CODE: the links of nodes that wait (agent/flow/parts/resume_link.hpp).
//
// GET shows a page with a button and changes nothing, since programs that preview links open them. POST
// ends the wait, once, in the commit that is answered: {"query", "body"} is the event's payload. The body
// is JSON, a form's fields or a text. A link that no node waits with is 404; what has not the form of a link
// is so without a look into the database, for which a bounded number of requests wait.
#include "net/router.hpp"
#include "storage/database.hpp"

#include <vector>

namespace postrider::hooks {

// The database outlives the routes.
std::vector<net::route> resume_routes(storage::database& db);

} // namespace postrider::hooks
