#pragma once
// /hooks/…: where other programs start flows that have a webhook trigger.
//
// 404 and 405 follow the current flows. A request without the proof gets 401, before its body
// is read where the head tells; a signature is checked with the body. The execution is committed
// before it is answered: 202 at once, or with respond "by_node" what the flow answers, as long as
// somebody may be kept waiting (then 202, with Retry-After).
//
// With an Idempotency-Key a request starts one execution however often it comes within a day, and
// each time gets that one's answer; another request with the same key is 422.
//
// Where too many wait already: 503, with Retry-After. Nothing of a request's contents is logged.
#include "base/report_pace.hpp"
#include "base/secret.hpp"
#include "net/router.hpp"
#include "server/api/reply_waiters.hpp"
#include "server/hooks/starts.hpp"

#include <map>
#include <string>

namespace postrider::hooks {

inline constexpr std::size_t largest_body = 1u << 20;

// Everything referred to outlives the route.
struct hook_services {
    agent::flow::library const& flows;
    std::map<std::string, base::secret, std::less<>> const& secrets;
    agent::flow::execution_intake& executions;
    api::reply_waiters& waiting;
    base::report_paces& refusals;                       // by flow, of requests without the proof
    base::duration patience = std::chrono::seconds{30}; // for an answer of the flow's own
    start_limits limits = {};
};

net::route hook_route(hook_services services);

} // namespace postrider::hooks
