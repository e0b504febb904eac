#include "server/telemetry/otlp.hpp"

#include "base/json/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace postrider::telemetry {

namespace json = boost::json;

namespace {

constexpr int status_error = 2; // STATUS_CODE_ERROR

json::object any_value(std::string const& text) {
    return {{"stringValue", text}};
}
json::object any_value(std::int64_t number) {
    return {{"intValue", std::to_string(number)}};
}
json::object any_value(bool flag) {
    return {{"boolValue", flag}};
}
json::object any_value(std::vector<std::string> const& texts) {
    json::array values;
    for (auto const& text : texts) values.push_back(any_value(text));
    return {{"arrayValue", json::object{{"values", std::move(values)}}}};
}

json::object key_value(attribute const& attribute) {
    auto value =
        std::visit([](auto const& content) { return any_value(content); }, attribute.value);
    return {{"key", attribute.key}, {"value", std::move(value)}};
}

std::string nanoseconds(base::sys_time instant) {
    std::chrono::nanoseconds const since = instant.time_since_epoch();
    return std::to_string(since.count());
}

json::object span_json(span const& source) {
    json::array attributes;
    for (auto const& attribute : source.attributes) attributes.push_back(key_value(attribute));
    json::object object{
        {"traceId", source.trace_id},
        {"spanId", source.id},
        {"name", source.name},
        {"kind", static_cast<int>(source.kind)},
        {"startTimeUnixNano", nanoseconds(source.began)},
        {"endTimeUnixNano", nanoseconds(source.ended)},
        {"attributes", std::move(attributes)}};
    if (!source.parent.empty()) object["parentSpanId"] = source.parent;
    if (source.failed) object["status"] = json::object{{"code", status_error}};
    return object;
}

bool is_tried_again(int status) {
    constexpr std::array statuses{429, 502, 503, 504};
    return std::ranges::find(statuses, status) != statuses.end();
}

// A number, or the same as a text.
std::int64_t rejected_in(std::string const& body) {
    auto const parsed = base::parse_json(body);
    if (!parsed) return 0;
    base::json_reader const root{*parsed};
    auto const rejected = root["partialSuccess"]["rejectedSpans"];
    if (!rejected.is_string()) return rejected.int64_or(0);
    auto const text = rejected.string();
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

std::string export_request(resource const& resource, std::span<span const> spans) {
    json::array list;
    for (auto const& shown : spans) list.push_back(span_json(shown));
    json::object scope_spans{
        {"scope", json::object{{"name", "postrider"}, {"version", resource.version}}},
        {"spans", std::move(list)}};
    json::array attributes;
    attributes.push_back(key_value({"service.name", resource.service}));
    attributes.push_back(key_value({"service.version", resource.version}));
    json::object resource_spans{
        {"resource", json::object{{"attributes", std::move(attributes)}}},
        {"scopeSpans", json::array{std::move(scope_spans)}}};
    json::object const request{{"resourceSpans", json::array{std::move(resource_spans)}}};
    return json::serialize(request);
}

export_answer read_export_answer(base::result<net::http_answer> const& answer, base::sys_time now) {
    using enum export_verdict;
    export_answer read;
    if (!answer) {
        // Spans that came twice are one: an answer that was lost is asked for again.
        auto const code = answer.error().code;
        bool const passes = base::retryable(code) || code == base::errc::ambiguous;
        read.verdict = passes ? try_again : refused;
        return read;
    }
    if (is_tried_again(answer->status)) {
        read.verdict = try_again;
        read.after = net::parse_retry_after(answer->headers.find("Retry-After"), now);
    } else if (answer->status >= 200 && answer->status < 300) {
        read.verdict = accepted;
        read.rejected_spans = std::max<std::int64_t>(0, rejected_in(answer->body));
    }
    return read;
}

} // namespace postrider::telemetry
