#pragma once
// What is to be written of a gate. Reports that come while one waits to be written become one with
// it: failures add up, and the weightier event counts.
#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace postrider::queue {

struct gate_report {
    std::string event; // as bucket_report() takes it
    int failures = 0;
    std::optional<std::chrono::milliseconds> closed_for;
    std::string reason;
};

// `known` becomes what both say.
void merge(gate_report& pending, gate_report fresh);

// A row of sql::report_bucket.
boost::json::object row_for(std::string const& resource, gate_report const& report);

} // namespace postrider::queue
