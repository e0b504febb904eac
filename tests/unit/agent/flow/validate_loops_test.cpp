// What the validator says of loops.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_loops_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// In → Loop ⟲ A → B, with an inner loop behind A; and what the test adds to the connections.
std::vector<std::string> problems_with(std::string const& links) {
    static auto const types = builtin_types();
    std::string nodes = tests::node_text("In", "manual");
    for (auto name : {"A", "B", "Out", "Within"})
        nodes += "," + tests::node_text(name, "set", R"("fields":{})");
    for (auto name : {"Loop", "Inner"}) nodes += "," + tests::node_text(name, "items.loop");
    std::string connections;
    for (auto const& text :
         {tests::link_text("In", "Loop"),
          tests::link_text("Loop", "A", R"("output":"each")"),
          tests::link_text("A", "B"),
          tests::link_text("B", "Loop", R"("input":"next")"),
          tests::link_text("A", "Inner"),
          tests::link_text("Inner", "Within", R"("output":"each")"),
          tests::link_text("Within", "Inner", R"("input":"next")"),
          tests::link_text("Loop", "Out", R"("output":"done")")})
        connections += text + ",";
    connections += links;
    if (links.empty()) connections.pop_back();
    return tests::codes(validate(tests::read_flow(tests::flow_text(nodes, connections)), types));
}

TEST(validate_loops, takes_a_way_back_into_a_loop) {
    EXPECT_THAT(problems_with(""), IsEmpty());
}

TEST(validate_loops, refuses_every_other_circle) {
    EXPECT_THAT(problems_with(tests::link_text("B", "A")), ElementsAre("cycle /connections/8"));
    EXPECT_THAT(problems_with(tests::link_text("B", "Loop")), ElementsAre("cycle /connections/8"));
}

TEST(validate_loops, refuses_a_way_back_from_outside_of_the_loop) {
    for (auto const* from : {"In", "Out", "Within"})
        EXPECT_THAT(
            problems_with(tests::link_text(from, "Loop", R"("input":"next")")),
            ElementsAre("outside_loop /connections/8")
        ) << from;
}

TEST(validate_loops, refuses_a_way_back_from_the_rounds_of_an_inner_loop) {
    EXPECT_THAT(
        problems_with(tests::link_text("Inner", "Loop", R"("output":"each","input":"next")")),
        ElementsAre("outside_loop /connections/8")
    );
    EXPECT_THAT(
        problems_with(tests::link_text("Inner", "Loop", R"("output":"done","input":"next")")),
        IsEmpty()
    );
}

TEST(validate_loops, refuses_a_way_into_the_middle_of_a_loop) {
    for (auto const* from : {"In", "Out"})
        EXPECT_THAT(
            problems_with(tests::link_text(from, "B")), ElementsAre("into_loop /connections/8")
        ) << from;
    EXPECT_THAT(
        problems_with(tests::link_text("A", "Within")), ElementsAre("into_loop /connections/8")
    );
    EXPECT_THAT(
        problems_with(tests::link_text("Loop", "B", R"("output":"done")")),
        ElementsAre("into_loop /connections/8")
    );
}

TEST(validate_loops, wants_a_way_back) {
    static auto const types = builtin_types();
    auto const found = validate(
        tests::read_flow(tests::flow_text(
            tests::node_text("In", "manual") + "," + tests::node_text("Loop", "items.loop"),
            tests::link_text("In", "Loop")
        )),
        types
    );
    EXPECT_THAT(tests::codes(found), ElementsAre("missing_connection /nodes/1"));
}

} // namespace
} // namespace postrider::agent::flow::validate_loops_test
