#pragma once
// A press of a button below a catch, or below the question whether the filter shall learn a text. The intake makes it a job
// in a lane beside the group's, if the presser seems to run the group: it waits for no turn, and two presses do not run into
// each other.
//
// Whether the presser may is asked of the messenger here (administrator.hpp): not spam and ban take a moderator of the group, the
// rest any administrator. A press of anybody else changes nothing, and tells them so. What was decided stands in the place of the
// buttons.
#include "agent/moderation/catch_notice.hpp"
#include "agent/talk/press.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace postrider::agent {

inline constexpr std::string_view catch_press_kind = "catch_press";
// What whoever may not decide is told.
inline constexpr std::string_view not_an_administrator =
    "Only administrators of the group decide this.";

// The job's input. `is_owner`: the presser is an owner of the bot.
boost::json::object catch_press_input(
    catch_press const& choice, press const& press, address const& at, bool is_owner
);
// The key of its lane.
std::string lane_of_moderation(address const& group);

// All of them outlive the engine.
queue::job_kind make_catch_presses(
    messenger& out, storage::batcher& reads, base::random_source& random
);

} // namespace postrider::agent
