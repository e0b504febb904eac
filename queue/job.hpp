#pragma once
// The words of the engine: job, its states, its usage. docs/states.md draws the states.
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

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
bool over(job_state state) noexcept;

struct usage {
    std::int64_t tokens_in = 0;
    std::int64_t tokens_out = 0;
};

struct job {
    job_id id{};
    lane_id lane{};
    conversation_id conversation{};
    std::int64_t arrival = 0; // number within the lane_run row's life
    int run_no = 0;           // 1 = the first run
    int lost = 0;             // runs that died with their process
    std::string kind;
    boost::json::value input;
};

// What a worker holds while it runs a job.
struct lease {
    lane_id lane{};
    lane_epoch epoch{};
    std::int64_t edits = 0; // as of the start
};

} // namespace postrider::queue
