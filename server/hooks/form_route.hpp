#pragma once
// /forms/PATH: the pages of flows with a form trigger, and what people send with them.
//
// A page needs no account. It takes forms from its own pages alone, reads 64 KiB of them at most, and
// starts one execution for each page that was opened, however often its button is pressed: the page holds a key
// that counts for a day. An answer that does not fit brings the page again, with what is wrong. Nothing of
// what people write is logged.
#include "base/random.hpp"
#include "net/router.hpp"
#include "server/api/browser_rules.hpp"
#include "server/api/reply_waiters.hpp"
#include "server/hooks/starts.hpp"

#include <vector>

namespace postrider::hooks {

// What is referred to outlives the routes.
struct form_services {
    agent::flow::library const& flows;
    agent::flow::execution_intake& executions;
    api::reply_waiters& waiting;
    base::random_source& random;
    api::own_names names = {};
    base::duration patience = std::chrono::seconds{30}; // for an answer of the flow's own
    start_limits limits = {};
};

std::vector<net::route> form_routes(form_services services);

} // namespace postrider::hooks
