// Code of flows, in the machine's interpreters; docs/flows.md shows what it does.
#include "agent/mcp/confinement.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/agent/flow/document_rows.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace postrider::tests::code_node_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;

bool can_run(std::string_view language) {
    return std::filesystem::exists(language == "python" ? "/usr/bin/python3" : "/usr/bin/node") &&
           agent::mcp::confinement::make({});
}

queue::outcome run_code(flow_world& world, json::array items, bool is_on = true) {
    world.adjust = [is_on](flow::node_services& services) {
        if (is_on) services.code = flow::code_options{};
    };
    flow::execution_input input;
    input.flow = "coding";
    input.version = 1;
    input.pinned["In"] = std::move(items);
    return world.run(std::move(input));
}

std::string coding(json::object parameters) {
    return flow_builder("coding")
        .trigger("In", "manual")
        .node("Code", "code", std::move(parameters))
        .text();
}

TEST(code_node, does_what_the_document_shows) {
    auto const rows = document_rows("| code | parameters | items | result |");
    EXPECT_GT(rows.size(), 10u);
    for (auto const& cells : rows) {
        SCOPED_TRACE(cells.at(1));
        if (!can_run(cells.at(0))) continue;
        flow_world world(coding(json::parse(cells.at(1)).as_object()));
        auto const outcome = run_code(world, json::parse(cells.at(2)).as_array());
        if (cells.at(3).starts_with("error: ")) {
            EXPECT_EQ(outcome.state, queue::job_state::failed);
            EXPECT_THAT(to_string(outcome.error), HasSubstr(cells.at(3).substr(7)));
        } else {
            EXPECT_EQ(json::parse(flow_world::ended(outcome)), json::parse(cells.at(3)))
                << to_string(outcome.error);
        }
    }
}

TEST(code_node, is_off_unless_the_operator_turns_it_on) {
    flow_world world(coding({{"code", "return {};"}}));

    auto const outcome = run_code(world, {json::object{}}, false);

    EXPECT_EQ(outcome.error, base::errc::refused);
    EXPECT_THAT(outcome.error.detail, HasSubstr("code.enabled"));
}

TEST(code_node, does_not_run_again_what_is_recorded) {
    if (!can_run("javascript")) GTEST_SKIP();
    flow_world world(coding({{"code", "return { r: Math.random() };"}}));

    auto const first = flow_world::ended(run_code(world, {json::object{}}));
    auto const second = flow_world::ended(run_code(world, {json::object{}}));

    EXPECT_EQ(first, second);
}

TEST(code_node, says_where_there_is_no_such_program) {
    if (!can_run("javascript")) GTEST_SKIP();
    flow_world world(coding({{"code", "return {};"}}));
    world.adjust = [](flow::node_services& services) {
        services.code = flow::code_options{.node = "no-such-program"};
    };

    auto const outcome = world.run(json::object{});

    EXPECT_EQ(outcome.error, base::errc::refused);
    EXPECT_THAT(outcome.error.detail, HasSubstr("no-such-program"));
}

int times_run(flow_world const& world) {
    return static_cast<int>(std::ranges::count(world.log, "step code/code"));
}

TEST(code_node, runs_code_that_is_too_slow_again_only_if_the_node_says_so) {
    if (!can_run("python")) GTEST_SKIP();
    json::object const slow{
        {"language", "python"}, {"code", "while True: pass"}, {"timeout", "100ms"}};
    auto const coding_with = [&](json::object retry) {
        flow_builder flow("coding");
        flow.trigger("In", "manual").node("Code", "code", slow);
        if (!retry.empty()) flow.with("retry", std::move(retry));
        return flow.text();
    };

    flow_world usual(coding_with({}));
    auto const final_failure = run_code(usual, {json::object{}});
    flow_world patient(coding_with({{"tries", 2}, {"delay", "1s"}}));
    auto const last_failure = run_code(patient, {json::object{}});

    EXPECT_EQ(final_failure.error, base::errc::too_large);
    EXPECT_EQ(times_run(usual), 1) << testing::PrintToString(usual.log);
    EXPECT_EQ(last_failure.error, base::errc::timeout);
    EXPECT_EQ(times_run(patient), 2) << testing::PrintToString(patient.log);
}

TEST(code_node, waits_for_a_place_where_other_code_runs) {
    if (!can_run("python")) GTEST_SKIP();
    flow_world world(coding({{"language", "python"}, {"code", "return item"}}));
    flow::code_options options;
    auto const running = options.running;
    *running = options.most_at_once;
    flow::execution_input input;
    input.flow = "coding";
    input.version = 1;
    input.pinned["In"] = json::array{json::object{{"n", 1}}};
    world.adjust = [&](flow::node_services& services) { services.code = options; };

    auto const outcome = world.run(input);

    EXPECT_EQ(outcome.error, base::errc::overloaded);
    EXPECT_GT(times_run(world), 5);
    EXPECT_EQ(*running, options.most_at_once);
}

} // namespace
} // namespace postrider::tests::code_node_test
