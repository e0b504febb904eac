// Commands and "stop" while a chat's turn asks a slow model or waits, and while processes die.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/flow_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::stop_test {

namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

chat_id const alices{base::raw(alice)};
std::string const stopped = "I stopped. Nothing more comes of that message.";

fake_reply slow_reply(std::string text) {
    auto reply = fake_reply::saying(std::move(text));
    reply.hold = true;
    return reply;
}

// covers: E.10 E.12
TEST(stop, ends_a_turn_whose_model_is_slow_and_commands_do_not_wait_for_it) {
    scene s;
    s.models.script(slow_reply("much too late"));
    s.product().start();
    s.say(alice, "think about it");
    ASSERT_TRUE(s.models.wait_for_requests(1, 20s)) << s.product().log();

    s.say(alice, "/usage");
    ASSERT_TRUE(s.replies(1)) << "the model thinks still\n" << s.product().log();
    EXPECT_THAT(s.texts(alices).back(), HasSubstr("oday"));
    s.say(alice, "and this comes behind");
    s.say(alice, "Stop!");
    ASSERT_TRUE(s.replies(2)) << s.product().log();
    EXPECT_EQ(s.texts(alices).at(1), stopped);

    ASSERT_TRUE(s.replies(3)) << "what waited behind it is answered\n" << s.product().log();
    EXPECT_THAT(s.texts(alices).at(2), HasSubstr("and this comes behind"));
    s.models.release();
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.value("select state from postrider.job order by job_id limit 1"), "cancelled");
    EXPECT_THAT(s.texts(alices), Not(Contains("much too late")));
    s.check_oracle();
}

// covers: S0.14
TEST(stop, comes_with_a_new_conversation) {
    scene s;
    s.models.script(slow_reply("much too late"));
    s.product().start();
    s.say(alice, "think about the old matter");
    ASSERT_TRUE(s.models.wait_for_requests(1, 20s)) << s.product().log();

    s.say(alice, "/new");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(
        s.texts(alices).back(), HasSubstr("I stopped what I was doing. A new conversation")
    );
    s.say(alice, "a fresh question");
    ASSERT_TRUE(s.replies(2)) << s.product().log();
    s.models.release();
    ASSERT_TRUE(s.settles()) << s.product().log();

    auto const asked = s.models.requests().back();
    EXPECT_EQ(asked.body.at("messages").as_array().size(), 1u) << "nothing of the old matter";
    EXPECT_THAT(s.texts(alices), Not(Contains("much too late")));
    s.check_oracle();
}

auto const patient =
    flow_builder("patient")
        .trigger("In", "telegram.message", {{"commands", boost::json::array{"/later"}}})
        .node("Hour", "wait", {{"duration", "1h"}})
        .node("Out", "telegram.send", {{"text", "An hour later"}})
        .text();

class patient_scene : public scene {
public:
    patient_scene() {
        product().start();
        introduce();
        auto const file = product().folder() / "patient.json";
        write_file(file, std::string(patient));
        auto const imported = product().run({"flows", "import", file.string(), "--publish"});
        if (imported.code != 0) throw std::runtime_error("not published: " + imported.out);
        product().stop();
    }

    bool is_over() {
        return value("select count(*) from postrider.job where finished_at is null") == "0" &&
               telegram.pending() == 0;
    }
    std::string jobs_of_commands(std::string const& state) {
        return value(
            "select count(*) from postrider.job where input ? 'command' and state = '" + state + "'"
        );
    }
};

class killed_stop : public testing::TestWithParam<std::string> {};

// covers: E.08 E.12
TEST_P(killed_stop, is_done_once_whenever_the_process_dies) {
    constexpr int most = 30;
    patient_scene s;
    int kills = 0;
    for (int hit = 1; hit <= most; ++hit) {
        s.product().start();
        s.say(alice, "/later");
        ASSERT_TRUE(s.comes_true("select exists (select from postrider.job where state = 'waiting')"
        )) << s.product().log();
        s.product().stop();
        auto const said = std::ranges::count(s.texts(alices), stopped);

        s.product().start({{"POSTRIDER_FAULTS", fmt::format("{}:kill:{}", GetParam(), hit)}});
        s.say(alice, "stop");
        bool killed = false;
        ASSERT_TRUE(eventually(
            [&] {
                if (!killed && s.product().wait_for_exit(0ms)) {
                    killed = true;
                    s.product().start();
                }
                return s.is_over();
            },
            60s
        )) << s.product().log();

        EXPECT_EQ(s.jobs_of_commands("completed"), std::to_string(hit)) << "one for each stop";
        EXPECT_EQ(
            s.value("select count(*) from postrider.job where state = 'cancelled'"),
            std::to_string(hit)
        );
        auto const more = std::ranges::count(s.texts(alices), stopped) - said;
        EXPECT_GE(more, 1) << "it is said";
        s.product().stop();
        if (!killed) break;
        ++kills;
    }
    EXPECT_THAT(s.texts(alices), Not(Contains("An hour later")));
    s.check_oracle();
    EXPECT_GE(kills, 1) << "the point was reached";
    EXPECT_LT(kills, most);
}

INSTANTIATE_TEST_SUITE_P(
    at,
    killed_stop,
    testing::Values(
        "ingest.before_commit",
        "ingest.after_commit",
        "checkpoint.before_commit",
        "checkpoint.after_commit"
    ),
    [](auto const& each) {
        auto name = each.param;
        std::ranges::replace(name, '.', '_');
        return name;
    }
);

} // namespace

} // namespace postrider::tests::stop_test
