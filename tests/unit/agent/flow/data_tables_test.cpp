// What a flow keeps between its executions.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_data_table.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::data_tables_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string putting() {
    return flow_builder("orders")
        .trigger("In", "manual")
        .node(
            "Put",
            "data.put",
            {{"table", "seen"}, {"key", "{{ $json.id }}"}, {"value", "{{ $json.total }}"}}
        )
        .text();
}

flow::execution_input orders(json::array items) {
    flow::execution_input input;
    input.flow = "orders";
    input.version = 1;
    input.pinned["In"] = std::move(items);
    return input;
}

TEST(data_put, stores_each_item_in_the_table_of_its_flow) {
    flow_world world(putting());
    flow_data_table const table(world);

    auto const outcome =
        world.run(orders({{{"id", "a"}, {"total", 3}}, {{"id", "b"}, {"total", 4}}}));

    EXPECT_EQ(flow_world::ended(outcome), R"([{"id":"a","total":3},{"id":"b","total":4}])");
    auto const rows = table.rows();
    ASSERT_THAT(rows, SizeIs(2));
    EXPECT_EQ(rows.at({"orders", "seen", "a"}), json::value(3));
    EXPECT_EQ(rows.at({"orders", "seen", "b"}), json::value(4));
}

TEST(data_put, is_one_commit_with_its_step_and_happens_once) {
    flow_world world(putting());
    flow_data_table const table(world);

    EXPECT_TRUE(world.run_and_die(1, json::object{{"id", "a"}, {"total", 3}}));
    EXPECT_THAT(table.rows(), IsEmpty());
    world.run(json::object{{"id", "a"}, {"total", 3}});
    EXPECT_THAT(table.rows(), SizeIs(1));
    auto const written = world.record.writes.size();
    world.run(json::object{{"id", "a"}, {"total", 3}});

    auto const again = std::vector(
        world.record.writes.begin() + static_cast<std::ptrdiff_t>(written),
        world.record.writes.end()
    );
    for (auto const& write : again) EXPECT_NE(write.statement->name, "put_flow_data");
}

TEST(data_put, is_bounded) {
    flow_world world(putting());
    flow_data_table table(world);
    table.more_rows = 10'000;

    auto const full = world.run(orders({{{"id", "a"}, {"total", 3}}}));
    EXPECT_EQ(full.state, queue::job_state::failed);
    EXPECT_THAT(to_string(full.error), HasSubstr("at most 10000 rows"));
    EXPECT_THAT(table.rows(), IsEmpty());

    flow_world other(putting());
    flow_data_table const empty(other);
    auto const large = other.run(orders({{{"id", "a"}, {"total", std::string(70'000, 'x')}}}));
    EXPECT_THAT(to_string(large.error), HasSubstr("at most 64 KiB"));
    EXPECT_THAT(empty.rows(), IsEmpty());
}

TEST(data_put, replaces_rows_of_a_full_table) {
    flow_world world(putting());
    flow_data_table table(world);
    table.others[{"orders", "seen", "a"}] = json::value(1);
    table.more_rows = 9'999;

    auto const replaced =
        world.run(orders({{{"id", "a"}, {"total", 3}}, {{"id", "a"}, {"total", 4}}}));
    EXPECT_EQ(replaced.state, queue::job_state::completed) << to_string(replaced.error);

    flow_world other(putting());
    flow_data_table full(other);
    full.others[{"orders", "seen", "a"}] = json::value(1);
    full.more_rows = 9'999;
    auto const added =
        other.run(orders({{{"id", "a"}, {"total", 3}}, {{"id", "b"}, {"total", 4}}}));
    EXPECT_THAT(to_string(added.error), HasSubstr("at most 10000 rows"));
}

TEST(data_put, writes_nothing_in_a_silent_execution) {
    flow_world world(putting());
    flow_data_table const table(world);
    auto input = orders({{{"id", "a"}, {"total", 3}}});
    input.silent = true;

    auto const outcome = world.run(std::move(input));

    EXPECT_EQ(flow_world::ended(outcome), R"([{"id":"a","total":3}])");
    EXPECT_THAT(table.rows(), IsEmpty());
}

TEST(data_delete, deletes_what_was_put) {
    flow_world world(flow_builder("orders")
                         .trigger("In", "manual")
                         .node("Put", "data.put", {{"key", "{{ $json.id }}"}})
                         .node("Delete", "data.delete", {{"key", "{{ $json.id }}"}})
                         .text());
    flow_data_table const table(world);

    auto const outcome = world.run(json::object{{"id", "a"}});

    EXPECT_EQ(flow_world::ended(outcome), R"([{"id":"a"}])");
    EXPECT_THAT(table.rows(), IsEmpty());
}

class data_get : public testing::Test {
protected:
    data_get() { table_.others[{"orders", "data", "a"}] = json::object{{"total", 3}}; }

    flow_world world_{flow_builder("orders")
                          .trigger("In", "manual")
                          .node("Get", "data.get", {{"key", "{{ $json.id }}"}})
                          .node("Found", "set", {{"fields", {{"found", true}}}})
                          .after("Get", "missing")
                          .node("Missing", "set", {{"fields", {{"found", false}}}})
                          .text()};
    flow_data_table table_{world_};
};

TEST_F(data_get, tells_items_whose_key_is_there_from_others) {
    auto const outcome = world_.run(orders({{{"id", "a"}}, {{"id", "b"}}}));

    EXPECT_EQ(
        flow_world::ended(outcome),
        R"([{"id":"a","value":{"total":3},"found":true},{"id":"b","value":null,"found":false}])"
    );
    EXPECT_EQ(table_.reads, 1) << "one question for all items";
}

TEST_F(data_get, serves_later_runs_from_the_record) {
    world_.run(json::object{{"id", "a"}});
    auto const reads = table_.reads;
    table_.others.clear();

    auto const again = world_.run(json::object{{"id", "a"}});

    EXPECT_THAT(flow_world::ended(again), HasSubstr(R"("found":true)"));
    EXPECT_EQ(table_.reads, reads);
}

TEST(data_list, makes_an_item_of_each_row) {
    flow_world world(flow_builder("orders")
                         .trigger("In", "manual")
                         .node("List", "data.list", {{"where", {{"status", "open"}}}, {"limit", 2}})
                         .text());
    flow_data_table table(world);
    table.others[{"orders", "data", "a"}] = json::object{{"status", "open"}};
    table.others[{"others", "data", "b"}] = json::object{{"status", "open"}};

    auto const outcome = world.run(json::object{});

    EXPECT_EQ(
        flow_world::ended(outcome),
        R"([{"key":"a","value":{"status":"open"},"changed_at":"2026-11-21T08:53:00Z"}])"
    );
}

// Each item is a page: what they have together is bounded as well.
TEST(data_list, is_bounded_for_all_items_together) {
    flow_world world(flow_builder("orders").trigger("In", "manual").node("List", "data.list").text()
    );
    flow_data_table table(world);
    for (int n = 0; n < 20; ++n)
        table.others[{"orders", "data", std::to_string(n)}] = std::string(60'000, 'x');

    auto const outcome = world.run(orders({{{"n", 1}}, {{"n", 2}}, {{"n", 3}}}));

    EXPECT_THAT(to_string(outcome.error), HasSubstr("too_large"));
    EXPECT_EQ(table.reads, 1) << "1.2 MB are enough";
}

} // namespace
} // namespace postrider::tests::data_tables_test
