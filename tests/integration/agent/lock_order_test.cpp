// What begins executions, through the product's own units, by one stage and by several in one batch,
// against what workers, people and the upkeep do, and against itself, from two processes: none may wait
// for the other in a circle. docs/states.md has the order; tests/integration/queue/lock_order_test.cpp
// has what one statement locks.
//
// Each kind of start has lanes of its own, as chats, conversations of the chat API and webhooks have, and
// these stand in the order of the stages that lock them. Where they do not, a batch of several stages and
// a transaction that locks its lanes in one pass may meet crosswise: the last test has that.
#include "agent/flow/start/start_once.hpp"
#include "base/random.hpp"
#include "storage/pg/connection.hpp"
#include "tests/integration/queue/lock_order_operations.hpp"
#include "tests/integration/queue/lock_order_pairs.hpp"
#include "tests/integration/server/roomless_slots.hpp"
#include "tests/support/busy_unit.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <future>
#include <span>
#include <stdexcept>

namespace postrider::tests::lock_order_test {
namespace {

using namespace std::chrono_literals;
namespace flow = agent::flow;

// The turn of an update, as the intake of a bot writes it.
class update_unit final : public flow::execution_unit {
public:
    update_unit(
        storage::inbox_row inbox,
        std::shared_ptr<flow::execution_start const> start,
        std::optional<lane_id> known_lane
    )
        : execution_unit(std::move(start), known_lane),
          inbox_(std::move(inbox)) {}

private:
    storage::inbox_row const* update() const override { return &inbox_; }
    std::optional<storage::write> gate() override { return storage::add_update(inbox_); }
    bool admits(storage::rows const& added) override { return !added.empty(); }

    storage::inbox_row inbox_;
};

class execution_actor {
public:
    execution_actor(test_database const& database, std::string name, unsigned seed)
        : process(database, std::move(name), seed) {}

    // The lanes of webhooks are known to the process from now on, whatever the pairs do: they always
    // have jobs, so they are never pruned.
    void learn_lanes() {
        for (auto lane : hook_lanes) await(start_hook(lane));
        started = 0;
    }

    // Several of each kind, which share batches.
    void start_some() {
        base::task_group tasks{process.io().executor()};
        for (int n = 0; n < 2; ++n) {
            tasks.spawn(
                "update", start_update(any_of(chat_lanes), update_id{process.random() % 20})
            );
            tasks.spawn("request", start_request(any_of(api_lanes)));
            tasks.spawn("own lane", start_in_own_lane());
        }
        tasks.spawn("hook", start_hook(any_of(hook_lanes)));
        await(tasks.join());
    }

    // Its transaction is apart.
    void open_conversation() { await(start_conversation(process.random() % lanes_with_jobs)); }

    // A webhook and an update in one batch, of which the webhook locks its lane at the first stage.
    void start_in_two_stages(unsigned hook, unsigned chat) {
        await(start_hook(hook));
        started = 0;
        auto& intake = *process.connections().intake;
        base::task_group tasks{process.io().executor()};
        auto const busy = std::make_shared<busy_unit>();
        tasks.spawn("busy", occupy(intake, busy));
        await(until([&] { return busy->begun.load(); }));
        tasks.spawn("hook", start_hook(hook));
        tasks.spawn("update", start_update(chat, update_id{++updates_}));
        await(until([&] { return intake.counts().waiting == 2; }));
        busy->open();
        await(tasks.join());
    }

    lock_order_actor process;
    int started = 0;

private:
    // Locked at the first stage, at the second and at the third. The last may be pruned, and is made
    // anew then, behind all others.
    static constexpr std::array<unsigned, 2> hook_lanes{0, 1};
    static constexpr std::array<unsigned, 3> chat_lanes{2, 3, 4};
    static constexpr std::array<unsigned, 4> api_lanes{5, 6, 7, 8};

    unsigned any_of(std::span<unsigned const> lanes) {
        return lanes[process.random() % lanes.size()];
    }

    void await(base::awaitable<void> work) {
        process.io().run(std::move(work), lock_order_actor::patience);
    }

    static base::awaitable<void> occupy(
        storage::batcher& intake, std::shared_ptr<storage::unit> unit
    ) {
        (void)co_await intake.commit(std::move(unit), lock_order_actor::patience);
    }

    static base::awaitable<void> until(std::function<bool()> condition) {
        for (bool met = condition(); !met; met = condition()) co_await base::sleep_for(1ms);
    }

    static base::steady_time deadline() {
        return base::system_clock().steady() + lock_order_actor::patience;
    }

    flow::execution_start start_in(unsigned lane) {
        flow::execution_start start;
        start.lane.key = lane_key(lane);
        start.lane.manner.mailbox = mailbox_of(lane);
        start.job.kind = "test";
        storage::message_row message;
        message.role = "user";
        start.message = std::move(message);
        return start;
    }

    base::awaitable<void> start_update(unsigned lane, update_id update) {
        storage::inbox_row inbox;
        inbox.bot = bot_id{1};
        inbox.update = update;
        inbox.disposition = "job";
        flow::execution_intake::unit_maker make = [inbox](auto start, auto known) {
            return std::make_shared<update_unit>(inbox, std::move(start), known);
        };
        auto start = start_in(lane);
        start.lane.bot = inbox.bot;
        start.lane.chat = chat_id{lane % 3};
        start.message->chat = start.lane.chat;
        auto const begun = co_await intake_.begin(std::move(start), std::move(make), deadline());
        if (begun && (*begun)->job()) ++started;
        if (!begun) process.note(begun.error());
    }

