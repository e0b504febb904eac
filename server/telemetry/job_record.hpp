#pragma once
// What the record has of jobs that are over, as far as a trace needs it: times, names and sizes, and
// no text of any message. Read-only; inside an open transaction.
#include "queue/job.hpp"
#include "storage/database.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postrider::telemetry {

struct effect_record {
    std::string kind; // "telegram.send"
    std::string effect_class;
    std::string state;
};

// One try of a step.
struct step_record {
    std::string key;
    std::int64_t attempt = 1;
    std::string outcome; // done, retry, failed
    base::sys_time began;
    base::sys_time ended; // of a sleep: when it ends
    std::string error_class;
    // Of a model's reply; empty in any other step.
    std::string model; // as its provider named it
    std::string stop;
    std::vector<std::string> call_names; // of the tools that it asks for
    std::vector<std::string> call_ids;
    std::optional<queue::usage> paid;
    std::optional<effect_record> effect;
};

struct job_record {
    job_id id{};
    std::string kind;
    std::string state;
    std::string error_class;
    bool degraded = false;
    std::int64_t runs = 0;
    std::int64_t restarts = 0;
    conversation_id conversation{};
    base::sys_time began; // of its present life: its creation, or its last restart or retry
    base::sys_time ended;
    std::string flow;                    // of a job that runs one
    std::optional<std::int64_t> version; // of the flow
    std::string traceparent;
    std::vector<step_record> steps; // in order, the first 500 of the present life
};

// Those of the jobs that are over, in no order.
std::vector<job_record> read_ended_jobs(storage::transaction& tx, std::span<job_id const> jobs);

} // namespace postrider::telemetry
