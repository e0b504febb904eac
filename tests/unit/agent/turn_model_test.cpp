// What a turn asks its model, and what it pays.
#include "agent/flow/run/model_failure.hpp"
#include "agent/loop/decide.hpp"
#include "net/base64.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::turn_model_test {
namespace {

using base::errc;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

auto add(std::string expression) {
    return std::pair<std::string, boost::json::object>{"calculator", {{"expression", expression}}};
}

TEST(turn_model, pays_less_for_what_the_provider_had_cached) {
    turn_world world;
    world.profile.prices = {.input = 2, .cached = 0.5, .cache_written = 3, .output = 10};
    auto reply = says("Hello");
    reply.usage = {.input = 100, .cached = 60, .output = 5, .cache_written = 30};
    world.model.script.push_back(reply);

    auto outcome = world.run();

    EXPECT_EQ(world.record.paid.tokens_cached, 60);
    EXPECT_EQ(world.record.paid.cost_micro, 10 * 2 + 60 * 0.5 + 30 * 3 + 5 * 10);
}

TEST(turn_model, is_told_what_came_with_the_message_and_what_it_replies_to) {
    turn_world world;
    auto& input = world.job.input.as_object();
    input["attachment"] = "file \"report.pdf\"";
    input["replied"] = {
        {"user", 99}, {"name", "Fern"}, {"own", true}, {"text", "Two \"figures\"."}};
    world.model.script.push_back(says("I cannot see it."));

    world.run();

    auto const& told = world.model.requests.at(0).trailing_context;
    EXPECT_THAT(told, HasSubstr("you cannot see: file \"report.pdf\"."));
    EXPECT_THAT(told, HasSubstr(R"(earlier message of yours: "Two \"figures\"."))"));
    EXPECT_THAT(world.texts_of("user"), ElementsAre("What is it?")) << "the words stay as they are";
}

boost::json::object earlier(
    int job, int position, std::string_view role, std::string_view content
) {
    return {
        {"lane_id", 1},
        {"job_id", job},
        {"conversation_id", 5},
        {"position", position},
        {"role", role},
        {"content", content},
        {"id", std::to_string(job) + "." + std::to_string(position)}};
}

boost::json::array one_image(std::string_view file) {
    return {boost::json::object{{"file", file}}};
}

storage::row coalesced(int job, boost::json::object more) {
    auto input = heard_in({bot_id{1}, chat_id{7}, {}});
    for (auto const& member : more) input.as_object()[member.key()] = member.value();
    return storage::row{{"0", std::to_string(job), boost::json::serialize(input)}};
}

// A mailbox that coalesces: one turn answers all of them.
// covers: S3.21
TEST(turn_model, is_told_what_came_with_all_messages_that_it_answers_in_their_order) {
    turn_world world;
    world.model.sees = true;
    world.chat.files = {{"first", "\xff\xd8\xff 1"}, {"second", "\xff\xd8\xff 2"}};
    world.table.add(earlier(80, 0, "user", "Hello"));
    world.table.add(earlier(80, 2, "assistant", "Hello to you"));
    world.table.add(earlier(90, 0, "user", "summarise this"));
    world.table.add(earlier(91, 0, "user", "(image)"));
    world.table.coalesced = {
        coalesced(
            90,
            {{"attachment", "file \"report.pdf\""},
             {"replied", {{"user", 7}, {"name", "Al"}, {"own", false}, {"text", "Here."}}}}
        ),
        coalesced(91, {{"images", one_image("first")}})};
    auto& input = world.job.input.as_object();
    input["attachment"] = "voice message";
    input["images"] = one_image("second");
    world.model.script.push_back(says("I cannot see it."));

    world.run();

    auto const& request = world.model.requests.at(0);
    EXPECT_THAT(
        request.trailing_context,
        testing::ContainsRegex(
            "The earlier message \"summarise this\" came with .*report.pdf(.|\n)*"
            "The earlier message \"summarise this\" replies to .* the same person: \"Here.\"(.|\n)*"
            "The message came with .*voice message"
        )
    );
    auto const& images = request.messages.back().images;
    ASSERT_EQ(images.size(), 2u);
    EXPECT_EQ(*images[0].base64, net::to_base64(world.chat.files["first"]));
    EXPECT_EQ(*images[1].base64, net::to_base64(world.chat.files["second"]));
}

TEST(turn_model, is_shown_the_newest_images_of_all_messages_up_to_those_of_one) {
    turn_world world;
    world.model.sees = true;
    world.table.add(earlier(90, 0, "user", "(image)"));
    boost::json::array many;
    for (std::size_t n = 0; n < agent::most_images; ++n) {
        auto const file = std::to_string(n);
        world.chat.files[file] = "\xff\xd8\xff " + file;
        many.push_back(boost::json::object{{"file", file}});
    }
    world.table.coalesced = {coalesced(90, {{"images", many}})};
    world.chat.files["own"] = "\xff\xd8\xff own";
    world.job.input.as_object()["images"] = one_image("own");
    world.model.script.push_back(says("Eleven."));

    world.run();

    auto const& images = world.model.requests.at(0).messages.back().images;
    ASSERT_EQ(images.size(), agent::most_images);
    EXPECT_EQ(*images.front().base64, net::to_base64(world.chat.files["1"]));
    EXPECT_EQ(*images.back().base64, net::to_base64(world.chat.files["own"]));
}

// Behind an answer there is nothing that a mailbox could have joined.
TEST(turn_model, costs_a_usual_turn_no_look_for_joined_messages) {
    turn_world world;
    world.table.add(earlier(80, 0, "user", "Hello"));
    world.table.add(earlier(80, 2, "assistant", "Hello to you"));
    world.model.script.push_back(says("A fern."));

    world.run();

    EXPECT_EQ(world.table.reads, 1);
}

TEST(turn_model, reads_no_more_messages_than_it_is_to_see) {
    turn_world world;
    world.profile.history = 2;
    world.table.add(earlier(80, 0, "user", "Hello"));
    world.table.add(earlier(80, 2, "assistant", "Hello to you"));
    world.model.script.push_back(says("A fern."));

    world.run();

    EXPECT_EQ(world.table.newest, 2);
    EXPECT_EQ(world.table.reads, 1);
}

// Nothing is answered among those that it sees: the mailbox may have joined messages before them.
TEST(turn_model, looks_for_joined_messages_beyond_what_it_is_to_see) {
    turn_world world;
    world.profile.history = 2;
    world.table.add(earlier(70, 0, "user", "One"));
    world.table.add(earlier(80, 0, "user", "Two"));
    world.table.add(earlier(90, 0, "user", "Three"));
    world.model.script.push_back(says("A fern."));

    world.run();

    EXPECT_GE(world.table.newest, 50);
}

// covers: X.21
TEST(turn_model, sends_in_each_round_what_it_sent_before) {
    turn_world world;
    world.model.script.push_back(calls({add("2+2")}));
    world.model.script.push_back(says("4"));
    world.model.while_asked = [&] { world.clock.advance(std::chrono::minutes{1}); };

    world.run();

    ASSERT_THAT(world.model.requests, SizeIs(2));
    auto const& first = world.model.requests[0];
    auto const& second = world.model.requests[1];
    EXPECT_EQ(first.system, second.system);
    ASSERT_GT(second.messages.size(), first.messages.size());
    for (std::size_t at = 0; at < first.messages.size(); ++at) {
        EXPECT_EQ(first.messages[at].role, second.messages[at].role);
        EXPECT_EQ(first.messages[at].content, second.messages[at].content);
    }
    EXPECT_THAT(first.trailing_context, HasSubstr("current date and time"));
    EXPECT_THAT(first.system, Not(HasSubstr("(The current date and time is")));
    EXPECT_THAT(
        second.trailing_context,
        HasSubstr(base::to_iso8601(world.clock.now() - std::chrono::minutes{1}))
    ) << "each call is told its own time";
    EXPECT_NE(first.trailing_context, second.trailing_context);
}

TEST(turn_model, says_that_its_answer_was_cut) {
    turn_world world;
    auto cut = says("Once upon");
    cut.stop = agent::stop_reason::length;
    world.model.script.push_back(cut);

    world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("cut off")));
}

