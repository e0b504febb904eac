// Images in the requests of every API, and servers that take none.
#include "agent/models/openai_wire.hpp"
#include "tests/unit/agent/providers_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::provider_images_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// A call of a tool, and the image that it returned.
void look(agent::chat_request& request) {
    agent::chat_message asked{.role = agent::role::assistant};
    asked.calls.push_back({"call_1", "look", boost::json::object{}, {}});
    agent::chat_message result{.role = agent::role::tool, .content = "a picture"};
    result.call_id = "call_1";
    result.images.push_back({"image/png", std::make_shared<std::string const>("iVBORw0KGgo=")});
    request.messages.push_back(std::move(asked));
    request.messages.push_back(std::move(result));
}

struct provider_images : providers {
    provider_images() {
        model_ = agent::make_model(options(), *client_, base::system_clock()).value();
    }

    base::result<agent::chat_reply> show(std::string base64) {
        auto request = question("What is this?");
        auto& images = request.messages.back().images;
        images.push_back({"image/png", std::make_shared<std::string const>(std::move(base64))});
        return io_.run(model_->chat(std::move(request)));
    }
    // Both vendors' clients find the message there.
    void refuse(int status, std::string const& message) {
        fake_reply reply;
        reply.status = status;
        reply.raw = R"({"type":"error","error":{"type":"invalid_request_error","message":")" +
                    message + "\"}}";
        fake_.script(std::move(reply));
    }
    std::string last_body() const { return boost::json::serialize(fake_.requests().back().body); }

    std::unique_ptr<agent::model> model_;
};
INSTANTIATE_TEST_SUITE_P(of, provider_images, every_api(), [](auto const& each) {
    return each.param.name;
});

// covers: S3.21
TEST_P(provider_images, stand_beside_the_words) {
    ASSERT_TRUE(show("iVBORw0KGgo="));

    bool const anthropic = std::string_view(GetParam().provider) == "anthropic";
    EXPECT_THAT(
        last_body(),
        HasSubstr(
            anthropic ? R"({"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="})"
                      : R"(data:image/png;base64,iVBORw0KGgo=)"
        )
    );
    EXPECT_THAT(last_body(), HasSubstr("What is this?"));
}

// covers: S3.21
TEST_P(provider_images, of_a_tool_stand_where_the_api_takes_them) {
    auto request = question("What does the camera see?");
    look(request);

    ASSERT_TRUE(io_.run(model_->chat(std::move(request))));

    auto const sent = fake_.requests().back().body;
    auto const at = [&](char const* place) { return serialize(sent.at_pointer(place)); };
    std::string_view const api = GetParam().name;
    if (api == "anthropic")
        EXPECT_EQ(
            at("/messages/2/content/0/content"),
            R"([{"type":"text","text":"a picture"},{"type":"image","source":{"type":"base64",)"
            R"("media_type":"image/png","data":"iVBORw0KGgo="}}])"
        );
    else if (api == "openai_responses")
        EXPECT_EQ(
            at("/input/2/output"),
            R"([{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="},)"
            R"({"type":"input_text","text":"a picture"}])"
        );
    else
        EXPECT_THAT(last_body(), HasSubstr("a picture"));
    EXPECT_EQ(last_body().find("iVBORw0KGgo") == std::string::npos, api == "openai_chat") << api;
}

// covers: S3.21
TEST(provider_images_of_the_vendor, of_a_tool_come_behind_its_results_where_those_are_texts) {
    agent::chat_request request;
    request.messages = {{.content = "What does the camera see?"}};
    look(request);
    request.messages.push_back({.content = "And?"});
    agent::model_options options;
    options.model = "gpt-4o";

    auto const body = boost::json::parse(agent::openai::chat_body(request, {options, "", true}));

    EXPECT_EQ(body.at_pointer("/messages/2/content"), "a picture");
    EXPECT_EQ(
        serialize(body.at_pointer("/messages/3")),
        R"json({"role":"user","content":[{"type":"image_url","image_url":)json"
        R"json({"url":"data:image/png;base64,iVBORw0KGgo="}},)json"
        R"json({"type":"text","text":"(what the tools returned as images)"}]})json"
    );
    EXPECT_EQ(body.at_pointer("/messages/4/content"), "And?");
}

