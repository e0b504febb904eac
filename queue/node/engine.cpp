#include "queue/node/engine.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"
#include "queue/node/claimer.hpp"
#include "queue/node/node_store.hpp"
#include "queue/node/pause_sweeps.hpp"
#include "queue/node/scheduler.hpp"
#include "queue/node/worker.hpp"
#include "storage/reachability.hpp"

#include <map>
#include <set>

namespace postrider::queue {

namespace {

namespace asio = boost::asio;

using namespace std::chrono_literals;

// Two partitions ahead are four million numbers, more than any flood draws meanwhile.
constexpr auto partitions_pause = 10s;
constexpr auto partitions_deadline = 20s;

constexpr storage::statement make_partitions{
    "make_partitions", "select postrider.make_partitions()"};

class node_engine final : public engine {
public:
    node_engine(asio::any_io_executor executor, engine_services services, engine_options options)
        : services_(services),
          options_(std::move(options)),
          store_(services.beats, services.db),
          loops_(executor),
          beat_now_(executor),
          others_died_(executor),
          poll_(executor, services.quick, services.clock, [this] { return poll_interval(); }),
          pauses_(services.clock),
          scheduler_(executor, services.db, services.clock, [this] { claimer_.wake(); }),
          worker_(executor, worker_services()),
          claimer_(std::move(executor), claimer_services(), options_) {
        pauses_.follow(poll_);
        claimer_.follow(poll_);
        scheduler_.follow(poll_);
        if (services_.limits) services_.limits->follow(poll_);
    }

    void add(job_kind kind) override { worker_.add(std::move(kind)); }

    void add_read(storage::statement const& statement, poll::handler take) override {
        poll_.add(statement, {}, std::move(take));
    }

    void add_beat_read(storage::write read, poll::handler take) override {
        beat_reads_.push_back(std::move(read));
        beat_read_handlers_.push_back(std::move(take));
    }

    base::awaitable<base::result<void>> start() override {
        identity_ = this_process(options_.version);
        auto joined = co_await join();
        if (!joined) co_return joined.error();
        co_await rescue();
        loops_.spawn("engine.beat", beat_loop());
        loops_.spawn("engine.rescue", rescue_loop());
        loops_.spawn("engine.poll", poll_.run());
        loops_.spawn("engine.reclaim", reclaim_loop());
        loops_.spawn("engine.claim", claimer_.run([this] { return me_; }));
        loops_.spawn("engine.partitions", keep_partitions_ahead());
        loops_.spawn("engine.schedules", scheduler_.run());
        co_return base::result<void>{};
    }

    std::optional<node_id> try_reserve() override {
        // While lanes wait for a slot, new ones queue up behind them.
        if (draining_ || claimer_.backlog() || !alive()) return std::nullopt;
        if (worker_.try_reserve(1) == 1) return me_;
        claimer_.note_backlog();
        return std::nullopt;
    }

    void release() override { worker_.release(1); }

    void start_leased(queue::job job, enqueued const& enqueued) override {
        note_activity();
        lease held{enqueued.lane, enqueued.epoch, 0, enqueued.arrival, enqueued.mailbox};
        held.head = job_id{base::raw(enqueued.epoch)}; // the arrival that begins a burst sets both
        worker_.start(me_, held, std::move(job));
    }

    void wake() override {
        note_activity();
        claimer_.wake();
    }

    void beat_now() override {
        beat_wanted_ = true;
        beat_now_.notify();
        poll_.now();
    }

    base::awaitable<void> drain(base::duration limit) override {
        draining_ = true;
        claimer_.stop();
        co_await worker_.drain(limit);
        loops_.cancel();
        co_await loops_.join();
        if (auto left = co_await store_.leave(me_); !left)
            base::log::warn("node.leave_failed", {{"node", me_}, {"error", left.error()}});
        else
            base::log::info("node.left", {{"node", me_}});
    }

    node_id self() const override { return me_; }

    engine_counts counts() const override {
        auto counts = worker_.counts();
        counts.rescued = rescued_;
        return counts;
    }

    bool alive() const override {
        return services_.clock.boot() - beaten_ < options_.silence * 2 / 3;
    }

private:
    void note_activity() {
        bool const was_active = claimer_.active();
        claimer_.note_activity();
        if (!was_active) poll_.interval_changed();
    }

    base::duration poll_interval() const {
        return claimer_.active() ? options_.longest_poll : options_.idle_poll;
    }

    worker::services worker_services() {
        return {
            .checkpoints = services_.checkpoints,
            .quick = services_.quick,
            .clock = services_.clock,
            .random = services_.random,
            .slots = options_.slots,
            .may_act = [this] { return alive(); },
            .slot_freed = [this] { claimer_.wake(); },
            .job_ended = [this] { claimer_.end_trial(); },
            .grace = options_.cancel_grace,
            .lost_budget = options_.lost_budget,
            .limits = services_.limits,
            .measures = services_.measures,
        };
    }

