#include "agent/models/errors.hpp"
#include "base/json/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::errors_test {
namespace {

using base::errc;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

base::sys_time const now{1'795'000'000s};

net::http_answer answered(int status, std::string body = "", net::header_list headers = {}) {
    return {status, std::move(headers), std::move(body)};
}

struct row {
    int status;
    std::string_view body;
    errc code;
};

TEST(anthropic_errors, map_by_status_and_type) {
    for (auto [status, body, code] :
         {row{400,
              R"({"type":"error","error":{"type":"invalid_request_error","message":"m"}})",
              errc::invalid},
          row{400,
              R"({"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}})",
              errc::budget},
          row{400,
              R"({"error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits."}})",
              errc::budget},
          row{401, R"({"error":{"type":"authentication_error"}})", errc::unauthorized},
          row{402, R"({"error":{"type":"billing_error"}})", errc::budget},
          row{403, R"({"error":{"type":"permission_error"}})", errc::unauthorized},
          row{404, R"({"error":{"type":"not_found_error","message":"model: x"}})", errc::not_found},
          row{408, "", errc::timeout},
          row{409, "", errc::unavailable},
          row{413, R"({"error":{"type":"request_too_large"}})", errc::context_too_long},
          row{429, R"({"error":{"type":"rate_limit_error"}})", errc::rate_limited},
          row{429,
              R"({"error":{"type":"rate_limit_error","message":"This workspace has reached its spend limit"}})",
              errc::budget},
          row{500, R"({"error":{"type":"api_error"}})", errc::unavailable},
          row{500, R"({"error":{"type":"overloaded_error"}})", errc::overloaded},
          row{502, "<html>bad gateway</html>", errc::unavailable},
          row{503, "", errc::overloaded},
          row{504, R"({"error":{"type":"timeout_error"}})", errc::timeout},
          row{529, R"({"error":{"type":"overloaded_error"}})", errc::overloaded},
          row{302, "", errc::invalid}})
        EXPECT_EQ(anthropic_error(answered(status, std::string(body)), "m", now).code, code)
            << status << body;
}

TEST(openai_errors, map_by_status_and_code) {
    for (auto [status, body, code] :
         {row{400,
              R"({"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}})",
              errc::invalid},
          row{400, R"({"error":{"code":"content_policy_violation"}})", errc::refused},
          row{401, R"({"error":{"code":"invalid_api_key"}})", errc::unauthorized},
          row{403,
              R"({"error":{"code":"unsupported_country_region_territory"}})",
              errc::unauthorized},
          row{403, R"({"error":{"code":"model_not_found"}})", errc::not_found},
          row{404, R"({"error":{"code":"model_not_found"}})", errc::not_found},
          row{404,
              R"({"error":"model \"llama\" not found, try pulling it first"})",
              errc::not_found},
          row{404,
              R"({"object":"error","message":"no such model","type":"NotFoundError","code":404})",
              errc::not_found},
          row{422, R"({"detail":[{"loc":["body"],"msg":"field required"}]})", errc::invalid},
          row{429,
              R"({"error":{"type":"requests","code":"rate_limit_exceeded"}})",
              errc::rate_limited},
          row{429,
              R"({"error":{"type":"insufficient_quota","code":"insufficient_quota"}})",
              errc::budget},
          row{429,
              R"({"error":{"message":"You exceeded your current quota, please check your plan"}})",
              errc::budget},
          row{500, R"({"error":"llama runner process has terminated"})", errc::unavailable},
          row{500, R"({"error":"context deadline exceeded"})", errc::unavailable},
          row{500,
              R"({"error":{"code":500,"message":"input is too large to process"}})",
              errc::context_too_long},
          row{503,
              R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
              errc::overloaded}})
        EXPECT_EQ(openai_error(answered(status, std::string(body)), "m", now).code, code)
            << status << body;
}

TEST(model_errors, know_a_request_that_is_too_long) {
    std::string_view const bodies[]{
        R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}})",
        R"({"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000"}})",
        R"({"error":{"message":"This model's maximum context length is 4096 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}})",
        R"({"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":null}})",
        R"({"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}})",
        R"({"object":"error","message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096","code":400})",
        R"([{"error":{"code":400,"message":"The input token count (1189373) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}])",
        R"({"error":"input length exceeds maximum context length"})",
        R"({"detail":"Please reduce the length of the messages or completion."})",
        R"({"error":"Input validation error: `inputs` must have less than 1024 tokens. Given: 1050","error_type":"validation"})",
        R"({"error":{"message":"The prompt has 5000 tokens, of which 4096 are allowed at most."}})",
        R"({"error":{"message":"Your request has 5000 tokens, which exceeds 4096."}})",
        R"({"error":{"code":500,"message":"input is too large to process. increase the physical batch size"}})",
        R"({"error":{"message":"total length of prompt and completion exceeds the model's maximum"}})",
        R"({"error":{"message":"Token limit exceeded for this model"}})",
        R"({"error":{"message":"messages too long"}})",
        R"({"error":{"message":"Invalid 'messages[0].content': string too long.","code":"string_above_max_length"}})",
    };
    for (auto const body : bodies) {
        EXPECT_EQ(openai_error(answered(400, std::string(body)), "m", now), errc::context_too_long)
            << body;
        EXPECT_EQ(
            anthropic_error(answered(400, std::string(body)), "m", now), errc::context_too_long
        ) << body;
    }
    EXPECT_EQ(anthropic_error(answered(413), "m", now), errc::context_too_long);
    EXPECT_FALSE(base::retryable(errc::context_too_long));
    for (std::string_view const words :
         {"max_tokens is too large: 64000.",
          "This model supports at most 4096 completion tokens, but 8192 were requested.",
          "The request exceeds 40000 tokens per minute.",
          "Daily token limit exceeded",
          "messages.1.content.0.image.source.base64: the image is too large",
          "Invalid 'messages[1].tool_calls[0].id': string too long.",
          "Invalid 'tools[0].function.description': string too long.",
          "Invalid input: the number is too large"}) {
        auto const body = R"({"error":{"message":")" + std::string(words) + "\"}}";
        EXPECT_EQ(openai_error(answered(400, body), "m", now), errc::invalid) << words;
    }
}

