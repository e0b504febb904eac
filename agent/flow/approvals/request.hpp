#pragma once
// What a person is asked before tools act, in words that code composes from the tools and their
// arguments: a model has no part in it. Pure.
#include "agent/flow/parts/offered_tools.hpp"
#include "agent/talk/verdict.hpp"
#include "agent/tools/tool_context.hpp"
#include "queue/job.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::approvals {

// A call that a model makes.
struct proposed_call {
    std::string step; // runs it, once it is approved: "tool:3"
    // Null: it fits none, or not any more. Nobody is asked about it; where somebody was, the question is
    // withdrawn.
    flow::offered_tool const* tool = nullptr;
    boost::json::object arguments = {};
    bool has_begun = false;           // in a run before
    std::string_view language = "en"; // in which the person is asked
};

// What the call acts on: of a flow its whole input, in which what its node says stands above the
// model's arguments; the model's alone where that cannot be evaluated, since then no flow runs. The
// person is shown it, and an approval is for it.
boost::json::object arguments_to_run(proposed_call const& call);

// SHA-256 of the tool's definition with its settings and risk, the exact arguments that would run, who
// asks, and the job's life: in another job, or begun anew, nothing was approved.
std::string digest_of(proposed_call const& call, user_id requester, queue::job const& job);

struct request_text {
    std::string text;
    bool shortened = false; // whole_text() says more
};
// Long arguments are cut, and say so.
request_text short_text(std::vector<proposed_call> const& calls);
std::string whole_text(std::vector<proposed_call> const& calls);

// What the question becomes once it is over. `decider`: as people know them; "" = the person asked.
std::string outcome_text(verdict v, std::string_view decider, std::string_view language);

// What the model reads in place of a result.
std::string refusal_text(verdict v, std::chrono::milliseconds timeout);

} // namespace postrider::agent::approvals