    // Under a key that may come again, of a person whose messages are counted, and may be too many.
    base::awaitable<void> start_request(unsigned lane) {
        auto const number = process.random() % 8;
        flow::start_conditions conditions;
        conditions.key = storage::request_key{
            "POST /api/v1/conversations/" + conversation_of(lane) + "/messages",
            "key" + std::to_string(number),
            "digest"};
        conditions.quota =
            flow::message_quota{user_id{7 + number % 2}, process.random() % 4 == 0 ? 1 : 1'000'000};
        auto start = start_in(lane);
        auto const begun =
            co_await flow::start_once(intake_, std::move(start), std::move(conditions), deadline());
        if (begun && begun->is_new) ++started;
        if (!begun) process.note(begun.error());
    }

    base::awaitable<void> start_hook(unsigned lane) {
        auto start = start_in(lane);
        start.message.reset();
        return begin_ungated(std::move(start));
    }

    // A lane that the commit makes, and nobody names again.
    base::awaitable<void> start_in_own_lane() {
        auto start = start_in(0);
        start.lane.key = "flow:test/" + base::nanoid(base::system_random());
        start.message.reset();
        return begin_ungated(std::move(start));
    }

    base::awaitable<void> start_conversation(unsigned lane) {
        auto start = start_in(lane);
        auto& command = start.command.emplace();
        command.job = start.job;
        command.job.input = boost::json::object{};
        command.opens_conversation = true;
        command.ends.emplace();
        return begin_ungated(std::move(start));
    }

    base::awaitable<void> begin_ungated(flow::execution_start start) {
        auto const begun = co_await intake_.begin(std::move(start), deadline());
        if (begun) ++started;
        if (!begun) process.note(begun.error());
    }

    std::int64_t updates_ = 100;
    roomless_slots slots_;
    flow::execution_intake intake_{*process.connections().intake, slots_, base::system_clock()};
};

struct act {
    std::function<void(execution_actor&)> run;
    int rounds;
};

std::vector<act> starts() {
    auto const rounds = rounds_of(3, 40);
    return {{&execution_actor::start_some, rounds}, {&execution_actor::open_conversation, rounds}};
}

// Beside themselves, too.
std::vector<act> opponents() {
    auto all = starts();
    auto const most = rounds_of(3, 40);
    for (auto const& part : {arrivals(), workers(), people(), upkeep()})
        for (auto const& each : part) {
            auto run = [operation = each.act](execution_actor& actor) { operation(actor.process); };
            all.push_back({std::move(run), std::min(each.rounds, most)});
        }
    return all;
}

void repeat(execution_actor& actor, act const& each) {
    for (int n = 0; n < each.rounds; ++n) each.run(actor);
}

// covers: E.21
TEST(starts_of_executions, wait_for_nobody_in_a_circle) {
    test_database database;
    prepare(database);
    {
        execution_actor left(database, "left", 1);
        execution_actor right(database, "right", 2);
        begin_pair(left.process);
        left.learn_lanes();
        right.learn_lanes();
        auto const others = opponents();
        auto const own = starts();
        for (auto const& start : own)
            for (auto const& other : others) {
                begin_pair(left.process);
                side_by_side([&] { repeat(right, other); }, [&] { repeat(left, start); });
            }
        EXPECT_GT(left.started, 0);
        EXPECT_GT(right.started, 0);
        EXPECT_THAT(left.process.refused, testing::IsEmpty());
        EXPECT_THAT(right.process.refused, testing::IsEmpty());
    } // the sessions end, and have told what they counted

    EXPECT_EQ(deadlocks(database), "0");
}

// The rows of two lanes of lane_run, locked one after the other as a worker's commit locks them, the
// second once somebody waits for the first.
class crossing_worker {
public:
    explicit crossing_worker(test_database const& database)
        : database_(database),
          session_(storage::pg::connect(database.options(), storage::pg::purpose::general)) {}

    void lock(unsigned lane) {
        static constexpr storage::statement lock_run{
            "lock_run",
            "select from postrider.lane_run r join postrider.lane l using (lane_id) "
            "where l.lane_key = $1 for update of r"};
        session_->query(lock_run, {lane_key(lane)});
    }
    void begin() { session_->begin(); }
    void finish(unsigned lane) {
        wait_for_a_waiter();
        lock(lane);
        session_->commit();
    }

private:
    void wait_for_a_waiter() const {
        auto const end = base::system_clock().steady() + 10s;
        while (database_.value("select count(*) > 0 from pg_stat_activity where wait_event_type = "
                               "'Lock' and datname = current_database()") != "t")
            if (base::system_clock().steady() > end)
                throw std::runtime_error("nobody waits for the worker");
    }

    test_database const& database_;
    std::unique_ptr<storage::pg::connection> session_;
};

// With the server's own deadlock_timeout: the batch has given way by then.
// covers: E.21
TEST(starts_of_executions, of_several_stages_give_way_to_a_worker_that_they_meet_crosswise) {
    constexpr unsigned chat = 2;
    constexpr unsigned hook = 7;
    test_database database;
    {
        execution_actor actor(database, "left", 1);
        begin_pair(actor.process);
        crossing_worker worker(database);
        worker.begin();
        worker.lock(chat);
        auto finished = std::async(std::launch::async, [&] { worker.finish(hook); });

        actor.start_in_two_stages(hook, chat);

        EXPECT_NO_THROW(finished.get());
        EXPECT_GE(actor.process.connections().intake->counts().split, 1u);
        actor.start_in_two_stages(hook, chat); // as their callers do
        EXPECT_EQ(actor.started, 2);
        EXPECT_THAT(actor.process.refused, testing::IsEmpty());
    }
    EXPECT_EQ(deadlocks(database), "0");
}

} // namespace
} // namespace postrider::tests::lock_order_test
