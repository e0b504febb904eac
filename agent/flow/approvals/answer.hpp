#pragma once
// What a person answered to a question for approval, read from the event that ended its wait: a
// press, a message, or decisions over the API. Pure.
#include "agent/flow/approvals/request.hpp"
#include "agent/language/assent.hpp"
#include "agent/talk/messenger.hpp"
#include "agent/talk/press.hpp"
#include "queue/workflow.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::approvals {

// The data of the question's buttons.
inline constexpr std::string_view approve_choice = "approve";
inline constexpr std::string_view reject_choice = "reject";
inline constexpr std::string_view show_all_choice = "all";

// How the wait ended: for all calls alike, or call by call, decided over the API.
struct answer {
    verdict all = verdict::withdrawn;
    // By the calls' steps with their scope, as the rows have them.
    std::map<std::string, verdict, std::less<>> by_call = {};
    std::optional<user_id> by = {};    // who decided, where a person did
    std::string name = {};             // of a decider who is not the requester, for people
    std::string via = {};              // as approval.decided_via; "" = no button and no words
    std::optional<press> pressed = {}; // of a button that decides
    bool wants_all_text = false;       // not decided yet

    verdict of(std::string_view call) const;
};

using owner_test = std::function<bool(bot_id, user_id)>; // empty: nobody is one

// Whose words decide: the requester's and the owners', or those of the approvers alone, where the question
// stands and said to the bot.
// A flow's lane may have the messages of several chats, and of people among themselves.
struct deciders {
    messenger const& out;
    address at;
    agent::requester requester;
    owner_test is_owner;
    std::string_view language = {}; // of the question
    std::vector<user_id> approvers = {};
};

// Whether a message of the lane is a clear answer of theirs.
assent assent_in(boost::json::value const& message, deciders const& deciders);

// Whether it answers the question or withdraws it: the requester's messages do, and of others the clear answer of
// who may decide. The rest waits for its turn.
bool concerns(boost::json::value const& message, deciders const& deciders);

// `ended`: what wait_for_event() gave, its errors included.
answer read_answer(queue::step_value const& ended, deciders const& deciders);

} // namespace postrider::agent::approvals