// Too long is only what the model says is.
TEST(turn_model, says_that_its_answer_ended_early_for_no_known_reason) {
    for (auto const* text : {"Once upon", ""}) {
        turn_world world;
        auto broken = says(text);
        broken.stop = agent::stop_reason::broken_off;
        world.model.script.push_back(broken);

        world.run();

        EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("My language model")));
        EXPECT_THAT(world.texts_of("assistant"), ElementsAre(Not(HasSubstr("too long"))));
    }
}

base::awaitable<base::result<int>> never_answer() {
    co_await base::sleep_for(std::chrono::hours{1});
    co_return 1;
}

TEST(model_failure, knows_what_the_engine_says_of_a_step_that_it_cut_off) {
    loop io;

    auto const cut = io.run(base::with_timeout(never_answer(), std::chrono::milliseconds{1}));

    EXPECT_TRUE(agent::flow::ended_without_answer(cut.error()));
    EXPECT_FALSE(agent::flow::ended_without_answer({errc::timeout, "HTTP 504"}));
    EXPECT_FALSE(agent::flow::ended_without_answer({errc::unavailable, "HTTP 500"}));
}

// The last try had a millisecond left: that is no reason that helps anybody.
TEST(turn_model, fails_by_the_providers_word_when_the_time_is_up) {
    turn_world world;
    world.cut_off_at = 3;
    world.model.script.push_back(base::error(errc::rate_limited, "HTTP 429"));
    world.model.script.push_back(base::error(errc::overloaded, "HTTP 529: “Overloaded”"));

    auto const ended = world.run();

    EXPECT_THAT(world.model.requests, SizeIs(2));
    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(
        base::to_string(ended.degraded->error),
        "overloaded: HTTP 529: “Overloaded”; then the time was up"
    );
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("too busy")));
}

