#include "queue/node/engine.hpp"

#include "base/log.hpp"
#include "queue/node/claim.hpp"
#include "queue/node/node_store.hpp"
#include "queue/node/scheduler.hpp"
#include "queue/node/worker.hpp"

#include <map>
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

// What was enqueued or resumed while it was paused as a whole; so many lanes in one transaction.
constexpr int pauses_at_once = 500;
constexpr storage::statement apply_pauses{"apply_pauses", "select postrider.apply_pauses($1::int)"};

class node_engine final : public engine {
public:
    node_engine(asio::any_io_executor executor, engine_services services, engine_options options)
        : services_(services),
          options_(std::move(options)),
          store_(services.beats, services.db),
          loops_(executor),
          wake_(executor),
          beat_now_(executor),
          pauses_changed_(executor),
          scheduler_(executor, services.db, [this] { lanes_ready(); }),
          worker_(executor, worker_services()) {}

    void add(job_kind kind) override { worker_.add(std::move(kind)); }

    base::awaitable<base::result<void>> start() override {
        who_ = this_process(options_.version);
        auto joined = co_await join();
        if (!joined) co_return joined.error();
        co_await rescue();
        loops_.spawn("engine.beat", beat_loop());
        loops_.spawn("engine.rescue", rescue_loop());
        loops_.spawn("engine.pauses", pauses_loop());
        loops_.spawn("engine.reclaim", reclaim_loop());
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
        pauses_changed_.notify();
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
            .checkpoints = services_.checkpoints,
            .quick = services_.quick,
            .clock = services_.clock,
            .random = services_.random,
            .slots = options_.slots,
            .may_act = [this] { return alive(); },
            .slot_freed = [this] { lanes_ready(); },
            .lane_ended = [this] { end_trial(); },
            .grace = options_.cancel_grace,
            .lost_budget = options_.lost_budget,
            .limits = services_.limits,
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

    // Waits for nothing but its own connection: whatever else is slow or locked, the node beats.
    base::awaitable<void> beat_loop() {
        while (true) {
            if (!beat_wanted_) co_await beat_now_.wait_for(options_.heartbeat);
            beat_wanted_ = false;
            co_await beat();
            if (!alive() && worker_.busy() > 0) {
                base::log::error("node.lease_expired", {{"node", me_}, {"jobs", worker_.busy()}});
                worker_.abandon_all();
            }
        }
    }

    base::awaitable<void> rescue_loop() {
        while (true) {
            co_await base::sleep_for(options_.heartbeat);
            if (alive()) co_await rescue();
        }
    }

    base::awaitable<void> pauses_loop() {
        while (true) {
            co_await pauses_changed_.wait_for(options_.heartbeat);
            for (bool more = alive(); more;) {
                std::vector<storage::param> most{pauses_at_once};
                auto changed =
                    co_await services_.db.query(apply_pauses, std::move(most), claim_deadline);
                more = changed && changed->at(0).int64(0) >= pauses_at_once;
            }
        }
    }

    base::awaitable<void> reclaim_loop() {
        while (true) {
            co_await base::sleep_for(options_.heartbeat);
            co_await reclaim();
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
            auto const lanes = worker_.lanes();
            worker_.abandon_all();
            co_await join();
            (void)co_await store_.clear_suspects(lanes);
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
        note_unknown(believed, before);
    }

    // Leases that the database believes to be ours and that nobody here knows of, and since when.
    void note_unknown(std::set<held_lane> const& believed, std::chrono::nanoseconds now) {
        std::map<held_lane, std::chrono::nanoseconds> unknown;
        for (auto const& lane : believed) {
            if (worker_.runs({lane.lane, lane.epoch})) continue;
            auto const known = unknown_.find(lane);
            unknown.emplace(lane, known == unknown_.end() ? now : known->second);
        }
        unknown_ = std::move(unknown);
    }

    // The answer to the commit of such a lease was lost, when it stays unknown for a heartbeat's
    // time: a commit under way has been answered by then. It is freed, and claimed like any other.
    base::awaitable<void> reclaim() {
        std::vector<held_lane> lost;
        for (auto const& [lane, since] : unknown_)
            if (beaten_ - since >= options_.heartbeat) lost.push_back(lane);
        for (auto const& lane : lost) {
            if (worker_.runs({lane.lane, lane.epoch})) continue;
            base::log::warn("lane.released", {{"lane", lane.lane}, {"node", me_}});
            co_await store_.release(me_, lane);
            unknown_.erase(lane);
            wake();
        }
    }

    base::awaitable<void> rescue() {
        auto rescued = co_await store_.rescue(me_, who_, options_.silence, options_.lost_budget);
        if (!rescued) {
            base::log::warn("node.rescue_failed", {{"node", me_}, {"error", rescued.error()}});
            co_return;
        }
        if (rescued->lanes == 0) co_return;
        rescued_ += static_cast<std::uint64_t>(rescued->lanes);
        base::log::warn(
            "node.rescued",
            {{"nodes", rescued->nodes},
             {"lanes", rescued->lanes},
             {"suspects", rescued->suspects},
             {"spent_jobs", rescued->spent}}
        );
        wake();
    }

    // Among suspects one runs at a time, until it has ended or its trial has gone well for long
    // enough.
    bool may_try_suspect() const {
        return !trial_ || !worker_.runs(trial_->of) || services_.clock.steady() >= trial_->until;
    }

    void begin_trial(claimed_lane const& lane) {
        auto const deaths = std::clamp(lane.suspect, 1, 10);
        auto const length = options_.trial * (1 << (2 * (deaths - 1)));
        trial_ = {lane.lease, services_.clock.steady() + length};
    }

    void end_trial() {
        if (!trial_ || worker_.runs(trial_->of)) return;
        trial_.reset();
        lanes_ready();
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
            // Without a free slot it waits for one, however much is ready.
            auto const longest =
                slots > 0 ? std::min(pause, until_next_ready()) : options_.longest_poll;
            if (!woken_) co_await wake_.wait_for(longest);
            if (std::exchange(woken_, false)) pause = options_.shortest_poll;
        }
    }

    // As the last claim told, or a job that was parked here since.
    base::duration until_next_ready() {
        if (auto parked = worker_.take_next_ready()) next_ready_ = std::min(next_ready_, *parked);
        if (trial_) next_ready_ = std::min(next_ready_, trial_->until);
        // Just after it, so that the claim finds it ready by the database's clock too.
        return std::max<base::duration>(next_ready_ - services_.clock.steady(), 1ms);
    }

    // Returns how many lanes were taken; gives the other reserved slots back.
    base::awaitable<int> claim(int slots) {
        worker_.take_next_ready(); // committed before the claim: it sees them
        claim_request const wanted{
            .node = me_,
            .slots = slots,
            .margin = passed_over_,
            .with_suspect = may_try_suspect(),
            .calm = options_.calm};
        if (wanted.with_suspect) trial_.reset();
        auto claimed = co_await claim_lanes(services_.quick, wanted, claim_deadline);
        auto const got = claimed ? static_cast<int>(claimed->lanes.size()) : 0;
        // Giving back what this claim reserved is no reason for another one.
        bool const woken = woken_;
        worker_.release(slots - got);
        woken_ = woken;
        auto const next_in = claimed ? claimed->next_in : std::nullopt;
        next_ready_ = services_.clock.steady() + options_.longest_poll;
        if (next_in) next_ready_ = services_.clock.steady() + *next_in;
        if (!claimed) co_return 0;
        auto const margin = std::exchange(passed_over_, claimed->passed_over);
        if (passed_over_ > margin) woken_ = true; // again, and past these
        for (auto& lane : claimed->lanes) {
            worker_.start(me_, lane.lease, std::move(lane.job), lane.asked);
            if (lane.suspect > 0) begin_trial(lane);
        }
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
    base::signal pauses_changed_;
    base::steady_time next_ready_{};
    scheduler scheduler_;
    worker worker_;
    std::map<held_lane, std::chrono::nanoseconds> unknown_; // boot clock
    // A suspect that runs here by itself, and how long no other one joins it.
    struct trial {
        lease of;
        base::steady_time until;
    };
    std::optional<trial> trial_;
    std::uint64_t rescued_ = 0;
    int passed_over_ = 0;      // by the last claim
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
