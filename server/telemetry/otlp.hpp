#pragma once
// OTLP over HTTP in its JSON form, for traces: what is posted to /v1/traces, and what an answer says.
// As https://github.com/open-telemetry/opentelemetry-proto, docs/specification.md (1.7) has it: ids are
// hexadecimal, enumerations are numbers, 64-bit numbers and times in nanoseconds are strings, names are
// in lowerCamelCase; 429, 502, 503 and 504 are tried again, after Retry-After where it is told, and
// nothing else is; a partial success is not. Pure.
#include "net/http_client.hpp"
#include "server/telemetry/spans.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>

namespace postrider::telemetry {

// What the spans are of.
struct resource {
    std::string service;
    std::string version;
};

inline constexpr std::string_view traces_path = "/v1/traces";

// An ExportTraceServiceRequest.
std::string export_request(resource const& resource, std::span<span const> spans);

enum class export_verdict {
    accepted,  // but for the rejected spans
    try_again, // the same request, later
    refused,   // this request, for good
};

struct export_answer {
    export_verdict verdict = export_verdict::refused;
    std::int64_t rejected_spans = 0;
    std::optional<std::chrono::milliseconds> after = {}; // asked for
};

export_answer read_export_answer(base::result<net::http_answer> const& answer, base::sys_time now);

} // namespace postrider::telemetry
