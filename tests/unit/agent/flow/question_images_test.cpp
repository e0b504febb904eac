// What a model sees of the images that came with a message.
#include "net/base64.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::question_images_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

auto const looking = flow_builder("looking")
                         .trigger("In", "telegram.message")
                         .trigger("By hand", "manual")
                         .after("In")
                         .agent("Ask")
                         .part("Sum", "tool.calculator")
                         .after("By hand")
                         .agent("Look", {{"images", "{{ $json.?images.orValue([]) }}"}})
                         .text();

std::string const photo = "\xff\xd8\xff\xe0 a photo";

struct question_images : testing::Test {
    question_images() {
        w.model.sees = true;
        w.chat.files["AgAC"] = photo;
    }

    queue::outcome hear(std::vector<agent::image_source> images) {
        auto input = begun_by("in");
        input.heard = {
            .from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}, .images = std::move(images)};
        return w.run(std::move(input));
    }
    queue::outcome look_at(json::array images) {
        auto input = begun_by("by_hand");
        input.data = json::object{{"text", "What is this?"}, {"images", std::move(images)}};
        return w.run(std::move(input));
    }
    static flow::execution_input begun_by(std::string trigger) {
        flow::execution_input input;
        input.flow = "looking";
        input.version = 1;
        input.trigger = std::move(trigger);
        return input;
    }
    agent::chat_request const& asked(std::size_t n = 0) const { return w.model.requests.at(n); }

    flow_world w{looking};
};

// covers: S3.21
TEST_F(question_images, are_loaded_once_and_shown_in_every_round) {
    w.model.script = {calls({{"calculator", {{"expression", "1+1"}}}}), says("A fern.")};

    EXPECT_FALSE(hear({{.file = "AgAC"}}).degraded);

    ASSERT_THAT(w.model.requests, SizeIs(2));
    for (auto const& request : w.model.requests) {
        auto const& question = request.messages.at(0);
        ASSERT_THAT(question.images, SizeIs(1));
        EXPECT_EQ(question.images[0].media_type, "image/jpeg");
        EXPECT_EQ(*question.images[0].base64, net::to_base64(photo));
    }
    EXPECT_EQ(w.chat.loaded, 1);
}

// covers: S3.21
TEST_F(question_images, a_model_that_cannot_see_is_told) {
    w.model.sees = false;
    w.model.script = {says("I cannot see it.")};

    auto const ended = hear({{.file = "AgAC"}});

    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(ended.degraded->reason, "images_missing");

    EXPECT_THAT(asked().messages.at(0).images, IsEmpty());
    EXPECT_THAT(asked().trailing_context, HasSubstr("which you cannot see"));
    EXPECT_EQ(w.chat.loaded, 0);
}

TEST_F(question_images, those_that_cannot_be_shown_are_told_of) {
    w.chat.files["text"] = "no image";
    w.model.script = {says("I see one.")};

    auto const ended = hear({{.file = "gone"}, {.file = "AgAC"}, {.file = "text"}});

    EXPECT_EQ(ended.state, queue::job_state::completed);
    EXPECT_THAT(asked().messages.at(0).images, SizeIs(1));
    EXPECT_THAT(asked().trailing_context, HasSubstr("2 images came with the message"));
}

// Telegram does not answer for a moment.
TEST_F(question_images, those_that_fail_once_are_asked_for_again) {
    w.chat.load_failures = {base::error(base::errc::unavailable)};
    w.model.script = {says("A fern.")};

    hear({{.file = "AgAC"}});

    EXPECT_THAT(asked().messages.at(0).images, SizeIs(1));
}

TEST_F(question_images, those_that_fail_again_are_not_waited_for_in_the_next_round) {
    w.chat.load_failures = {
        base::error(base::errc::unavailable), base::error(base::errc::unavailable)};
    w.model.script = {calls({{"calculator", {{"expression", "1+1"}}}}), says("A fern.")};

    hear({{.file = "AgAC"}});

    ASSERT_THAT(w.model.requests, SizeIs(2));
    for (auto const& request : w.model.requests) {
        EXPECT_THAT(request.messages.at(0).images, IsEmpty());
        EXPECT_THAT(request.trailing_context, HasSubstr("which you cannot see"));
    }
    EXPECT_EQ(w.chat.loaded, 2);
}

TEST_F(question_images, are_shown_up_to_a_size) {
    std::string large(agent::most_image_bytes, '.');
    large.replace(0, photo.size(), photo);
    w.chat.files = {{"large", large}, {"larger", large + "."}};
    w.model.script = {says("I see four.")};

    hear(
        {{.file = "larger"},
         {.file = "large"},
         {.file = "large"},
         {.file = "large"},
         {.file = "large"},
         {.file = "large"}}
    );

    EXPECT_THAT(asked().messages.at(0).images, SizeIs(4)) << "no request takes more";
    EXPECT_THAT(asked().trailing_context, HasSubstr("2 images came with the message"));
}

// A flow's own data may have a member of that name.
TEST_F(question_images, are_those_of_the_message_alone_unless_said) {
    w.model.script = {says("Hello.")};
    auto input = begun_by("in");
    input.heard = {.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
    input.start = "ask";
    input.data = json::object{
        {"text", "What is this?"}, {"images", json::array{json::object{{"file", "AgAC"}}}}};

    w.run(std::move(input));

    EXPECT_THAT(asked().messages.back().images, IsEmpty());
    EXPECT_EQ(w.chat.loaded, 0);
}

TEST_F(question_images, may_be_passed_on_as_they_are) {
    w.model.script = {says("A fern.")};

    look_at({json::object{{"data", net::to_base64(photo)}}, json::object{{"data", "%"}}});

    EXPECT_THAT(asked().messages.at(0).images, SizeIs(1));
    EXPECT_THAT(asked().trailing_context, HasSubstr("An image came with the message"));
}

// covers: E.08
TEST_F(question_images, are_not_loaded_for_what_the_record_has) {
    w.model.script = {says("A fern.")};
    auto const first = hear({{.file = "AgAC"}});

    auto const again = w.run();

    EXPECT_EQ(again.output, first.output);
    EXPECT_EQ(w.chat.loaded, 1);
}

} // namespace

} // namespace postrider::tests::question_images_test
