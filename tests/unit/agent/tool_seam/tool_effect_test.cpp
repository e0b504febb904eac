// Tools that act: effects of their class in the ledger, what is committed with them, and what a redo
// after a kill does.
#include "net/guarded_client.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/tool_seam/act.hpp"

#include <gmock/gmock.h>

#include <set>

namespace postrider::tests::tool_effect_test {
namespace {

namespace json = boost::json;
using agent::tool_context;
using agent::tool_output;
using queue::effect_class;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

auto const acting =
    flow_builder("acting").trigger("In", "manual").agent("Ask").part("Act", "tool.act").text();

constexpr storage::statement scratch_row{"scratch_row", "select 1"};

class tool_effect : public testing::Test {
protected:
    tool_effect() { acts = {}; }
    ~tool_effect() override { acts = {}; }

    void call(std::string_view declared) {
        w.model.script = {calls({{"act", {{"class", declared}}}}), says("Done")};
    }
    void call_of(effect_class declared) { call(queue::to_string(declared)); }
    agent::chat_message const& told() const { return w.model.requests.back().messages.back(); }
    std::size_t rows_of_its_own() const {
        return static_cast<std::size_t>(std::ranges::count(
            w.record.writes, &scratch_row, [](auto const& write) { return write.statement; }
        ));
    }

