// What a process knows of published flows, against a real Postgres.
#include "base/clock.hpp"
#include "storage/notices.hpp"
#include "tests/integration/agent/flow_library_world.hpp"
#include "tests/support/flow_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace postrider::agent::flow::flow_library_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

base::awaitable<void> poll(std::function<bool()> condition) {
    while (!condition()) co_await base::sleep_for(2ms);
}

// How long it takes to become true.
base::duration time_until(tests::loop& io, std::function<bool()> condition) {
    auto const begin = base::system_clock().steady();
    io.run(poll(std::move(condition)));
    return base::system_clock().steady() - begin;
}

TEST_F(flow_library, holds_what_is_published_and_not_archived) {
    publish("a", document("a"));
    publish("b", document("b"));
    publish("b", document("b", "manual", 2));
    change([](auto& tx) { storage::create_flow(tx, "draft", document("draft")); });
    auto flows = make();

    refresh(flows);
    EXPECT_THAT(flows.names(), ElementsAre("a", "b"));
    EXPECT_EQ(flows.current_version("b"), 2);
    EXPECT_EQ(find(flows, "b", 2).value()->flow().description, "2");
    EXPECT_EQ(flows.current("draft"), nullptr);

    archive("a");
    refresh(flows);
    EXPECT_THAT(flows.names(), ElementsAre("b"));
    EXPECT_EQ(flows.current_version("a"), 0);
}

TEST_F(flow_library, finds_the_version_that_a_job_pinned) {
    publish("a", document("a", "manual", 1));
    publish("a", document("a", "manual", 2));
    auto flows = make();
    refresh(flows);

    auto const first = find(flows, "a", 1);
    auto const current = find(flows, "a", 2);

    ASSERT_TRUE(first) << to_string(first.error());
    EXPECT_EQ((*first)->flow().description, "1");
    EXPECT_EQ((*current)->flow().description, "2");
    EXPECT_EQ(find(flows, "a", 3).error(), base::errc::not_found);
    EXPECT_EQ(find(flows, "b", 1).error(), base::errc::not_found);
    archive("a");
    refresh(flows);
    EXPECT_TRUE(find(flows, "a", 2)) << "what runs goes on";
}

TEST_F(flow_library, keeps_what_was_compiled_as_far_as_it_fits) {
    for (int n = 1; n <= 4; ++n) publish("a", document("a", "manual", n));
    library_options options;
    options.kept_nodes = 2; // of one node each
    auto flows = make(options);
    refresh(flows);

    auto const first = find(flows, "a", 1).value();
    auto const second = find(flows, "a", 2).value();
    EXPECT_EQ(find(flows, "a", 1).value(), first) << "asked for last, so it stays";
    find(flows, "a", 3).value();

    EXPECT_EQ(find(flows, "a", 1).value(), first);
    EXPECT_NE(find(flows, "a", 2).value(), second) << "read again";
}

TEST_F(flow_library, a_version_that_ran_stays_at_hand) {
    publish("a", document("a", "manual", 1));
    auto flows = make();
    refresh(flows);
    auto const first = find(flows, "a", 1).value();

    publish("a", document("a", "manual", 2));
    refresh(flows);
    db->close();

    EXPECT_EQ(find(flows, "a", 1).value(), first) << "without the database";
}

// What is kept in memory of a flow that does not run: nodes that stand behind others are no part.
TEST_F(flow_library, holds_of_a_flow_what_starts_it) {
    publish(
        "a",
        tests::flow_builder("a")
            .settings({{"timeout", "1h"}, {"lane", "{{ $json.text }}"}})
            .trigger("In", "telegram.message", {{"commands", boost::json::array{"/a"}}})
            .agent("Ask")
            .part("Sum", "tool.calculator")
            .text()
    );
    auto flows = make();
    refresh(flows);

    auto const& opening = *flows.current("a")->opening;
    ASSERT_THAT(opening.nodes, testing::SizeIs(1));
    EXPECT_EQ(opening.nodes[0].id, "in");
    EXPECT_EQ(opening.settings.lane, "{{ $json.text }}");
    EXPECT_EQ(flows.starts().message({"main", chat_id{1}, "/a"})->node, "in");
    EXPECT_THAT(find(flows, "a", 1).value()->nodes(), testing::SizeIs(4));
}

// Who published something is answered when it is in force: a look that began before is not enough.
TEST_F(flow_library, refreshed_has_what_was_published_before) {
    auto flows = make();
    base::task_group tasks(io.executor());
    auto refresh_beside = [](library& of) -> base::awaitable<void> { (void)co_await of.refresh(); };
    auto publish_meanwhile = [this](library& of) -> base::awaitable<std::int64_t> {
        publish("a", document("a"));
        (void)co_await of.refresh();
        co_return of.current_version("a");
    };
    tasks.spawn("looks", refresh_beside(flows));
    EXPECT_EQ(io.run(publish_meanwhile(flows)), 1);
    io.run(tasks.join());
}

