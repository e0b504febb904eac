#include "queue/node/engine.hpp"

#include "base/log.hpp"
#include "queue/node/claim.hpp"
#include "queue/node/node_store.hpp"
#include "queue/node/scheduler.hpp"
#include "queue/node/worker.hpp"

#include <set>

namespace postrider::queue {

namespace {

namespace asio = boost::asio;

using namespace std::chrono_literals;

// Lanes claimed by one statement at most: more would only make the statement long.
constexpr int largest_claim = 128;
constexpr auto claim_deadline = 5s;
// Two partitions ahead are four million numbers, more than any flood draws meanwhile.
constexpr auto partitions_pause = 10s;
constexpr auto partitions_deadline = 20s;

constexpr storage::statement make_partitions{
    "make_partitions", "select postrider.make_partitions()"};

// What was enqueued or resumed while it was paused as a whole.
constexpr storage::statement apply_pauses{"apply_pauses", "select postrider.apply_pauses()"};

class node_engine final : public engine {
public:
    node_engine(asio::any_io_executor executor, engine_services services, engine_options options)
        : services_(services),
          options_(std::move(options)),
          store_(services.beats, services.db),
          loops_(executor),
          wake_(executor),
          beat_now_(executor),
          scheduler_(executor, services.db, [this] { lanes_ready(); }),
          worker_(executor, worker_services()) {}

    void add(job_kind kind) override { worker_.add(std::move(kind)); }

    base::awaitable<base::result<void>> start() override {
        who_ = this_process(options_.version);
        auto joined = co_await join();
        if (!joined) co_return joined.error();
        co_await rescue();
        loops_.spawn("engine.beat", beat_loop());
        loops_.spawn("engine.claim", claim_loop());
        loops_.spawn("engine.partitions", keep_partitions_ahead());
        loops_.spawn("engine.schedules", scheduler_.run());
        co_return base::result<void>{};
    }

    std::optional<node_id> try_reserve() override {
        // While lanes wait for a slot, new ones queue up behind them.
        if (draining_ || backlog_ || !alive()) return std::nullopt;
        if (worker_.try_reserve(1) == 1) return me_;
        backlog_ = true;
        return std::nullopt;
    }

    void release() override { worker_.release(1); }

    void start_leased(queue::job job, enqueued const& made) override {
        lease const got{made.lane, made.epoch, 0, made.arrival, made.mailbox};
        worker_.start(me_, got, std::move(job));
    }

    void wake() override {
        scheduler_.wake();
        lanes_ready();
    }

    void beat_now() override {
        beat_wanted_ = true;
        beat_now_.notify();
    }

    base::awaitable<void> drain(base::duration limit) override {
        draining_ = true;
        wake();
        co_await worker_.drain(limit);
        loops_.cancel();
        co_await loops_.join();
        if (auto left = co_await store_.leave(me_); !left)
            base::log::warn("node.leave_failed", {{"node", me_}, {"error", left.error()}});
        else
            base::log::info("node.left", {{"node", me_}});
    }

    engine_counts counts() const override {
        auto counts = worker_.counts();
        counts.rescued = rescued_;
        return counts;
    }

    bool alive() const override {
        return services_.clock.boot() - beaten_ < options_.silence * 2 / 3;
    }

private:
    void lanes_ready() {
        woken_ = true;
        wake_.notify();
    }

    worker::services worker_services() {
        return {
            services_.checkpoints,
            services_.quick,
            services_.clock,
            services_.random,
            options_.slots,
            [this] { return alive(); },
            [this] { wake(); },
            options_.cancel_grace,
            options_.lost_budget,
            services_.limits,
        };
    }

    base::awaitable<base::result<void>> join() {
        auto const before = services_.clock.boot();
        auto joined = co_await store_.join(who_, options_.slots);
        if (!joined) co_return joined.error();
        me_ = *joined;
        beaten_ = before;
        base::log::info("node.joined", {{"node", me_}, {"slots", options_.slots}});
        co_return base::result<void>{};
    }

    // However often somebody wants to hear what is asked now, the rest has its turn once in a
    // heartbeat's time.
    base::awaitable<void> beat_loop() {
        auto next = services_.clock.steady() + options_.heartbeat;
        while (true) {
            auto const left = next - services_.clock.steady();
            if (!beat_wanted_ && left > 0ns) co_await beat_now_.wait_for(left);
            beat_wanted_ = false;
            co_await beat();
            if (!alive() && worker_.busy() > 0) {
                base::log::error("node.lease_expired", {{"node", me_}, {"jobs", worker_.busy()}});
                worker_.abandon_all();
            }
            if (services_.clock.steady() < next) continue;
            if (alive()) {
                co_await rescue();
                co_await services_.db.query(apply_pauses, {}, claim_deadline);
            }
            next = services_.clock.steady() + options_.heartbeat;
        }
    }

    // Beside the heartbeat, which must not wait for locks.
    base::awaitable<void> keep_partitions_ahead() {
        while (true) {
            auto made = co_await services_.db.query(make_partitions, {}, partitions_deadline);
            if (!made) base::log::warn("engine.partitions_failed", {{"error", made.error()}});
            co_await base::sleep_for(partitions_pause);
        }
    }

