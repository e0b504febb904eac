// Turns that ask a person before they act, and whose model calls count against a budget, while
// processes die: nothing is done twice without a flag, nothing approved is lost, no budget leaks.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/flow_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::approval_kill_test {

namespace {

using namespace std::chrono_literals;

// What it does can be counted: a message to Bob.
auto const announcer =
    flow_builder("announcer")
        .trigger("In", "manual")
        .node(
            "Out", "telegram.send", {{"bot", "main"}, {"chat", 7002}, {"text", "{{ $json.text }}"}}
        )
        .text();

auto const careful =
    flow_builder("careful")
        .trigger("In", "telegram.message", {{"commands", boost::json::array{"/tell"}}})
        .agent("Ask")
        .part(
            "Tell",
            "tool.flow",
            {{"name", "tell"},
             {"description", "Tells Bob."},
             {"flow", "announcer"},
             {"risk", "high"},
             {"input", {{"text", "{{ $from_ai('text') }}"}}}}
        )
        .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
        .text();

class careful_scene : public scene {
public:
    careful_scene() {
        configure(product());
        product().start();
        introduce();
        publish("announcer", announcer);
        publish("careful", careful);
        product().stop();
        calls_before_ = std::stoi(value("select calls from postrider.budget_day"));
    }

    // A second process, of the same configuration.
    auto start_neighbour() {
        auto started = neighbour();
        configure(*started);
        started->start();
        return started;
    }

    // Alice asks for it, and the model wants to do it.
    void begin(std::string const& text) {
        fake_tool_call call;
        call.name = "tell";
        call.arguments = {{"text", text}};
        models.always(fake_reply::calling({call}));
        text_ = text;
        pressed_ = false;
        ++turns_;
        say(alice, "/tell " + text);
    }
    // The question has come, and its press is sent, once.
    bool press_once() {
        if (pressed_) return true;
        auto const question =
            value("select min(question) from postrider.approval where state = 'waiting'");
        if (question.empty() || value("select count(*) from postrider.wait") == "0") return false;
        models.always(fake_reply::saying("Bob knows " + text_)); // no two turns say the same
        telegram.press(
            {.from = alice,
             .chat = chat_id{base::raw(alice)},
             .message = telegram.sent(chat_id{base::raw(alice)}).back().message,
             .data = question + ":approve"}
        );
        return pressed_ = true;
    }
    bool is_over() {
        return value("select count(*) from postrider.job where finished_at is null") == "0" &&
               telegram.pending() == 0;
    }

    // That it came twice unflagged is the oracle's.
    void check(std::string const& text) {
        auto const times = std::ranges::count(texts(chat_id{base::raw(bob)}), text);
        EXPECT_GE(times, 1) << text << " was approved and is lost\n" << product().log();
        EXPECT_EQ(
            value("select count(*) from postrider.approval where state = 'approved' and used_at is "
                  "not null"),
            std::to_string(turns_)
        ) << text;
        EXPECT_EQ(value("select count(*) from postrider.budget_hold"), "0") << text;
        EXPECT_EQ(
            std::stoi(value("select calls from postrider.budget_day")),
            calls_before_ + std::stoi(value("select count(*) from postrider.step where key like "
                                            "'ask/model%' and outcome = 'done'"))
        ) << text;
    }

private:
    template<class Product>
    static void configure(Product const& configured) {
        write_file(
            configured.folder() / "postrider.toml", "[budgets]\ntotal_calls_per_day = 10000\n"
        );
    }
    void publish(std::string const& name, std::string_view document) {
        auto const file = product().folder() / (name + ".json");
        write_file(file, std::string(document));
        auto const imported = product().run({"flows", "import", file.string(), "--publish"});
        if (imported.code != 0) throw std::runtime_error("not published: " + imported.out);
    }

    std::string text_;
    bool pressed_ = false;
    int turns_ = 0;
    int calls_before_ = 0;
};

class careful_turn : public testing::TestWithParam<std::string> {};

// covers: E.08 E.14 X.04 X.07
TEST_P(careful_turn, survives_a_kill_at_each_of_its_commits) {
    constexpr int most = 40; // a turn has fewer
    careful_scene s;
    int kills = 0;
    for (int hit = 1; hit <= most; ++hit) {
        auto const text = fmt::format("news of kill {}", hit);
        s.product().start({{"POSTRIDER_FAULTS", fmt::format("{}:kill:{}", GetParam(), hit)}});
        s.begin(text);
        bool killed = false;
        ASSERT_TRUE(eventually(
            [&] {
                if (!killed && s.product().wait_for_exit(0ms)) {
                    killed = true;
                    s.product().start();
                }
                return s.press_once() && s.is_over();
            },
            60s
        )) << text
           << '\n'
           << s.product().log();
        s.check(text);
        s.product().stop();
        if (!killed) break;
        ++kills;
    }
    s.check_oracle();
    EXPECT_GE(kills, 2) << "the point was reached in both of the turn's rounds";
    EXPECT_LT(kills, most);
}

INSTANTIATE_TEST_SUITE_P(
    at,
    careful_turn,
    testing::Values(
        "checkpoint.before_commit",
        "checkpoint.after_commit",
        "turn.before_model",
        "turn.after_model"
    ),
    [](auto const& each) {
        auto name = each.param;
        std::ranges::replace(name, '.', '_');
        return name;
    }
);

// covers: E.17 X.07
TEST(careful_turns, go_on_elsewhere_when_the_process_dies_that_took_the_press) {
    careful_scene s;
    auto neighbour = s.start_neighbour();
    // The message is the first, the press the second.
    s.product().start({{"POSTRIDER_FAULTS", "ingest.after_commit:kill:2"}});
    s.begin("the news");
    ASSERT_TRUE(eventually([&] { return s.press_once(); })) << s.product().log();

    ASSERT_TRUE(s.product().wait_for_exit(20s)) << s.product().log();
    ASSERT_TRUE(
        s.comes_true("select not exists (select from postrider.job where finished_at is null)", 30s)
    ) << neighbour->log();
    s.product().start(); // the press is delivered again, and changes nothing
    ASSERT_TRUE(eventually([&] { return s.is_over(); })) << s.product().log();

    s.check("the news");
    EXPECT_EQ(std::ranges::count(s.texts(chat_id{base::raw(bob)}), "the news"), 1);
    s.check_oracle();
}

// covers: E.17 X.07
TEST(careful_turns, go_on_here_when_the_process_dies_that_may_have_gone_on) {
    careful_scene s;
    s.product().start();
    for (int round = 1; round <= 3; ++round) {
        auto neighbour = s.start_neighbour();
        auto const text = fmt::format("news {}", round);
        s.begin(text);
        ASSERT_TRUE(eventually([&] { return s.press_once(); })) << s.product().log();

        neighbour->kill();

        ASSERT_TRUE(eventually([&] { return s.is_over(); }, 60s)) << s.product().log();
        s.check(text);
    }
    s.check_oracle();
}

} // namespace

} // namespace postrider::tests::approval_kill_test
