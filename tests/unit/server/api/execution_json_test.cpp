#include "agent/flow/catalog.hpp"
#include "server/api/execution_json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/post.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::api::execution_json_test {
namespace {

namespace flow = agent::flow;
using namespace std::chrono_literals;

auto const two_nodes = tests::flow_builder("small")
                           .trigger("Start", "manual")
                           .node("Note", "set", {{"fields", {{"x", 1}}}})
                           .text();

// Whatever is done takes a second.
class hurried_clock final : public base::clock {
public:
    base::sys_time now() const override { return {}; }
    base::steady_time steady() const override { return now_ += 1s; }
    std::chrono::nanoseconds boot() const override { return {}; }

private:
    mutable base::steady_time now_;
};

// Whether something else ran before all nodes were written.
base::awaitable<bool> others_run(
    flow::graph const& of, flow::trace const& seen, base::clock& clock
) {
    bool others_ran = false;
    auto executor = co_await base::asio::this_coro::executor;
    base::asio::post(executor, [&others_ran] { others_ran = true; });
    queue::recording const nothing_recorded;
    auto nodes = co_await nodes_json(of, seen, nothing_recorded, clock);
    bool const ran = others_ran;
    co_await base::asio::post(executor, base::asio::use_awaitable);
    EXPECT_EQ(nodes.size(), 2u);
    co_return ran;
}

TEST(execution_json, lets_others_run_where_nodes_take_long) {
    auto const types = flow::builtin_types();
    auto read = flow::read_definition(two_nodes);
    auto compilation = flow::graph::compile(std::get<flow::definition>(std::move(read)), types);
    auto const of = std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
    flow::trace seen;
    seen.nodes.resize(2);
    tests::loop loop;
    base::manual_clock stopped;
    hurried_clock hurried;

    EXPECT_FALSE(loop.run(others_run(*of, seen, stopped)));
    EXPECT_TRUE(loop.run(others_run(*of, seen, hurried)));
}

TEST(execution_json, draws_nodes_where_the_flow_has_them) {
    auto const types = flow::builtin_types();
    auto const text = tests::flow_builder("small")
                          .trigger("Start", "manual")
                          .with("position", {1.5, 20})
                          .node("Note", "set", {{"fields", {{"x", 1}}}})
                          .text();
    auto compilation =
        flow::graph::compile(std::get<flow::definition>(flow::read_definition(text)), types);
    auto const of = std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
    flow::trace seen;
    seen.nodes.resize(2);
    seen.happened.push_back({flow::happening::sort::connection_used, 0, {}, 3});
    seen.happened.push_back({flow::happening::sort::connection_used, 0, {}, 4});
    queue::recording record;
    record.job.input = boost::json::parse(R"({"pinned": {"Note": []}})");
    auto& steps = record.details.steps;
    steps.resize(3);
    steps[0].key = "note/call";
    steps[0].attempt = 3;
    steps[1].key = "note/other";
    steps[2].key = "note/call~1"; // of an earlier life
    steps[2].attempt = 9;
    base::manual_clock clock;

    auto const nodes = tests::loop().run(nodes_json(*of, seen, record, clock));

    EXPECT_EQ(nodes.at(0).at("position"), (boost::json::array{1.5, 20.0}));
    EXPECT_TRUE(nodes.at(1).at("position").is_null());
    EXPECT_EQ(nodes.at(0).at("pinned"), false);
    EXPECT_EQ(nodes.at(1).at("pinned"), true);
    EXPECT_EQ(nodes.at(0).at("tries"), 0);
    EXPECT_EQ(nodes.at(1).at("tries"), 3);
    EXPECT_EQ(connections_json(*of, seen).at(0).at("items"), 7u);
}

TEST(execution_json, counts_what_was_done_but_not_what_was_waited) {
    queue::recording record;
    auto const add = [&](std::string key, std::optional<std::chrono::microseconds> until = {}) {
        queue::step_summary step;
        step.key = std::move(key);
        step.outcome = "done";
        step.took = 200ms;
        step.next = until;
        record.details.steps.push_back(std::move(step));
    };
    add("a/model");
    add("a/model#2");
    add("ask/event");
    add("a/tool:1/ask/event#2");
    add("pause/wait", 200ms);
    add("a/model~1"); // of an earlier life

    auto const totals = totals_json(record);

    EXPECT_EQ(totals.at("acted_ms").to_number<double>(), 400.0);
    EXPECT_EQ(totals.at("tries"), 5);
}

} // namespace
} // namespace postrider::api::execution_json_test