    base::awaitable<void> beat() {
        auto const before = services_.clock.boot();
        auto beaten = co_await store_.beat(me_, worker_.busy());
        if (!beaten) {
            base::log::warn("node.beat_failed", {{"node", me_}, {"error", beaten.error()}});
            co_return;
        }
        if (!beaten->known) {
            base::log::error("node.was_rescued", {{"node", me_}, {"jobs", worker_.busy()}});
            worker_.abandon_all();
            co_await join();
            co_return;
        }
        beaten_ = before;
        std::set<held_lane> believed;
        for (auto const& [lane, asked] : beaten->lanes) {
            believed.insert(lane);
            if (asked) worker_.ask({lane.lane, lane.epoch});
        }
        worker_.abandon_unless(before, [&](lease const& held) {
            return believed.contains({held.lane, held.epoch});
        });
        co_await adopt(believed);
    }

    // Leases that the database believes to be ours and that nobody here knows of, in two beats in a
    // row: the answer to their commit was lost. They are freed, and claimed like any other.
    base::awaitable<void> adopt(std::set<held_lane> believed) {
        std::set<held_lane> unknown;
        for (auto const& lane : believed)
            if (!worker_.runs({lane.lane, lane.epoch})) unknown.insert(lane);
        for (auto const& lane : std::exchange(unknown_, unknown)) {
            if (!unknown.contains(lane)) continue;
            base::log::warn("lane.released", {{"lane", lane.lane}, {"node", me_}});
            co_await store_.release(me_, lane);
            unknown_.erase(lane);
            wake();
        }
    }

    base::awaitable<void> rescue() {
        auto rescued = co_await store_.rescue(me_, who_, options_.silence, options_.lost_budget);
        if (!rescued || rescued->nodes == 0) co_return;
        rescued_ += static_cast<std::uint64_t>(rescued->lanes);
        base::log::warn(
            "node.rescued",
            {{"nodes", rescued->nodes}, {"lanes", rescued->lanes}, {"failed_jobs", rescued->failed}}
        );
        wake();
    }

    base::awaitable<void> claim_loop() {
        auto pause = options_.shortest_poll;
        while (!draining_) {
            // Half of what is free, so that new messages find a slot while the claim is under way.
            auto const wanted = std::min(largest_claim, (worker_.free() + 1) / 2);
            auto const slots = alive() ? worker_.try_reserve(wanted) : 0;
            if (slots > 0) {
                auto const got = co_await claim(slots);
                backlog_ = got == slots;
                if (backlog_) continue;
                pause =
                    got > 0 ? options_.shortest_poll : std::min(pause * 2, options_.longest_poll);
            }
            if (!woken_) co_await wake_.wait_for(std::min(pause, until_next_ready()));
            if (std::exchange(woken_, false)) pause = options_.shortest_poll;
        }
    }

    // As the last claim told, or a job that was parked here since.
    base::duration until_next_ready() {
        if (auto parked = worker_.take_next_ready()) next_ready_ = std::min(next_ready_, *parked);
        // Just after it, so that the claim finds it ready by the database's clock too.
        return std::max<base::duration>(next_ready_ - services_.clock.steady(), 1ms);
    }

    // Returns how many lanes were taken; gives the other reserved slots back.
    base::awaitable<int> claim(int slots) {
        worker_.take_next_ready(); // committed before the claim: it sees them
        auto claimed = co_await claim_lanes(services_.quick, me_, slots, claim_deadline);
        auto const got = claimed ? static_cast<int>(claimed->lanes.size()) : 0;
        // Giving back what this claim reserved is no reason for another one.
        bool const woken = woken_;
        worker_.release(slots - got);
        woken_ = woken;
        auto const next_in = claimed ? claimed->next_in : std::nullopt;
        next_ready_ = services_.clock.steady() + options_.longest_poll;
        if (next_in) next_ready_ = services_.clock.steady() + *next_in;
        if (!claimed) co_return 0;
        for (auto& one : claimed->lanes)
            worker_.start(me_, one.lease, std::move(one.job), one.asked);
        co_return got;
    }

    engine_services services_;
    engine_options options_;
    node_identity who_;
    node_id me_{};
    std::chrono::nanoseconds beaten_{
        std::chrono::hours{-1}}; // boot clock, when the last good beat was sent
    node_store store_;
    base::task_group loops_;
    base::signal wake_;
    base::signal beat_now_;
    base::steady_time next_ready_{};
    scheduler scheduler_;
    worker worker_;
    std::set<held_lane> unknown_;
    std::uint64_t rescued_ = 0;
    bool woken_ = false;       // since the claim loop looked last
    bool beat_wanted_ = false; // since the last heartbeat
    bool draining_ = false;
    bool backlog_ = false; // lanes wait for a slot
};

} // namespace

std::unique_ptr<engine> make_engine(
    asio::any_io_executor executor, engine_services services, engine_options options
) {
    return std::make_unique<node_engine>(std::move(executor), services, std::move(options));
}

} // namespace postrider::queue