    flow_world w{acting};
};

// covers: E.14
TEST_F(tool_effect, its_intent_is_committed_before_it_acts) {
    call("keyed");
    acts.behave = [this](tool_context&) -> base::result<tool_output> {
        auto const& intent = w.record.effects.at("ask/tool:1");
        EXPECT_EQ(intent.kind, "tool.act");
        EXPECT_EQ(intent.effect_class, effect_class::keyed);
        EXPECT_EQ(intent.request.at("arguments").at("amount"), 1) << "a default, filled in before";
        return tool_output("done");
    };

    w.run(json::object{{"text", "Act"}});

    EXPECT_THAT(
        w.log,
        ElementsAre(
            "step ask/model",
            "commit",
            "commit",
            "effect ask/tool:1",
            "commit",
            "step ask/model#2",
            "commit"
        )
    );
    EXPECT_EQ(told().content, "done");
}

TEST_F(tool_effect, its_executions_are_counted_by_their_end) {
    agent::flow::tool_measures measures;
    w.adjust = [&measures](auto& services) { services.tool_calls = &measures; };
    w.model.script = {
        calls({{"act", {{"class", "pure"}}}, {"act", {{"class", "pure"}}}, {"act", {{"class", 7}}}}
        ),
        says("Done")};
    acts.behave = [](tool_context&) -> base::result<tool_output> {
        if (acts.keys.size() == 1) return tool_output("done");
        return base::error(base::errc::refused, "no");
    };

    w.run(json::object{{"text", "Act"}});

    ASSERT_EQ(measures.own.all().size(), 1u);
    auto const& ends = measures.own.all().at("act");
    ASSERT_EQ(ends.size(), 2u) << "what does not fit is not executed";
    EXPECT_EQ(ends.at("").cumulative().back(), 1u);
    EXPECT_EQ(ends.at("refused").cumulative().back(), 1u);
    EXPECT_TRUE(measures.of_servers.all().empty());
}

TEST_F(tool_effect, a_call_that_does_not_fit_has_no_intent) {
    w.model.script = {calls({{"act", {{"class", 7}}}}), says("Done")};

    w.run(json::object{{"text", "Act"}});

    EXPECT_THAT(w.record.effects, IsEmpty());
    EXPECT_THAT(acts.keys, IsEmpty());
    EXPECT_TRUE(told().is_error);
}

// Dies after the tool acted and before that was committed, for each class.
// covers: E.14
TEST_F(tool_effect, after_a_kill_it_is_done_again_where_its_class_allows_that) {
    for (auto const declared :
         {effect_class::pure,
          effect_class::idempotent,
          effect_class::keyed,
          effect_class::at_least_once}) {
        flow_world world(acting);
        acts = {};
        agent::chat_reply const reply = calls({{"act", {{"class", queue::to_string(declared)}}}});
        world.model.script = {reply, says("Done")};
        int const result = declared == effect_class::pure ? 2 : 3; // the commit that has it

        ASSERT_TRUE(world.run_and_die(result, json::object{{"text", "Act"}}));
        world.run(json::object{{"text", "Act"}});

        ASSERT_THAT(acts.keys, SizeIs(2)) << queue::to_string(declared);
        EXPECT_EQ(acts.keys[0], acts.keys[1]) << "the other side is to know it again";
        EXPECT_EQ(world.model.requests.back().messages.back().content, "done");
    }
}

// covers: E.14
TEST_F(tool_effect, after_a_kill_what_may_happen_once_is_in_doubt_and_the_model_is_told_so) {
    for (auto const declared : {effect_class::at_most_once, effect_class::ask}) {
        flow_world world(acting);
        acts = {};
        agent::chat_reply const reply = calls({{"act", {{"class", queue::to_string(declared)}}}});
        world.model.script = {reply, says("Done")};

        ASSERT_TRUE(world.run_and_die(3, json::object{{"text", "Act"}}));
        world.run(json::object{{"text", "Act"}});

        EXPECT_THAT(acts.keys, SizeIs(1)) << queue::to_string(declared);
        auto const& heard = world.model.requests.back().messages.back();
        EXPECT_TRUE(heard.is_error);
        EXPECT_THAT(heard.content, HasSubstr("It is not known whether this was done"));
    }
}

TEST_F(tool_effect, a_lost_answer_is_told_as_what_it_is) {
    call("at_most_once");
    acts.behave = [](tool_context&) -> base::result<tool_output> {
        return base::error(base::errc::ambiguous, "no answer came");
    };

    w.run(json::object{{"text", "Act"}});

    EXPECT_THAT(told().content, HasSubstr("It may have happened"));
}

TEST_F(tool_effect, each_call_has_a_key_of_its_own) {
    w.model.script = {
        calls({{"act", {{"class", "keyed"}}}, {"act", {{"class", "keyed"}}}}), says("Done")};

    w.run(json::object{{"text", "Act twice"}});

    EXPECT_THAT(std::set(acts.keys.begin(), acts.keys.end()), SizeIs(2));
    EXPECT_THAT(acts.keys, testing::Each(SizeIs(32)));
}

TEST_F(tool_effect, its_rows_and_receipts_become_true_with_its_result) {
    for (auto const* declared : {"pure", "keyed"}) {
        flow_world world(acting);
        world.model.script = {calls({{"act", {{"class", declared}}}}), says("Done")};
        acts.behave = [&world](tool_context& context) -> base::result<tool_output> {
            context.add(storage::write{&scratch_row, "{}"});
            context.add(agent::receipt{"created", "reminder", "17", "call Ann"});
            EXPECT_FALSE(world.record.steps.contains("ask/tool:1"));
            return tool_output("done");
        };

        world.run(json::object{{"text", "Act"}});

        auto const mine = [](auto const& write) { return write.statement == &scratch_row; };
        EXPECT_EQ(std::ranges::count_if(world.record.writes, mine), 1) << declared;
        EXPECT_EQ(
            world.record.steps.at("ask/tool:1").value(),
            (json::value{
                {"text", "done"},
                {"receipts",
                 {{{"action", "created"},
                   {"kind", "reminder"},
                   {"id", "17"},
                   {"words", "call Ann"}}}},
                {"reported", true}})
        );
        EXPECT_EQ(world.model.requests.back().messages.back().content, "done");
    }
}

TEST_F(tool_effect, rows_of_a_try_that_failed_are_dropped) {
    call("keyed");
    acts.behave = [](tool_context& context) -> base::result<tool_output> {
        context.add(storage::write{&scratch_row, "{}"});
        if (acts.keys.size() < 2) return base::error(base::errc::unavailable, "busy");
        return tool_output("done");
    };

    w.run(json::object{{"text", "Act"}});

    EXPECT_THAT(acts.keys, SizeIs(2));
    EXPECT_EQ(rows_of_its_own(), 1u);
}

TEST_F(tool_effect, a_call_that_failed_leaves_no_rows) {
    call("pure");
    acts.behave = [](tool_context& context) -> base::result<tool_output> {
        context.add(storage::write{&scratch_row, "{}"});
        return base::error(base::errc::refused, "no");
    };

    w.run(json::object{{"text", "Act"}});

    EXPECT_EQ(rows_of_its_own(), 0u);
}

TEST_F(tool_effect, a_long_result_is_cut_before_it_is_recorded) {
    call("pure");
    acts.behave = [](tool_context&) -> base::result<tool_output> {
        return tool_output(std::string(1000, 'x'));
    };

    w.run(json::object{{"text", "Act"}});

    EXPECT_LE(told().content.size(), 100u);
    EXPECT_THAT(told().content, HasSubstr("more bytes are not shown]"));
    EXPECT_EQ(w.record.steps.at("ask/tool:1").value().at("text"), json::value(told().content));
}

agent::flow::execution_input asked_by(user_id person) {
    agent::flow::execution_input input;
    input.flow = "acting";
    input.version = 1;
    agent::flow::heard_message heard;
    heard.from = {bot_id{1}, chat_id{-5}, thread_id{3}};
    heard.user = person;
    input.heard = heard;
    input.trigger = "in";
    return input;
}

TEST_F(tool_effect, it_knows_who_asks) {
    call("pure");

    w.run(asked_by(user_id{7}));

    ASSERT_THAT(acts.requesters, SizeIs(1));
    auto const& who = acts.requesters.front();
    EXPECT_EQ(who.bot, bot_id{1});
    EXPECT_EQ(who.chat, chat_id{-5});
    EXPECT_EQ(who.thread, thread_id{3});
    EXPECT_EQ(who.user, user_id{7});
    EXPECT_FALSE(who.is_owner);
}

TEST_F(tool_effect, it_knows_that_an_owner_asks) {
    call("pure");
    w.adjust = [](agent::flow::node_services& services) {
        services.is_owner = [](bot_id bot, user_id user) {
            return bot == bot_id{1} && user == user_id{7};
        };
    };

    w.run(asked_by(user_id{7}));

    ASSERT_THAT(acts.requesters, SizeIs(1));
    EXPECT_TRUE(acts.requesters.front().is_owner);
}

TEST_F(tool_effect, it_gets_the_servers_clock_and_web) {
    call("pure");
    net::guarded_client web(nullptr);
    w.adjust = [&](agent::flow::node_services& services) { services.web = &web; };
    bool same_clock = false;
    bool same_web = false;
    acts.behave = [&](tool_context& context) -> base::result<tool_output> {
        same_clock = &context.clock() == &w.clock;
        same_web = context.web() == &web;
        return tool_output("done");
    };

    w.run(json::object{{"text", "Act"}});

    EXPECT_TRUE(same_clock);
    EXPECT_TRUE(same_web);
}

} // namespace
} // namespace postrider::tests::tool_effect_test
