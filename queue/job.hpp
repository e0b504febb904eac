#pragma once
// The words of the engine: job, its states, its usage. docs/states.md draws the states.
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::queue {

enum class job_state {
    available, // may run as soon as its lane is free
    scheduled, // not before its time
    running,   // its lane is leased to a node, which runs it
    waiting,   // parked until an event or a time
    retryable, // a step failed and is tried again at the lane's ready time
    completed, // over, with an output
    failed,    // over: dead letter, with an error
    cancelled, // over, by request
    paused,    // held by request
};
std::string_view to_string(job_state state) noexcept;
std::optional<job_state> job_state_from_string(std::string_view name) noexcept;
std::vector<std::string_view> job_state_names(); // of all
bool over(job_state state) noexcept;

struct usage {
    std::int64_t tokens_in = 0; // cached ones included
    std::int64_t tokens_out = 0;
    std::int64_t tokens_cached = 0;
    std::int64_t cost_micro = 0; // millionths of the configuration's currency

    usage& operator+=(usage const& more) noexcept;
    bool operator==(usage const&) const = default;
};

// What a lane does with a message that arrives while another is not answered.
enum class mailbox {
    queue,     // a turn each, in order
    coalesce,  // one turn takes all that wait
    interrupt, // it ends the running turn, unless its answer is committed
    route,     // it answers the question of a turn that waits for one
};
std::string_view to_string(mailbox policy) noexcept;
std::optional<mailbox> mailbox_from_string(std::string_view name) noexcept;

// What a running job can be asked from outside.
enum class control_request {
    cancel,    // end as cancelled
    rollback,  // the same, after undoing what its steps did
    pause,     // wait until it is resumed; its lane goes on
    hold,      // the lane is paused: go back as if this run had not begun
    interrupt, // a newer message takes its place, if it has not yet answered
};
std::string_view to_string(control_request request) noexcept;
std::optional<control_request> control_request_from_string(std::string_view name) noexcept;

struct job {
    job_id id{};
    lane_id lane{};
    conversation_id conversation{};
    std::int64_t arrival = 0;  // number within its lane's burst; 0 = put back from outside
    int run_no = 0;            // 1 = the first run; one that was put back is not counted
    int lost = 0;              // runs that died with their process
    int version = 1;           // of the code that it was made for
    int restarts = 0;          // how often it was begun anew
    bool begun_before = false; // an earlier run may have left a record
    std::string kind;
    boost::json::value input;
    std::optional<std::chrono::milliseconds>
        time_left;                        // until its deadline, as of this run's start
    std::optional<control_request> asked; // before this run began
    std::chrono::milliseconds age{0};     // since it was enqueued, when it was read
    base::steady_time enqueued;      // the same as a time of this process, once the run has begun
    boost::json::value rolling_back; // not null: its stored ending
    std::string
        unreadable; // not empty: what of it cannot be read here, and why; it fails with that
};

// What a worker holds while it runs a job.
struct lease {
    lane_id lane{};
    lane_epoch epoch{};
    std::int64_t edits = 0;    // as of the start
    std::int64_t arrivals = 0; // as of the start; 0 = the job is the only one
    queue::mailbox mailbox = queue::mailbox::queue;
    job_id head{}; // as of the start of the job: no live job of the lane has a smaller number
};

} // namespace postrider::queue
