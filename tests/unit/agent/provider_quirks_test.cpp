// What is so of one provider's client alone, and which client a configuration means.
#include "tests/unit/agent/providers_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::provider_quirks_test {
namespace {

using agent::stop_reason;
using testing::SizeIs;

struct anthropic : providers {};
INSTANTIATE_TEST_SUITE_P(
    only, anthropic, testing::Values(provider_api{"", "anthropic", "", "/v1/messages"})
);

// covers: S1.06
TEST_P(anthropic, names_its_version_and_sends_no_temperature_that_it_refuses) {
    auto request = question("Hello");
    request.temperature = 0.5;
    for (auto model : {"claude-haiku-4-5", "claude-haiku-5-5"})
        for (auto version : {"", "2023-06-01"}) {
            auto with = options();
            with.model = model;
            with.version = version;
            EXPECT_TRUE(ask(with, request)) << model << ' ' << version;
        }

    auto const sent = fake_.requests();
    EXPECT_EQ(sent.at(0).headers.at("anthropic-version"), "2026-10-21");
    EXPECT_EQ(sent.at(0).headers.at("x-api-key"), "key-1");
    EXPECT_FALSE(sent.at(0).body.as_object().contains("temperature"));
    EXPECT_EQ(sent.at(1).body.at("temperature"), 0.5);
    EXPECT_FALSE(sent.at(3).body.as_object().contains("temperature"));
}

// covers: S3.02
TEST_P(anthropic, asks_models_that_take_no_force_in_words) {
    auto request = question("Hello");
    request.choice = agent::tool_choice::required;
    auto with = options();
    with.model = "claude-opus-5-5";

    EXPECT_TRUE(ask(with, request));

    auto const sent = fake_.requests();
    ASSERT_THAT(sent, SizeIs(1)) << "what is known to be refused is not tried";
    EXPECT_EQ(sent[0].body.at("tool_choice").at("type"), "auto");
    EXPECT_THAT(
        boost::json::serialize(sent[0].body.at("messages")),
        testing::HasSubstr("Call at least one of your tools")
    );
}

TEST_P(anthropic, names_the_successor_of_a_model_that_is_gone) {
    fake_.offer_models({"claude-sonnet-5-5"});
    auto with = options();
    with.model = "claude-sonnet-4-5-20250929";

    auto const error = ask(with, question("Hello")).error();

    EXPECT_EQ(error.code, base::errc::not_found);
    EXPECT_THAT(error.detail, testing::HasSubstr("its successor is claude-sonnet-5-5"));
}

TEST_P(anthropic, asks_on_after_a_pause) {
    auto pause = fake_reply::saying("First half,");
    pause.stop = "pause_turn";
    fake_.script(pause);
    fake_.script(fake_reply::saying(" second half."));

    auto reply = ask(question("Tell me"));

    EXPECT_THAT(fake_.requests(), SizeIs(2));
    auto const sent = fake_.requests().at(1).body.at("messages").as_array();
    EXPECT_EQ(sent.at(1).at("content").at(0).at("text"), "First half,");
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->text, "First half, second half.");
    EXPECT_EQ(reply->usage.output, 14);
}

struct local_server : providers {};
INSTANTIATE_TEST_SUITE_P(
    only, local_server, testing::Values(provider_api{"", "openai", "chat", "/v1/chat/completions"})
);

TEST_P(local_server, may_be_sloppy) {
    auto sloppy = fake_reply::calling({{"calculator", {{"expression", "1+1"}}}});
    sloppy.sloppy = true;
    fake_.script(sloppy);

    auto reply = ask(question("1+1")).value();

    EXPECT_EQ(reply.stop, stop_reason::tool_calls);
    ASSERT_THAT(reply.calls, SizeIs(1));
    EXPECT_FALSE(reply.calls[0].id.empty());
    EXPECT_EQ(reply.calls[0].arguments.at("expression"), "1+1");
}

// One flow's schema is refused; another agent of the same entry may have one that is taken.
TEST_P(local_server, is_asked_by_another_schema_than_that_which_it_refused) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    auto request = question("How old?");
    request.tools = {};
    request.answer_schema = boost::json::object{{"type", "integer"}};
    fake_.refuse_parameter("response_format");
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(io_.run(model->chat(request)));
    EXPECT_THAT(fake_.requests(), SizeIs(3)) << "refused once";

    fake_.refuse_parameter("");
    request.answer_schema = boost::json::object{{"type", "object"}};
    EXPECT_TRUE(io_.run(model->chat(request)));
    EXPECT_TRUE(fake_.requests().back().body.as_object().contains("response_format"));
}

// Reasoning models of the vendor behind a server that is only compatible refuse max_tokens.
TEST_P(local_server, is_told_the_limit_of_an_answer_by_the_name_that_it_takes) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_.refuse_parameter("max_tokens");

    for (int i = 0; i < 2; ++i) EXPECT_TRUE(io_.run(model->chat(question("Hello"))));

    auto const sent = fake_.requests();
    ASSERT_THAT(sent, SizeIs(3)) << "refused once";
    EXPECT_TRUE(sent[0].body.as_object().contains("max_tokens"));
    for (std::size_t const at : {1u, 2u}) {
        EXPECT_FALSE(sent[at].body.as_object().contains("max_tokens"));
        EXPECT_TRUE(sent[at].body.as_object().contains("max_completion_tokens"));
    }
}

TEST(factory, chooses_by_configuration_alone) {
    loop io;
    auto client = net::make_http_client(io.executor());
    auto name = [&](std::string provider, std::string model, std::string url = "") {
        agent::model_options options;
        options.provider = std::move(provider);
        options.model = std::move(model);
        options.base_url = std::move(url);
        auto result = agent::make_model(std::move(options), *client, base::system_clock());
        return result ? (*result)->name() : std::string(base::to_string(result.error().code));
    };

    EXPECT_EQ(name("anthropic", ""), "anthropic/claude-haiku-4-5");
    EXPECT_EQ(name("openai", ""), "openai/gpt-4o-mini");
    EXPECT_EQ(name("anthropic", "claude-3-5-haiku-latest"), "anthropic/claude-haiku-5-5");
    EXPECT_EQ(name("anthropic", "claude-3-5-sonnet-20241022"), "anthropic/claude-sonnet-5-5");
    EXPECT_EQ(
        name("anthropic", "claude-3.5-sonnet", "http://gate/"), "anthropic/claude-3.5-sonnet"
    );
    EXPECT_EQ(name("openai", "llama3", "http://localhost:11434/v1"), "openai/llama3");
    EXPECT_EQ(name("rules", ""), "rules/builtin");
    EXPECT_EQ(name("oracle", ""), "invalid");
    EXPECT_EQ(name("openai", "", "not a url"), "invalid");
    EXPECT_EQ(name("anthropic", "", "not a url"), "invalid");
}

} // namespace
} // namespace postrider::tests::provider_quirks_test