TEST(model_errors, carry_the_delay_that_was_asked_for) {
    auto error = anthropic_error(answered(429, "", {{"retry-after", "7"}}), "m", now);
    EXPECT_EQ(error.retry_after, 7000ms);
    error = openai_error(
        answered(503, "", {{"retry-after-ms", "1500"}, {"retry-after", "7"}}), "m", now
    );
    EXPECT_EQ(error.retry_after, 1500ms);
    error = openai_error(answered(503, "", {{"retry-after-ms", "80000000"}}), "m", now);
    EXPECT_EQ(error.retry_after, 1h);
    error = anthropic_error(
        answered(529, "", {{"retry-after-ms", "soon"}, {"retry-after", "3"}}), "m", now
    );
    EXPECT_EQ(error.retry_after, 3000ms);
    error = anthropic_error(answered(529), "m", now);
    EXPECT_EQ(error.retry_after, std::nullopt);
}

TEST(model_errors, note_until_when_a_long_pause_is_asked_for) {
    std::string const body = R"({"error":{"type":"rate_limit_error","message":"Slow down"}})";
    auto const hour = base::to_iso8601(std::chrono::ceil<std::chrono::seconds>(now + 1h));

    auto const long_pause =
        anthropic_error(answered(429, body, {{"retry-after", "3600"}}), "m", now);
    auto const short_pause =
        anthropic_error(answered(429, body, {{"retry-after", "59"}}), "m", now);

    EXPECT_EQ(
        long_pause.detail,
        "HTTP 429 rate_limit_error, to be asked again at " + hour + ": “Slow down”"
    );
    EXPECT_EQ(short_pause.detail, "HTTP 429 rate_limit_error: “Slow down”");
}

TEST(model_errors, obey_the_vendors_word_on_another_try) {
    auto told_no = anthropic_error(answered(529, "", {{"x-should-retry", "false"}}), "m", now);
    auto told_yes = openai_error(answered(400, "", {{"x-should-retry", "true"}}), "m", now);

    auto spent = openai_error(
        answered(429, R"({"error":{"code":"insufficient_quota"}})", {{"x-should-retry", "true"}}),
        "m",
        now
    );

    EXPECT_FALSE(base::retryable(told_no.code));
    EXPECT_TRUE(base::retryable(told_yes.code));
    EXPECT_EQ(spent.code, errc::budget) << "it is no nearer a moment later";
}

TEST(model_errors, name_the_model_that_is_missing) {
    auto error = anthropic_error(answered(404), "claude-nonesuch", now);

    EXPECT_THAT(error.detail, HasSubstr("no model \"claude-nonesuch\""));
}

TEST(model_errors, quote_the_vendors_message) {
    constexpr std::string_view empty =
        R"({"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}})";

    EXPECT_EQ(
        anthropic_error(answered(400, std::string(empty)), "m", now).detail,
        "HTTP 400 invalid_request_error: “Your credit balance is too low”"
    );
    EXPECT_EQ(
        openai_error(
            answered(429, R"({"error":{"message":"No quota","code":"insufficient_quota"}})"),
            "m",
            now
        )
            .detail,
        "HTTP 429 insufficient_quota: “No quota”"
    );
    EXPECT_THAT(
        openai_error(answered(404, R"({"error":"try pulling it first"})"), "llama", now).detail,
        HasSubstr("(HTTP 404): “try pulling it first”")
    );
    EXPECT_THAT(
        openai_error(answered(422, R"({"detail":"field required"})"), "m", now).detail,
        HasSubstr("“field required”")
    );
    EXPECT_EQ(anthropic_error(answered(502, "<html>busy</html>"), "m", now).detail, "HTTP 502");
}

TEST(model_errors, quote_the_message_of_a_failure_within_an_answer) {
    auto const event = base::parse_json(
        R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"
    );
    auto const object = base::parse_json(R"({"code":"rate_limit_exceeded","message":"Slow down"})");

    EXPECT_THAT(anthropic_error(*event, "m").detail, HasSubstr("“Overloaded”"));
    EXPECT_THAT(openai_error(*object, "m").detail, HasSubstr("“Slow down”"));
}

TEST(model_errors, repeat_no_secret) {
    std::string const body =
        R"({"error":{"message":"Incorrect API key provided: sk-secret","type":"my words here","code":"bad key sk-secret"}})";
    for (int status : {400, 401, 404, 429, 500}) {
        EXPECT_THAT(
            openai_error(answered(status, body), "m", now).detail, Not(HasSubstr("secret"))
        );
        EXPECT_THAT(
            anthropic_error(answered(status, body), "m", now).detail, Not(HasSubstr("words"))
        );
    }
}

TEST(model_errors, a_lost_answer_may_be_asked_for_again) {
    EXPECT_EQ(transport_error(errc::ambiguous).code, errc::unavailable);
    EXPECT_EQ(transport_error(errc::too_large).code, errc::invalid);
    EXPECT_EQ(transport_error(errc::timeout).code, errc::timeout);
    EXPECT_EQ(transport_error(errc::unavailable).code, errc::unavailable);
}

} // namespace
} // namespace postrider::agent::errors_test