// As llama.cpp says it, as routers of models do, and as vendors do.
// covers: S3.21
TEST_P(provider_images, of_a_model_that_takes_none_are_told_of_in_words) {
    std::pair<int, char const*> const refusals[]{
        {500,
         "image input is not supported - hint: if this is unexpected, you may need to provide the "
         "mmproj"},
        {404, "No endpoints found that support image input"},
        {400, "Image input modality is not enabled for this model"},
        {400, "This model does not support image_url content"},
        {400, "The model has no vision."}};
    for (auto const& [status, message] : refusals) {
        model_ = agent::make_model(options(), *client_, base::system_clock()).value();
        auto const before = fake_.requests().size();
        refuse(status, message);

        EXPECT_TRUE(show("iVBORw0KGgo=")) << message;
        EXPECT_TRUE(show("iVBORw0KGgo=")) << message;

        EXPECT_EQ(fake_.requests().size() - before, 3u) << message << ": refused once";
        EXPECT_THAT(last_body(), Not(HasSubstr("iVBORw0KGgo"))) << message;
        EXPECT_THAT(last_body(), HasSubstr("which you cannot see")) << message;
    }
}

// One broken file takes the sight from nobody else.
TEST_P(provider_images, that_are_refused_by_themselves_are_left_out_alone) {
    refuse(400, "Could not process image");
    EXPECT_TRUE(show("AAAA"));
    EXPECT_THAT(last_body(), HasSubstr("which you cannot see"));

    EXPECT_TRUE(show("iVBORw0KGgo="));
    EXPECT_THAT(last_body(), HasSubstr("iVBORw0KGgo"));
}

TEST_P(provider_images, other_failures_are_no_refusals_of_theirs) {
    std::pair<int, char const*> const failures[]{
        {400, "max_tokens is too large"},
        {404, "model 'llama3.2-vision' not found, try pulling it first"},
        {404, "the model vision/large is not here"},
        {404, "revision not found"},
        {500, "failed to provision a machine"}};
    for (auto const& [status, message] : failures) {
        auto const before = fake_.requests().size();
        refuse(status, message);
        EXPECT_FALSE(show("iVBORw0KGgo=")) << message;
        EXPECT_EQ(fake_.requests().size() - before, 1u) << message;
    }
    EXPECT_TRUE(show("iVBORw0KGgo="));
    EXPECT_THAT(last_body(), HasSubstr("iVBORw0KGgo"));
}

// Nobody loads them for it any more, unless the operator says that it sees.
TEST_P(provider_images, are_not_loaded_for_a_model_that_has_refused_any) {
    auto with = options();
    for (bool const is_said : {false, true}) {
        if (is_said) with.has_vision = true;
        model_ = agent::make_model(with, *client_, base::system_clock()).value();
        refuse(404, "No endpoints found that support image input");
        EXPECT_TRUE(show("iVBORw0KGgo="));
        EXPECT_EQ(model_->capabilities().vision, is_said);
    }
    EXPECT_TRUE(show("iVBORw0KGgo="));
    EXPECT_THAT(last_body(), HasSubstr("iVBORw0KGgo"));
}

// covers: S3.04
TEST_P(provider_images, are_for_models_that_are_said_to_see) {
    auto with = options();
    EXPECT_TRUE(model_->capabilities().vision);
    with.has_vision = false;
    auto const blind = agent::make_model(std::move(with), *client_, base::system_clock()).value();
    EXPECT_FALSE(blind->capabilities().vision);
}

} // namespace
} // namespace postrider::tests::provider_images_test
