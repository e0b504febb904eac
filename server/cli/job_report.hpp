#pragma once
// Jobs as people and programs read them: text for a terminal, JSON for --json. Pure.
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

struct job_line {
    std::int64_t id = 0;
    std::string lane;
    std::string kind;
    std::string state;
    std::int64_t runs = 0;
    std::int64_t lost = 0;            // runs that died with their process
    std::string created_at;           // ISO 8601, UTC
    std::chrono::microseconds age{0}; // from creation to its end, or to now
    std::optional<std::int64_t> tokens_in;
    std::optional<std::int64_t> tokens_out;
    std::string error_class;
    std::string error;
};

struct step_line {
    std::int64_t number = 0;
    std::string key;
    std::int64_t attempt = 1;
    std::string outcome;                 // done, retry, failed
    std::chrono::microseconds begins{0}; // after the job's creation
    std::chrono::microseconds took{0};
    std::optional<std::chrono::microseconds>
        next; // when it is tried again, after the job's creation
    std::string error_class;
    std::string error;
    boost::json::value result;
};

struct effect_line {
    std::string key;
    std::string kind;
    std::string how; // its class
    std::string state;
    bool flagged = false; // may have been done twice
    boost::json::value request;
    boost::json::value result;
};

struct job_report {
    job_line job;
    boost::json::value input;
    boost::json::value output;
    std::string waits_for; // why it does not run, when it waits
    std::vector<step_line> steps;
    std::vector<effect_line> effects;
};

std::string to_text(std::vector<job_line> const& jobs);
std::string to_text(job_report const& report);
boost::json::value to_json(std::vector<job_line> const& jobs);
boost::json::value to_json(job_report const& report);

} // namespace postrider::cli
