#include "server/telemetry/otlp.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::telemetry::otlp_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using verdict = export_verdict;

constexpr base::sys_time noon{1'795'000'000s};

base::result<net::http_answer> answer(int status, std::string body = "{}") {
    return net::http_answer{status, {}, std::move(body)};
}

export_answer read(base::result<net::http_answer> const& told) {
    return read_export_answer(told, noon);
}

// covers: X.18
TEST(otlp, has_a_span_in_the_protocols_json_form) {
    span shown;
    shown.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
    shown.id = "00f067aa0ba902b7";
    shown.parent = "53995c3f42cd8ad8";
    shown.name = "chat claude-haiku-4-5";
    shown.kind = span_kind::client;
    shown.began = noon;
    shown.ended = noon + 1500us;
    shown.attributes = {
        {"gen_ai.operation.name", "chat"},
        {"gen_ai.usage.input_tokens", std::int64_t{12}},
        {"postrider.job.degraded", true},
        {"gen_ai.response.finish_reasons", std::vector<std::string>{"end"}}};
    shown.failed = true;

    auto const request = json::parse(export_request({"shop", "1.2.3"}, {&shown, 1}));

    EXPECT_EQ(request, json::parse(R"({"resourceSpans": [{
        "resource": {"attributes": [
            {"key": "service.name", "value": {"stringValue": "shop"}},
            {"key": "service.version", "value": {"stringValue": "1.2.3"}}]},
        "scopeSpans": [{
            "scope": {"name": "postrider", "version": "1.2.3"},
            "spans": [{
                "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
                "spanId": "00f067aa0ba902b7",
                "parentSpanId": "53995c3f42cd8ad8",
                "name": "chat claude-haiku-4-5",
                "kind": 3,
                "startTimeUnixNano": "1795000000000000000",
                "endTimeUnixNano": "1795000000001500000",
                "attributes": [
                    {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                    {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "12"}},
                    {"key": "postrider.job.degraded", "value": {"boolValue": true}},
                    {"key": "gen_ai.response.finish_reasons",
                     "value": {"arrayValue": {"values": [{"stringValue": "end"}]}}}],
                "status": {"code": 2}}]}]}]})"));
}

TEST(otlp, a_first_span_has_no_parent_and_what_went_well_no_status) {
    span shown;
    auto const request = json::parse(export_request({}, {&shown, 1}));

    auto const& told =
        request.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0).as_object();
    EXPECT_FALSE(told.contains("parentSpanId"));
    EXPECT_FALSE(told.contains("status"));
}

TEST(otlp, an_answer_says_whether_to_try_again) {
    for (auto status : {429, 502, 503, 504})
        EXPECT_EQ(read(answer(status)).verdict, verdict::try_again) << status;
    for (auto status : {301, 400, 401, 404, 413, 500, 501})
        EXPECT_EQ(read(answer(status)).verdict, verdict::refused) << status;
    EXPECT_EQ(read(answer(200)).verdict, verdict::accepted);
    EXPECT_EQ(read(answer(200, "")).verdict, verdict::accepted);
    for (auto code : {base::errc::unavailable, base::errc::timeout, base::errc::ambiguous})
        EXPECT_EQ(read(base::error(code)).verdict, verdict::try_again);
    EXPECT_EQ(read(base::error(base::errc::invalid)).verdict, verdict::refused);
}

TEST(otlp, a_collector_may_say_when) {
    auto told = answer(503);
    EXPECT_EQ(read(told).after, std::nullopt);
    told->headers.add("Retry-After", "7");

    EXPECT_EQ(read(told).after, 7s);
}

TEST(otlp, a_partial_success_tells_how_many_spans_were_rejected) {
    auto const as_text = R"({"partialSuccess": {"rejectedSpans": "3", "errorMessage": "late"}})";
    auto const as_number = R"({"partialSuccess": {"rejectedSpans": 3}})";
    EXPECT_EQ(read(answer(200, as_text)).rejected_spans, 3);
    EXPECT_EQ(read(answer(200, as_number)).rejected_spans, 3);
    EXPECT_EQ(read(answer(200, as_text)).verdict, verdict::accepted);
    EXPECT_EQ(read(answer(200, R"({"partialSuccess": {}})")).rejected_spans, 0);
    EXPECT_EQ(read(answer(200, "<html>")).rejected_spans, 0);
}

} // namespace
} // namespace postrider::telemetry::otlp_test