TEST(turn_model, leaves_the_providers_words_to_the_job_and_not_to_the_log) {
    turn_world world;
    world.model.script.push_back(base::error(
        errc::budget, "HTTP 400 invalid_request_error: “Your credit balance is too low”"
    ));

    testing::internal::CaptureStderr();
    auto const ended = world.run();
    auto const log = testing::internal::GetCapturedStderr();

    ASSERT_TRUE(ended.degraded);
    EXPECT_THAT(ended.degraded->error.detail, HasSubstr("“Your credit balance is too low”"));
    EXPECT_THAT(log, HasSubstr("budget: HTTP 400 invalid_request_error"));
    EXPECT_THAT(log, Not(HasSubstr("credit")));
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(Not(HasSubstr("credit"))));
}

// An expression makes no text of more than 1 MiB, and the node that sends the answer names it by one.
TEST(turn_model, cuts_an_answer_that_is_too_long_to_be_passed_on) {
    turn_world world;
    world.chat.part_size = 4u << 20;
    world.model.script.push_back(says(std::string(2u << 20, 'x')));

    auto const ended = world.run();

    EXPECT_EQ(ended.state, queue::job_state::completed);
    ASSERT_THAT(world.chat.sent, SizeIs(1));
    EXPECT_THAT(
        world.chat.sent[0].content.text,
        EndsWith("\n\n" + agent::language::notices_in("en").cut_off)
    );
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(world.chat.sent[0].content.text));
}

TEST(turn_model, gives_its_model_as_long_as_the_configuration_says) {
    turn_world world;
    world.profile.timeout = std::chrono::minutes{5};
    world.model.script.push_back(says("at last"));

    world.run();

    EXPECT_EQ(world.model.requests.at(0).timeout, std::chrono::minutes{5});
}

TEST(turn_model, tells_what_it_cost_and_what_it_used) {
    turn_world world;
    world.profile.prices = {.input = 2, .output = 10};
    world.model.script.push_back(calls({add("2+2")}));
    world.model.script.push_back(says("4"));

    auto outcome = world.run();

    EXPECT_EQ(noted(outcome, "iterations"), 2);
    EXPECT_EQ(noted(outcome, "tools_used"), boost::json::array{"calculator"});
    EXPECT_DOUBLE_EQ(noted(outcome, "cost").as_double(), (20 * 2 + 6 * 10) / 1e6);
    EXPECT_EQ(world.record.paid.cost_micro, 20 * 2 + 6 * 10);
}

void remember(turn_world& world, int turns) {
    for (int turn = 0; turn < turns; ++turn)
        for (int side = 0; side < 2; ++side)
            world.table.add(
                {{"lane_id", 1},
                 {"job_id", 50 + turn},
                 {"conversation_id", 5},
                 {"position", side},
                 {"role", side == 0 ? "user" : "assistant"},
                 {"content", std::string(400, 'x')},
                 {"id", std::to_string(2 * turn + side)}}
            );
}

TEST(turn_model, shortens_a_history_that_is_too_long_and_asks_again) {
    turn_world world;
    remember(world, 10);
    base::error const too_long(errc::context_too_long, "prompt is too long");
    world.model.script.push_back(too_long);
    world.model.script.push_back(says("Hello"));

    world.run();

    ASSERT_THAT(world.model.requests, SizeIs(2));
    auto const& whole = world.model.requests[0].messages;
    auto const& shorter = world.model.requests[1].messages;
    EXPECT_LT(shorter.size(), whole.size());
    EXPECT_EQ(shorter.back().content, whole.back().content);
    EXPECT_EQ(world.texts_of("assistant").back(), "Hello");
}

TEST(turn_model, shortens_a_history_once) {
    turn_world world;
    remember(world, 10);
    base::error const too_long(errc::context_too_long, "prompt is too long");
    for (int i = 0; i < 3; ++i) world.model.script.push_back(too_long);

    world.run();

    EXPECT_THAT(world.model.requests, SizeIs(2));
    EXPECT_THAT(world.texts_of("assistant").back(), HasSubstr("too long"));
}

} // namespace
} // namespace postrider::tests::turn_model_test
