#pragma once
// The trace of whoever asks for something, as the header `traceparent` tells it: W3C Trace Context,
// level 1 (https://www.w3.org/TR/trace-context/). It is kept in the job's input, so that the job's
// spans become part of that trace. Pure.
#include "net/http.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postrider::telemetry {

struct trace_context {
    std::string trace_id;  // 32 lower-case hexadecimal digits
    std::string parent_id; // 16
    bool sampled = true;   // false: whoever began the trace does not record it
};

// Nothing where the text is no traceparent: what is malformed counts as absent.
std::optional<trace_context> parse_traceparent(std::string_view text);

// The job's input, an object, gets the request's traceparent as its member of that name, if the
// request has just one.
void continue_trace(boost::json::value& input, net::http_request const& request);

} // namespace postrider::telemetry