    claimer::services claimer_services() {
        return {services_.quick, services_.clock, worker_, [this] { return alive(); }};
    }

    base::awaitable<base::result<void>> join() {
        auto const before = services_.clock.boot();
        auto joined = co_await store_.join(identity_, options_.slots);
        if (!joined) co_return joined.error();
        me_ = *joined;
        look_ = lease_look(me_);
        look_everywhere_ = true;
        beaten_ = before;
        note_beaten();
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
                base::log::warn("node.lease_expired", {{"node", me_}, {"jobs", worker_.busy()}});
                worker_.abandon_all();
            }
        }
    }

    // Beside the heartbeat, which finds out that there is something to rescue.
    base::awaitable<void> rescue_loop() {
        while (true) {
            co_await others_died_.wait();
            if (alive()) co_await rescue();
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
            auto const ahead =
                co_await services_.db.query(make_partitions, {}, partitions_deadline);
            note_partitions(ahead);
            co_await base::sleep_for(partitions_pause);
        }
    }

    void note_partitions(base::result<storage::rows> const& ahead) {
        auto const now = services_.clock.steady();
        if (!ahead) {
            if (partitions_outage_.failed(now, storage::tolerated(ahead.error())))
                base::log::warn("engine.partitions_failed", {{"error", ahead.error()}});
        } else if (auto const lasted = partitions_outage_.over(now)) {
            base::log::info("engine.partitions_resumed", {{"after", *lasted}});
        }
    }

    void note_beat_failed(base::error const& error) {
        if (beat_outage_.failed(services_.clock.steady(), storage::tolerated(error)))
            base::log::warn("node.beat_failed", {{"node", me_}, {"error", error}});
    }

    void note_beaten() {
        if (auto const lasted = beat_outage_.over(services_.clock.steady()))
            base::log::info("node.beat_resumed", {{"node", me_}, {"after", *lasted}});
        if (services_.beaten) services_.beaten();
    }

    base::awaitable<void> beat() {
        auto const before = services_.clock.boot();
        auto const busy = worker_.busy();
        auto beaten = co_await store_.beat(
            me_, identity_, busy, options_.silence, look_, look_everywhere_, beat_reads_
        );
        if (!beaten) {
            note_beat_failed(beaten.error());
            co_return;
        }
        for (std::size_t n = 0; n < beaten->reads.size(); ++n)
            beat_read_handlers_[n](beaten->reads[n]);
        if (!beaten->known) {
            base::log::warn("node.was_rescued", {{"node", me_}, {"jobs", worker_.busy()}});
            auto const lanes = worker_.lanes();
            worker_.abandon_all();
            co_await join();
            (void)co_await store_.clear_suspects(lanes);
            co_return;
        }
        beaten_ = before;
        note_beaten();
        look_everywhere_ = beaten->others_died;
        if (beaten->others_died) others_died_.notify();
        std::set<held_lane> believed;
        std::vector<lane_epoch> epochs;
        for (auto const& [lane, asked] : beaten->lanes) {
            believed.insert(lane);
            epochs.push_back(lane.epoch);
            if (asked) worker_.ask({lane.lane, lane.epoch});
        }
        if (!look_.note(beaten->horizon, std::move(epochs))) {
            look_everywhere_ = true;
            co_return;
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
            auto const entry = unknown_.find(lane);
            unknown.emplace(lane, entry == unknown_.end() ? now : entry->second);
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
        auto rescued =
            co_await store_.rescue(me_, identity_, options_.silence, options_.lost_budget);
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

    engine_services services_;
    engine_options options_;
    node_identity identity_;
    node_id me_{};
    std::chrono::nanoseconds beaten_{
        std::chrono::hours{-1}}; // boot clock, when the last good beat was sent
    node_store store_;
    lease_look look_;
    bool look_everywhere_ = true; // until a look has found nothing to rescue
    base::task_group loops_;
    base::signal beat_now_;
    base::signal others_died_;
    poll poll_;
    pause_sweeps pauses_;
    scheduler scheduler_;
    worker worker_;
    claimer claimer_;
    std::vector<storage::write> beat_reads_;
    std::vector<poll::handler> beat_read_handlers_;
    std::map<held_lane, std::chrono::nanoseconds> unknown_; // boot clock
    base::outage beat_outage_;
    base::outage partitions_outage_;
    std::uint64_t rescued_ = 0;
    bool beat_wanted_ = false; // since the last heartbeat
    bool draining_ = false;
};

} // namespace

std::unique_ptr<engine> make_engine(
    asio::any_io_executor executor, engine_services const& services, engine_options options
) {
    return std::make_unique<node_engine>(std::move(executor), services, std::move(options));
}

} // namespace postrider::queue
