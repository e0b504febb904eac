#pragma once
// What a person does to jobs, lanes, bots, everything and effects: the functions of
// sql/functions/job_operations.sql, typed. They run inside an open transaction, so the command line
// (storage::run_blocking) and the HTTP API (storage::database::run) share them.
//
// An operation that the state does not allow is refused: nothing is changed, and the result has a
// code and a reason for people. That is no failure; what is thrown is what every query throws.
#include "base/clock.hpp"
#include "queue/job.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::queue {

enum class operation { cancel, roll_back, retry, restart, fork, pause, resume, send_event };
std::string_view to_string(operation operation) noexcept; // "cancel", "rollback", "send-event", …

// An event for a job, or for whichever job of a lane waits for it.
struct new_event {
    std::string type = {};
    boost::json::value payload = nullptr;
    std::optional<std::string> match = {}; // the id it answers; only a wait for that id consumes it
};

struct job_operation {
    queue::operation operation = queue::operation::cancel;
    std::optional<std::string> from_step = {}; // restart, fork: this step and all after it run anew
    std::optional<boost::json::value> input = {}; // fork: instead of the original's
    // retry, restart, fork: the version of its flow from now on, "current" or a number; absent: the
    // one that it has pinned.
    std::optional<std::string> version = {};
    bool answer = false;  // fork: it answers the person whom the original answers; else nobody
    new_event event = {}; // send_event
};

struct operation_result {
    std::optional<job_id> job; // the job; of a fork: the new one
    std::string scope;         // else: the lane's key, "bot:NAME" or "all"
    bool done = false;         // it is so, or its worker was asked; false = refused
    std::string state;         // afterwards; empty when there is no such thing
    // done: changed at once. asked: a worker does it at its next step boundary. unchanged: it was
    // so already. Refused: not_found, over, running, cancelling, not_failed, in_line,
    // no_step, no_version, in_doubt, not_in_doubt, rolled_back, invalid.
    std::string code;
    std::string detail; // for people: what happened, or why not and what to do
};

// The states in which it can do something to a job; none: in any.
std::vector<job_state> usual_states(operation operation);

operation_result operate(storage::transaction& tx, job_id job, job_operation const& operation);

// A fork that answers nobody, with the record before the step; these members take the place of those of its
// input.
operation_result try_again(
    storage::transaction& tx,
    job_id job,
    std::string_view from_step,
    boost::json::object const& changes
);

operation_result pause_lane(storage::transaction& tx, std::string_view lane_key);
// Deletes the messages of its conversations for good, except those of turns that are not over; 5,000
// at most. The state says where there may be more.
inline constexpr std::string_view forgetting = "forgetting";
operation_result forget_lane(storage::transaction& tx, std::string_view lane_key);
operation_result resume_lane(storage::transaction& tx, std::string_view lane_key);
operation_result send_lane_event(
    storage::transaction& tx, std::string_view lane_key, new_event const& event
);
operation_result pause_bot(storage::transaction& tx, std::string_view name);
operation_result resume_bot(storage::transaction& tx, std::string_view name);
operation_result pause_all(storage::transaction& tx);
operation_result resume_all(storage::transaction& tx);

// How a person settles an effect that is in doubt: it happened; do it again; it shall not happen.
enum class effect_settlement { done, resend, drop };
std::string_view to_string(effect_settlement settlement) noexcept;

operation_result settle_effect(
    storage::transaction& tx, job_id job, std::string_view key, effect_settlement settlement
);

// Which jobs a listing or a bulk operation means; what is empty does not restrict.
struct job_filter {
    std::vector<job_state> states = {};
    std::string kind = {};
    std::string flow = {};      // that its input names
    std::string lane = {};      // the lane's key
    std::string lane_text = {}; // a part of the lane's key
    std::string error_class = {};
    bool degraded = false; // those that completed without what was asked for, beside the states
    std::string degraded_reason = {};                  // of these only those for this reason
    std::optional<base::sys_time> created_after = {};  // at or after
    std::optional<base::sys_time> created_before = {}; // before
};

// The states as a parameter of type text[], "degraded" among them.
std::string state_words(std::vector<job_state> const& states, bool degraded);

// Ids of matching jobs, newest first, those below `before` when it is given.
std::vector<job_id> matching_jobs(
    storage::transaction& tx, job_filter const& filter, std::optional<job_id> before, int limit
);
// Searches of the transaction are planned for their values from now on: a plan for any value would
// read all jobs for a rare one.
void plan_for_values(storage::transaction& tx);
// Of both statements, newest first; `rare` is asked only where `newest` does not fill the page.
std::vector<job_id> newest_or_rare(
    storage::transaction& tx,
    storage::statement const& newest,
    storage::statement const& rare,
    std::vector<storage::param> const& with,
    int limit
);
// Whether these are states of jobs that are not over, and there is one.
bool are_unfinished(std::vector<job_state> const& states);
// The ids as a parameter of type bigint[].
std::string to_array(std::span<job_id const> jobs);

// What became of many jobs.
struct bulk_result {
    std::int64_t done = 0;
    std::int64_t asked = 0; // of those done: a worker was asked
    std::vector<operation_result> refused;

    bulk_result& operator+=(bulk_result other);
};

// Jobs of one transaction at most: it locks their lanes, and messages to these wait meanwhile.
inline constexpr std::size_t bulk_chunk = 100;

// One operation on up to bulk_chunk jobs, in one transaction. Locks lanes in their order, as the
// workers do. For more jobs: a transaction for each chunk.
bulk_result operate_on(
    storage::transaction& tx, std::span<job_id const> jobs, job_operation const& operation
);
// What it would refuse, and nothing else: it is done and undone.
bulk_result try_on(
    storage::transaction& tx, std::span<job_id const> jobs, job_operation const& operation
);

} // namespace postrider::queue
