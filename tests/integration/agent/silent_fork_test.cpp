// Forks that answer nobody, on the real engine and a real Postgres.
#include "queue/admin/operations.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::silent_fork_test {
namespace {

namespace flow = agent::flow;
using testing::ElementsAre;

auto const two_messages = flow_builder("two")
                              .trigger("In", "telegram.message")
                              .node("One", "telegram.send", {{"text", "one"}})
                              .node("Two", "telegram.send", {{"text", "two"}})
                              .text();

std::shared_ptr<flow::graph const> compiled(std::string_view document) {
    static auto const types = flow::builtin_types();
    auto read = flow::read_definition(document);
    auto compilation = flow::graph::compile(std::get<flow::definition>(read), types);
    return std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
}

// What was sent to the own chat before the step stands in the fork's record; a fork that answers
// nobody does not ask for it.
TEST(silent_fork, goes_on_from_a_step_behind_a_message_to_its_own_chat) {
    world w;
    recording_chat chat;
    scripted_model model;
    flow::observer nobody;
    std::optional<flow::node_services> services;
    auto const graph = compiled(two_messages);
    auto const run = [&](queue::workflow& steps) {
        return flow::execute(*graph, steps, *services, nobody);
    };
    auto& node = w.start_node({queue::job_kind{std::string(flow::turn_kind), run}});
    services.emplace(
        assistant_services(*node.quick, chat, base::system_clock(), base::system_random(), {&model})
    );
    auto const input = heard_in({bot_id{1}, chat_id{7}, {}});
    auto const original = w.enqueue(node, w.make_lane("1:7:0"), "turn", input).id;
    w.until("select count(*) from postrider.job where state = 'completed'", "1");

    queue::operation_result forked;
    w.in_transaction([&](storage::transaction& tx) {
        forked = queue::operate(
            tx, original, {.operation = queue::operation::fork, .from_step = "two/send"}
        );
    });
    ASSERT_EQ(forked.code, "done") << forked.detail;
    node.engine->wake();
    w.until("select count(*) from postrider.job where finished_at is not null", "2");

    auto const fork = " from postrider.job where job_id = " + base::to_string(*forked.job);
    EXPECT_EQ(w.value("select state || coalesce(error, '')" + fork), "completed");
    EXPECT_EQ(w.value("select output #>> '{items,0,delivery}'" + fork), "withheld");
    std::vector<std::string> sent;
    for (auto const& message : chat.sent) sent.push_back(message.content.text);
    EXPECT_THAT(sent, ElementsAre("one", "two")) << "by the original";
}

} // namespace
} // namespace postrider::tests::silent_fork_test
