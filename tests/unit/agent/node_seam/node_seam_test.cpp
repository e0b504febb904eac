// What follows from a line in the table of node types: a trigger is found by what starts it, is kept
// in the timetable, is validated and described; a durable node is run and recorded.
#include "agent/flow/library/timetable.hpp"
#include "agent/flow/library/triggers.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::node_seam_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::flow_text;
using tests::link_text;
using tests::node_text;

catalog const& types() {
    static catalog const all = builtin_types();
    return all;
}

std::string mail(std::string_view name, std::string_view box) {
    return node_text(name, "scratch.mail", fmt::format(R"("box":"{}")", box));
}

std::vector<problem> problems_of(std::string const& nodes, std::string const& links = "") {
    return validate(tests::read_flow(flow_text(nodes, links)), types());
}

TEST(node_seam, a_trigger_is_found_by_the_request_that_it_opens) {
    triggers all;
    all.add(3, tests::read_flow(flow_text(mail("in", "eve"))), types());

    auto const* found = all.webhook("PUT", "mail/eve");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->to, (start{"test", 3, "in"}));
    EXPECT_EQ(found->requests.proof.secret, "post_office");
    EXPECT_FALSE(all.webhook("PUT", "mail/adam"));
}

TEST(node_seam, a_trigger_is_found_by_its_conversation) {
    triggers all;
    all.add(1, tests::read_flow(flow_text(node_text("in", "scratch.talk"))), types());

    EXPECT_EQ(all.conversation("test"), (start{"test", 1, "in"}));
}

TEST(node_seam, a_trigger_is_kept_in_the_timetable) {
    auto const flow = tests::read_flow(flow_text(node_text("in", "scratch.daily")));

    auto const times = timetable_of(flow, 5, types()).value();

    ASSERT_EQ(times.size(), 1u);
    EXPECT_EQ(times[0].name, "flow:test:in");
    EXPECT_EQ(times[0].recurrence.cron, "0 7 * * *");
    EXPECT_EQ(times[0].overlap, queue::overlap_policy::skip);
    EXPECT_EQ(times[0].input.at("version"), 5);
}

TEST(node_seam, the_validator_knows_what_makes_a_trigger_unique_and_what_its_item_has) {
    EXPECT_THAT(
        tests::codes(problems_of(mail("a", "eve") + "," + mail("b", "eve"))),
        ElementsAre("path_taken /nodes/1/parameters/box")
    );

    auto const check = [](std::string_view condition) {
        return problems_of(
            mail("in", "eve") + "," +
                node_text("if", "if", fmt::format(R"("condition":"{{{{ {} }}}}")", condition)),
            link_text("in", "if")
        );
    };
    EXPECT_THAT(check("$json.subject == $json.sender.name"), IsEmpty());
    auto const slip = check("$json.sender.nmae == 1");
    ASSERT_THAT(
        tests::codes(slip), ElementsAre("unknown_field /nodes/1/parameters/condition (warning)")
    );
    EXPECT_EQ(slip[0].hint, R"(did you mean "name"?)");
}

TEST(node_seam, the_validator_knows_whether_a_trigger_tells_the_chat) {
    auto const found = problems_of(
        mail("in", "eve") + "," + node_text("stamp", "scratch.stamp", R"("stamp":"x")"),
        link_text("in", "stamp")
    );
    EXPECT_THAT(tests::codes(found), ElementsAre("unknown_chat /nodes/1/parameters/chat"));
}

TEST(node_seam, a_trigger_is_called_by_another_flow) {
    auto const outer = flow_text(
        node_text("in", "scratch.ring") + "," + node_text("call", "call_flow", R"("flow":"test")"),
        link_text("in", "call")
    );
    auto const inner = flow_text(
        node_text("in", "scratch.ring") + "," +
            node_text("stamp", "scratch.stamp", R"("stamp":"{{ $json.text }}")"),
        link_text("in", "stamp")
    );
    tests::flow_world world(outer);
    world.others["test"] = tests::compiled(inner);

    auto const outcome = world.run(boost::json::object{{"text", "seen"}});

    EXPECT_EQ(tests::flow_world::ended(outcome), R"([{"stamp":"seen"}])");
}

TEST(node_seam, a_durable_node_is_run_and_recorded) {
    auto const flow = flow_text(
        node_text("in", "scratch.ring") + "," +
            node_text("stamp", "scratch.stamp", R"("stamp":"{{ $json.text }}")"),
        link_text("in", "stamp")
    );
    tests::flow_world world(flow);

    EXPECT_EQ(
        tests::flow_world::ended(world.run(boost::json::object{{"text", "first"}})),
        R"([{"stamp":"first"}])"
    );
    EXPECT_EQ(
        tests::flow_world::ended(world.run(boost::json::object{{"text", "second"}})),
        R"([{"stamp":"first"}])"
    ) << "the step is not taken again";
}

TEST(node_seam, what_is_registered_is_described) {
    auto const described = to_json(*types().find("scratch.mail"));

    EXPECT_EQ(described.at("behaviour"), "trigger");
    EXPECT_TRUE(described.at("item").at("properties").as_object().contains("subject"));
    EXPECT_EQ(to_json(*types().find("scratch.stamp")).at("behaviour"), "durable");
    EXPECT_FALSE(to_json(*types().find("scratch.daily")).contains("item"));
}

} // namespace
} // namespace postrider::agent::flow::node_seam_test