TEST_F(flow_library, what_is_of_a_newer_product_is_left_to_it) {
    publish("newer", document("newer", "telepathy"));
    publish("newest", R"({"format": 99})");
    publish("old", document("old", "telegram.message"));
    auto flows = make();

    refresh(flows);

    EXPECT_EQ(flows.current_version("newer"), 1);
    EXPECT_EQ(flows.current("newer")->opening->nodes.at(0).type, "telepathy");
    EXPECT_EQ(flows.current("newest")->opening, nullptr);
    EXPECT_EQ(find(flows, "newer", 1).error(), base::errc::refused);
    EXPECT_EQ(find(flows, "newest", 1).error(), base::errc::refused);
    EXPECT_EQ(flows.starts().message({"main", chat_id{1}, ""})->flow, "old");
}

TEST_F(flow_library, a_flow_that_was_made_anew_is_another_one) {
    publish("a", document("a", "manual", 1));
    auto flows = make();
    refresh(flows);
    archive("a");
    change([](auto& tx) { storage::delete_flow(tx, storage::lock_flow(tx, "a")->id); });
    publish("a", document("a", "manual", 7));

    refresh(flows);

    EXPECT_EQ(flows.current_version("a"), 2);
    EXPECT_EQ(find(flows, "a", 2).value()->flow().description, "7");
    EXPECT_EQ(find(flows, "a", 1).error(), base::errc::not_found);
}

TEST_F(flow_library, forgets_what_was_archived_and_deleted_between_two_looks) {
    for (auto const* name : {"a", "b", "c"}) publish(name, document(name, "telegram.message"));
    auto flows = make();
    refresh(flows);
    for (auto const* name : {"a", "b"}) {
        archive(name);
        change([&](auto& tx) { storage::delete_flow(tx, storage::lock_flow(tx, name)->id); });
    }
    change([](auto& tx) { storage::create_flow(tx, "b", document("b")); });

    refresh(flows);
    EXPECT_THAT(flows.names(), ElementsAre("c"));
    EXPECT_EQ(flows.starts().message({"main", chat_id{1}, ""})->flow, "c");
}

TEST_F(flow_library, without_the_database_keeps_what_it_knew) {
    publish("a", document("a"));
    auto flows = make();
    refresh(flows);
    db->close();

    EXPECT_FALSE(io.run(flows.refresh()));
    EXPECT_EQ(flows.current_version("a"), 1);
}

TEST_F(flow_library, hears_of_a_publication_at_once) {
    library_options options;
    options.look = 1h;
    auto flows = make(options);
    auto notices = storage::listen(
        io.executor(),
        database.options(),
        {},
        [&](std::string_view payload) {
            if (payload == "flows") flows.changed();
        },
        [] {}
    );
    base::task_group tasks(io.executor());
    tasks.spawn("flows", flows.keep_fresh());
    io.run(poll([&] { return notices->counts().listening; }));

    publish("a", document("a"));
    EXPECT_LT(time_until(io, [&] { return flows.current_version("a") == 1; }), 1s);
    publish("a", document("a", "manual", 2));
    EXPECT_LT(time_until(io, [&] { return flows.current_version("a") == 2; }), 1s);
    archive("a");
    EXPECT_LT(time_until(io, [&] { return flows.current("a") == nullptr; }), 1s);

    notices->close();
    tasks.cancel();
    io.run(tasks.join());
}

// What is published is in force on other nodes within a second. Twice that is for a busy machine.
TEST_F(flow_library, sees_a_publication_soon_without_notices) {
    auto flows = make();
    base::task_group tasks(io.executor());
    tasks.spawn("flows", flows.keep_fresh());
    publish("a", document("a"));
    io.run(poll([&] { return flows.current_version("a") == 1; }));

    // It has just looked.
    publish("a", document("a", "manual", 2));
    auto const waited = time_until(io, [&] { return flows.current_version("a") == 2; });

    EXPECT_LT(waited, 2s);
    EXPECT_LE(library_options{}.look, 1s);
    tasks.cancel();
    io.run(tasks.join());
}

TEST_F(flow_library, looks_by_itself_without_notices) {
    library_options options;
    options.look = 5ms;
    auto flows = make(options);
    base::task_group tasks(io.executor());
    tasks.spawn("flows", flows.keep_fresh());

    publish("a", document("a"));
    io.run(poll([&] { return flows.current_version("a") == 1; }));

    tasks.cancel();
    io.run(tasks.join());
}

} // namespace
} // namespace postrider::agent::flow::flow_library_test
