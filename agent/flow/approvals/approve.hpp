#pragma once
// Asks a person before tools act, and parks until there is an answer: a button, a clear yes or no in
// words, or the API and the command line (sql/functions/approvals.sql). The turn holds no slot and
// no memory meanwhile; whatever happens to the process, the same turn goes on.
//
// The requester or an owner decides. Another message than a clear answer withdraws the question and
// has a turn of its own: a chat is never deaf. Where nobody can be asked (a schedule, a webhook) the
// calls wait for the API all the same.
#include "agent/flow/approvals/request.hpp"
#include "agent/flow/chat/node_question.hpp"

#include <map>
#include <string>
#include <vector>

namespace postrider::agent::approvals {

struct decisions {
    std::string question;                                 // its id; "" = nothing was asked
    std::map<std::string, verdict, std::less<>> verdicts; // by the calls' steps
};

// Asks about those of a round's calls that have a high risk, in one question whose steps begin with
// `name`; none has: nothing is asked, recorded or returned. What was asked stands in the record with
// a digest of each call: one that is not the same any more when the answer comes is withdrawn.
// `places`: of the question and its answer in the history. `preface`: lines that stand before the question, with what was done so far.
base::awaitable<decisions> ask_about(
    flow::node_run& run,
    std::string name,
    std::vector<proposed_call> calls,
    agent::requester requester,
    flow::asked_places places,
    std::string preface = {}
);

} // namespace postrider::agent::approvals
