// Tools that a model's server refuses.
#include "tests/unit/agent/providers_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::provider_tools_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class provider_tools : public providers {};

INSTANTIATE_TEST_SUITE_P(all, provider_tools, every_api(), [](auto const& named) {
    return named.param.name;
});

// The words of each vendor, and of the gateways that speak its API.
TEST_P(provider_tools, are_asked_again_without_a_tool_that_they_refuse) {
    std::string_view const refusals[]{
        R"({"error":{"message":"Invalid schema for function 'calculator': schema must have type 'object'.","type":"invalid_request_error","param":"tools[0].function.parameters"}})",
        R"({"type":"error","error":{"type":"invalid_request_error","message":"tools.0.custom.input_schema: JSON schema is invalid."}})",
        R"([{"error":{"code":400,"message":"GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[x].items: missing field.","status":"INVALID_ARGUMENT"}}])",
        R"({"error":{"message":"Bad schema","type":"invalid_request_error","param":"tools[0].function.parameters"}})"};
    for (auto const refusal : refusals) {
        auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
        fake_reply refused;
        refused.status = 400;
        refused.raw = std::string(refusal);
        fake_.script(refused);
        auto const before = fake_.requests().size();
        testing::internal::CaptureStderr();

        auto const reply = io_.run(model->chat(question("Hello")));
        auto const again = io_.run(model->chat(question("Hello")));

        std::string const log = testing::internal::GetCapturedStderr();
        ASSERT_TRUE(reply && again) << refusal;
        auto const all = fake_.requests();
        ASSERT_EQ(all.size(), before + 3) << refusal;
        for (auto i = before + 1; i < all.size(); ++i) {
            auto const tools = boost::json::serialize(all[i].body.at("tools"));
            EXPECT_THAT(tools, testing::Not(HasSubstr("\"calculator\""))) << refusal;
            EXPECT_THAT(tools, HasSubstr("\"current_time\""));
        }
        ASSERT_THAT(reply->refused_tools, SizeIs(1));
        EXPECT_EQ(reply->refused_tools[0].name, "calculator");
        EXPECT_THAT(again->refused_tools, testing::IsEmpty()) << "told once";
        EXPECT_THAT(log, HasSubstr("model.tool_left_out"));
    }
}

// Its form is refused, in words that would be of all tools elsewhere.
TEST_P(provider_tools, are_not_all_left_out_for_one) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_reply refused;
    refused.status = 400;
    refused.raw =
        R"({"error":{"message":"Function 'calculator' has an unsupported keyword","param":"tools"}})";
    fake_.script(refused);

    auto const reply = io_.run(model->chat(question("Hello")));

    ASSERT_TRUE(reply);
    EXPECT_THAT(reply->refused_tools, SizeIs(1));
    EXPECT_TRUE(fake_.requests().back().body.as_object().contains("tools"));
}

// A schema is refused, and nothing says whose: one that somebody else wrote.
TEST_P(provider_tools, of_others_are_left_out_where_a_refusal_names_none) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_reply refused;
    refused.status = 400;
    refused.raw = R"({"error":{"message":"Invalid JSON schema: no such keyword as oneOff"}})";
    fake_.script(refused);
    auto request = question("Hello");
    request.foreign_tools = {"current_time"};
    testing::internal::CaptureStderr();

    auto const reply = io_.run(model->chat(request));
    auto const again = io_.run(model->chat(request));

    std::string const log = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(reply && again);
    auto const all = fake_.requests();
    ASSERT_EQ(all.size(), 3u);
    for (auto i = 1u; i < all.size(); ++i) {
        auto const tools = boost::json::serialize(all[i].body.at("tools"));
        EXPECT_THAT(tools, testing::Not(HasSubstr("\"current_time\"")));
        EXPECT_THAT(tools, HasSubstr("\"calculator\""));
    }
    EXPECT_TRUE(reply->lacks_tools);
    ASSERT_THAT(reply->refused_tools, SizeIs(1));
    EXPECT_EQ(reply->refused_tools[0].name, "current_time");
    EXPECT_THAT(again->refused_tools, testing::IsEmpty()) << "told once";
    EXPECT_THAT(log, HasSubstr("model.tool_left_out"));
}

TEST_P(provider_tools, of_others_are_offered_again_where_it_fails_without_them) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_reply refused;
    refused.status = 400;
    refused.raw = R"({"error":{"message":"Invalid JSON schema: no such keyword as oneOff"}})";
    fake_.script(refused);
    fake_.script(refused);
    auto request = question("Hello");
    request.foreign_tools = {"current_time"};

    EXPECT_FALSE(io_.run(model->chat(request)));
    EXPECT_EQ(fake_.requests().size(), 2u) << "once";
    auto const next = io_.run(model->chat(request));

    ASSERT_TRUE(next);
    EXPECT_THAT(next->refused_tools, testing::IsEmpty());
    EXPECT_THAT(
        boost::json::serialize(fake_.requests().back().body.at("tools")),
        HasSubstr("\"current_time\"")
    );
}

TEST_P(provider_tools, without_tools_are_asked_without_them) {
    struct sample {
        int status;
        std::string_view refusal;
    };
    for (auto const& [status, refusal] :
         {sample{
              400,
              R"({"error":{"message":"registry.ollama.ai/library/small-model does not support tools"}})"},
          sample{
              422,
              R"({"detail":[{"loc":["body","tools"],"msg":"Extra inputs are not permitted"}]})"},
          sample{
              400,
              R"({"error":{"message":"Bad request","param":"tools","code":"unknown_parameter"}})"},
          sample{500, R"({"error":{"code":500,"message":"tools param requires --jinja flag"}})"}}) {
        auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
        fake_reply refused;
        refused.status = status;
        refused.raw = std::string(refusal);
        fake_.script(refused);

        EXPECT_TRUE(io_.run(model->chat(question("Hello")))) << refusal;

        EXPECT_FALSE(fake_.requests().back().body.as_object().contains("tools")) << refusal;
        EXPECT_FALSE(model->capabilities().tools) << refusal;
    }
    auto without = options();
    without.takes_tools = false;
    EXPECT_FALSE(
        agent::make_model(without, *client_, base::system_clock()).value()->capabilities().tools
    );
}

// Anthropic's refusals have a status of their own.
TEST_P(provider_tools, are_left_out_for_a_refusal_within_an_answer) {
    if (GetParam().provider == std::string_view("anthropic")) return;
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_reply refused;
    refused.status = 200;
    refused.raw = R"({"error":{"message":"The model does not support tools","code":400}})";
    fake_.script(refused);

    EXPECT_TRUE(io_.run(model->chat(question("Hello"))));

    EXPECT_FALSE(fake_.requests().back().body.as_object().contains("tools"));
}

} // namespace
} // namespace postrider::tests::provider_tools_test
