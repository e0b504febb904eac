#include "agent/flow/watch/live.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/agent/flow/small_flow.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::live_test {

namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

struct live_hub : testing::Test {
    tests::loop io;
    live hub{io.executor()};
    definition const flow = tests::small_flow();
    node const& assistant = flow.nodes[1];
};

TEST_F(live_hub, tells_whoever_watches_that_execution) {
    auto const told = hub.of(job_id{7});
    auto const mine = hub.watch(job_id{7});
    auto const also_mine = hub.watch(job_id{7});
    auto const other = hub.watch(job_id{8});

    told->node_started(assistant, {{{1}}, {{2}}});
    told->node_reported(assistant, model_chunk, {{"text", "Hel"}});

    auto const news = mine->take();
    ASSERT_THAT(news, SizeIs(2));
    EXPECT_EQ(news[0], node_started(assistant, 2));
    EXPECT_EQ(news[1].type, "model_chunk");
    EXPECT_EQ(news[1].data.at("detail").at("text"), "Hel");
    EXPECT_EQ(news[1].number, 0);
    EXPECT_THAT(mine->take(), IsEmpty());
    EXPECT_EQ(also_mine->take(), news);
    EXPECT_THAT(other->take(), IsEmpty());
}

TEST_F(live_hub, tells_whoever_watches_the_lane_of_the_executions_that_begin_there) {
    auto const mine = std::make_shared<live_queue>(io.executor());
    auto const before = hub.of(job_id{6}, lane_id{1});
    hub.watch_lane(lane_id{1}, mine);

    before->node_started(assistant, {});
    hub.of(job_id{7}, lane_id{2})->node_started(assistant, {});
    EXPECT_THAT(mine->take(), IsEmpty());
    auto const told = hub.of(job_id{8}, lane_id{1});
    EXPECT_TRUE(told->is_watched());
    hub.watch(job_id{8}, mine);
    told->node_started(assistant, {});

    EXPECT_THAT(mine->take(), SizeIs(1)) << "of each execution it hears once";
}

TEST_F(live_hub, leaves_what_the_record_shows_to_the_record) {
    auto const told = hub.of(job_id{7});
    auto const mine = hub.watch(job_id{7});
    EXPECT_FALSE(mine->take_progress());

    told->node_finished(assistant, {}, nullptr, {});

    EXPECT_THAT(mine->take(), IsEmpty());
    EXPECT_TRUE(mine->take_progress());
    EXPECT_FALSE(mine->take_progress());
}

TEST_F(live_hub, forgets_who_has_gone) {
    auto const told = hub.of(job_id{7});
    auto mine = hub.watch(job_id{7});
    std::weak_ptr<live_queue> const gone = mine;
    mine.reset();

    told->node_started(assistant, {});

    EXPECT_TRUE(gone.expired());
}

TEST_F(live_hub, holds_no_more_for_a_slow_watcher_than_it_may) {
    auto const told = hub.of(job_id{7});
    auto const mine = hub.watch(job_id{7});

    for (int i = 0; i < 1000; ++i) told->node_reported(assistant, model_chunk, {{"n", i}});

    auto const news = mine->take();
    ASSERT_THAT(news, SizeIs(live_queue::most_held));
    EXPECT_EQ(news.front().data.at("detail").at("n"), 0);
}

base::awaitable<void> tell_soon(observer& told, node const& which) {
    co_await base::sleep_for(1ms);
    told.node_started(which, {});
}

TEST_F(live_hub, wakes_who_waits) {
    auto const told = hub.of(job_id{7});
    auto const mine = hub.watch(job_id{7});
    base::task_group tasks(io.executor());
    tasks.spawn("tell", tell_soon(*told, assistant));

    io.run(mine->wait_for(1h));
    EXPECT_THAT(mine->take(), SizeIs(1));
    io.run(mine->wait_for(1ms));
    EXPECT_THAT(mine->take(), IsEmpty());
}

} // namespace

} // namespace postrider::agent::flow::live_test
