#pragma once
// A job that is over as a trace: one span for the job, and below it one for each try of a step,
// with our own names (postrider.*) and those of OpenTelemetry's semantic conventions for generative
// AI (gen_ai.*, as of 1.41: https://github.com/open-telemetry/semantic-conventions, docs/gen-ai).
// The steps of an agent stand below a span of the agent. No text of a message, of a tool's
// arguments or of an error is in it, and what others named is cut.
//
// Pure: the same record gives the same spans with the same ids, so that a trace that is exported
// twice is the same trace.
#include "server/telemetry/job_record.hpp"
#include "server/telemetry/model_names.hpp"

#include <string>
#include <variant>
#include <vector>

namespace postrider::telemetry {

// OTLP's numbers.
enum class span_kind { internal = 1, client = 3, consumer = 5 };

struct attribute {
    std::string key;
    std::variant<std::string, std::int64_t, bool, std::vector<std::string>> value;
};

struct span {
    std::string trace_id; // 32 lower-case hexadecimal digits
    std::string id;       // 16
    std::string parent;   // 16; "" = the trace's first
    std::string name;
    span_kind kind = span_kind::internal;
    base::sys_time began;
    base::sys_time ended;
    std::vector<attribute> attributes = {};
    bool failed = false;
};

// The job's own span first. Part of the trace that the job's traceparent names, if it has one;
// nothing where that trace is not recorded.
std::vector<span> spans_of(job_record const& job, model_names const& models);

} // namespace postrider::telemetry
