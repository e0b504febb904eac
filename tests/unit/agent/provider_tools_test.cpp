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

TEST_P(provider_tools, without_tools_are_asked_without_them) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_reply refused;
    refused.status = 400;
    refused.raw =
        R"({"error":{"message":"registry.ollama.ai/library/small-model does not support tools"}})";
    fake_.script(refused);

    EXPECT_TRUE(io_.run(model->chat(question("Hello"))));

    EXPECT_FALSE(fake_.requests().back().body.as_object().contains("tools"));
    EXPECT_FALSE(model->capabilities().tools);
    auto without = options();
    without.takes_tools = false;
    EXPECT_FALSE(
        agent::make_model(without, *client_, base::system_clock()).value()->capabilities().tools
    );
}

} // namespace
} // namespace postrider::tests::provider_tools_test
