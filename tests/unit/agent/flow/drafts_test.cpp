// Answers as people see them while they are written.
#include "agent/flow/watch/drafts.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/object.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::drafts_test {

namespace {

namespace flow = agent::flow;
using namespace std::chrono_literals;
using testing::ElementsAre;

struct recording_screen final : agent::draft_screen {
    bool shows(agent::address const& chat) const override {
        return is_on && base::raw(chat.chat) > 0;
    }
    base::awaitable<base::result<void>> show(agent::address, std::int64_t number, std::string text)
        override {
        numbers.push_back(number);
        texts.push_back(std::move(text));
        if (!failure) co_return base::result<void>{};
        co_return *failure;
    }

    bool is_on = true;
    std::vector<std::int64_t> numbers;
    std::vector<std::string> texts;
    std::optional<base::error> failure;
};

auto const answering = flow_builder("answering")
                           .trigger("In", "telegram.message")
                           .agent("Ask")
                           .node("Reply", "telegram.send", {{"text", "{{ $json.text }}"}})
                           .text();
auto const thinking =
    flow_builder("thinking").trigger("In", "telegram.message").agent("Ask").text();

struct drafts : testing::Test {
    ~drafts() override { io.run(shown.close()); }

    static queue::job heard_in(agent::address where) {
        flow::execution_input input;
        input.flow = "answering";
        input.version = 1;
        input.heard = {.from = where, .user = user_id{7}};
        queue::job job;
        job.id = job_id{41};
        job.input = to_json(input);
        return job;
    }
    void begin(std::string_view document = answering) {
        graph = compiled(document);
        watcher = shown.of(heard_in({bot_id{1}, chat_id{7}, {}}), *graph);
    }
    flow::node const& agent() const { return *graph->nodes()[1].node; }
    void write(std::string text) {
        watcher->node_reported(agent(), flow::model_chunk, {{"text", std::move(text)}});
    }
    void fall_silent() { watcher->node_reported(agent(), flow::model_silent, {}); }
    void until_shown(std::size_t count) {
        for (int tries = 0; tries < 5000 && screen.texts.size() < count; ++tries)
            io.run(base::sleep_for(1ms));
        ASSERT_GE(screen.texts.size(), count);
    }
    // What was to be shown until now is shown by then.
    void until_another_is_shown() {
        auto const count = screen.texts.size();
        auto const other = shown.of(heard_in({bot_id{1}, chat_id{8}, {}}), *graph);
        other->node_reported(agent(), flow::model_chunk, {{"text", "another"}});
        until_shown(count + 1);
        EXPECT_EQ(screen.texts.at(count), "another");
    }

    loop io;
    recording_screen screen;
    flow::draft_times times{.before_first = 2ms, .between = 2ms, .lifetime = 1h};
    flow::drafts shown{io.executor(), screen, base::system_clock(), times};
    std::shared_ptr<flow::graph const> graph;
    std::unique_ptr<flow::observer> watcher;
};

TEST_F(drafts, grow_with_what_is_written) {
    begin();
    EXPECT_TRUE(watcher->is_watched());
    write("Ferns ");
    until_shown(1);
    write("like ");
    write("shade.");
    until_shown(2);

    EXPECT_THAT(screen.texts, ElementsAre("Ferns ", "Ferns like shade."));
    EXPECT_THAT(screen.numbers, ElementsAre(42, 42)) << "the same in every run of the job";
}

TEST_F(drafts, show_nothing_once_the_model_is_silent) {
    begin();
    write("I will look.");
    until_shown(1);
    write(" One moment");
    fall_silent();
    until_another_is_shown();

    write("It is a fern.");
    until_shown(3);
    EXPECT_EQ(screen.texts.back(), "It is a fern.") << "of the next call alone";
    write(" Really.");
    watcher->node_finished(agent(), {}, nullptr, {});
    EXPECT_FALSE(watcher->is_watched());
    until_another_is_shown();
}

TEST_F(drafts, are_stopped_by_their_number_alone) {
    begin();
    auto* stop = watcher->stop();
    ASSERT_NE(stop, nullptr);
    agent::address const here{bot_id{1}, chat_id{7}, {}};
    EXPECT_FALSE(shown.stop(here, 41));
    EXPECT_FALSE(shown.stop({bot_id{1}, chat_id{8}, {}}, 42));
    EXPECT_FALSE(stop->is_made());

    EXPECT_TRUE(shown.stop(here, 42));

    EXPECT_TRUE(stop->is_made());
    EXPECT_FALSE(watcher->is_watched());
    watcher.reset();
    EXPECT_FALSE(shown.stop(here, 42)) << "a press behind the end is harmless";
}

TEST_F(drafts, take_back_what_turns_out_to_be_a_thought) {
    begin();
    write("Hm");
    write("");
    write("Yes.");
    until_shown(1);
    EXPECT_THAT(screen.texts, ElementsAre("Yes."));
}

TEST_F(drafts, stay_as_long_as_the_model_pauses) {
    times.lifetime = 2ms;
    flow::drafts short_lived(io.executor(), screen, base::system_clock(), times);
    graph = compiled(answering);
    watcher = short_lived.of(heard_in({bot_id{1}, chat_id{7}, {}}), *graph);
    write("Ferns");
    until_shown(3);
    EXPECT_EQ(screen.texts[2], "Ferns");
    watcher.reset();
    io.run(short_lived.close());
}

TEST_F(drafts, end_where_the_place_shows_none_after_all) {
    screen.failure = base::error(base::errc::refused, "an older server");
    begin();
    write("Ferns");
    until_shown(1);
    EXPECT_FALSE(watcher->is_watched());
    screen.failure.reset();
    write(" like shade.");
    until_another_is_shown();
}

TEST_F(drafts, go_on_after_a_failure_that_passes) {
    screen.failure = base::error(base::errc::unavailable);
    begin();
    write("Ferns");
    until_shown(1);
    screen.failure.reset();
    write(" like shade.");
    until_shown(2);
    EXPECT_EQ(screen.texts.back(), "Ferns like shade.");
}

TEST_F(drafts, are_of_private_chats_and_of_words_that_go_out) {
    graph = compiled(answering);
    EXPECT_FALSE(shown.of(heard_in({bot_id{1}, chat_id{-7}, {}}), *graph)) << "a group";
    auto command = heard_in({bot_id{1}, chat_id{7}, {}});
    command.input.as_object()["command"] = "/help";
    EXPECT_FALSE(shown.of(command, *graph));
    auto fork = heard_in({bot_id{1}, chat_id{7}, {}});
    fork.input.as_object()["silent"] = true;
    EXPECT_FALSE(shown.of(fork, *graph)) << "nobody is answered";

    begin(thinking);
    EXPECT_FALSE(watcher->is_watched()) << "no node sends the agent's text";
    write("A thought");
    begin();
    until_another_is_shown();
}

} // namespace

} // namespace postrider::tests::drafts_test
