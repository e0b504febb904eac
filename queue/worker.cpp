#include "queue/worker.hpp"

#include "base/fault.hpp"
#include "base/log.hpp"
#include "queue/run.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

// So many jobs of one lane run in a row while other lanes wait for a slot.
constexpr int longest_streak = 16;
// A claimed lane whose job is not visible is asked again this often; then it waits its turn once
// more.
constexpr int looks_for_first_job = 20;
constexpr auto record_deadline = 5s;

} // namespace

struct worker::running {
    queue::lease lease;
    base::task_group::task_id task{};
    std::chrono::nanoseconds since{0}; // boot clock
};

worker::worker(asio::any_io_executor executor, services with)
    : services_(std::move(with)),
      jobs_(executor),
      ended_(executor),
      free_(services_.slots) {}

worker::~worker() = default;

void worker::add(job_kind kind) {
    kinds_.insert_or_assign(kind.name, std::move(kind.run));
}

int worker::try_reserve(int wanted) {
    if (draining_) return 0;
    auto const got = std::min(wanted, free_);
    free_ -= got;
    return got;
}

void worker::release(int slots) {
    if (slots == 0) return;
    bool const was_full = free_ == 0;
    free_ += slots;
    ended_.notify();
    if (was_full) services_.slot_freed();
}

void worker::start(node_id node, queue::lease got, std::optional<queue::job> job, job_id head) {
    ++counts_.started;
    auto self = std::make_unique<running>();
    auto* entry = self.get();
    entry->lease = got;
    entry->since = services_.clock.boot();
    running_[{got.lane, got.epoch}] = std::move(self);
    entry->task = jobs_.spawn("lane", run_lane(node, got, std::move(job), head, entry));
}

bool worker::runs(queue::lease const& which) const {
    return running_.contains({which.lane, which.epoch});
}

base::duration worker::until_next_ready() {
    auto const now = services_.clock.steady();
    while (!ready_times_.empty() && *ready_times_.begin() + 1s < now)
        ready_times_.erase(ready_times_.begin());
    if (ready_times_.empty()) return 24h;
    // Just after it, so that the claim finds it ready by the database's clock too.
    return std::max<base::duration>(*ready_times_.begin() - now, 5ms);
}

void worker::abandon_all() {
    jobs_.cancel();
}

void worker::abandon_unless(
    std::chrono::nanoseconds since, std::function<bool(queue::lease const&)> const& still_ours
) {
    std::vector<base::task_group::task_id> gone;
    for (auto const& [key, one] : running_)
        if (one->since < since && !still_ours(one->lease)) gone.push_back(one->task);
    for (auto task : gone) jobs_.cancel(task);
}

base::awaitable<void> worker::drain(base::duration limit) {
    draining_ = true;
    auto const until = services_.clock.steady() + limit;
    while (busy() > 0) { // reserved slots too: their commits may still lease lanes to this node
        auto const left = until - services_.clock.steady();
        if (left <= 0ns || !co_await ended_.wait_for(left)) break;
    }
    if (!running_.empty()) base::log::info("engine.putting_back", {{"jobs", running_.size()}});
    put_back_ = true;
    jobs_.cancel();
    co_await jobs_.join();
}

engine_counts worker::counts() const {
    auto counts = counts_;
    counts.slots = services_.slots;
    counts.busy = busy();
    return counts;
}

base::awaitable<void> worker::run_lane(
    node_id node, queue::lease got, std::optional<queue::job> job, job_id head, running* self
) {
    // Gives the slot back however the coroutine ends.
    struct seat {
        worker& owner;
        running* self;
        ~seat() {
            owner.running_.erase({self->lease.lane, self->lease.epoch});
            owner.release(1);
        }
    };
    seat mine{*this, self};

    if (!job) job = co_await first_job(node, got, head);
    for (int in_a_row = 1; job; ++in_a_row)
        job = co_await run_job(node, got, std::move(*job), in_a_row);
}

base::awaitable<std::optional<queue::job>> worker::first_job(
    node_id node, queue::lease got, job_id head
) {
    for (int look = 0; look < looks_for_first_job && services_.may_act(); ++look) {
        auto what = std::make_shared<progress>();
        what->node = node;
        what->lease = got;
        what->ending = advance{job_id{base::raw(head) - 1}};
        auto asked = co_await services_.progress.commit(what, record_deadline);
        if (asked && what->result() == progress::verdict::lost) co_return std::nullopt;
        if (asked && what->next()) co_return what->next();
        co_await base::sleep_for(5ms);
    }
    base::log::warn("lane.without_job", {{"lane", got.lane}, {"head", head}});
    co_return std::nullopt;
}

base::awaitable<std::optional<queue::job>> worker::run_job(
    node_id node, queue::lease& got, queue::job job, int in_a_row
) {
    auto record = co_await read_record(job);
    if (!record) co_return std::nullopt;

    auto const began = services_.clock.steady();
    auto const id = job.id;
    auto const kind = job.kind;
    auto const run_no = job.run_no;
    job_run run{
        {services_.progress, services_.clock, services_.random, node, services_.may_act},
        std::move(job),
        got,
        std::move(*record)};
    outcome how;
    auto const which = co_await call(run, how);
    auto const state = how.state;
    // Told to stop or not, what the run holds must still be written.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    auto next = co_await write_end(run, which, std::move(how), in_a_row);
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    got = run.lease();
    if (which == end::over)
        base::log::info(
            "job.settled",
            {{"job", id},
             {"kind", kind},
             {"run", run_no},
             {"outcome", to_string(state)},
             {"took", services_.clock.steady() - began}}
        );
    co_return next;
}

base::awaitable<std::optional<job_record>> worker::read_record(queue::job const& job) {
    if (job.run_no == 1) co_return job_record{}; // a first run has left nothing behind
    for (auto pause = 50ms; services_.may_act(); pause = std::min(pause * 2, 1000ms)) {
        auto record = co_await load_record(services_.quick, job.id, record_deadline);
        if (record) co_return std::move(*record);
        co_await base::sleep_for(pause);
    }
    co_return std::nullopt;
}

// Calls the job's function; the one place that catches what a job throws.
base::awaitable<worker::end> worker::call(job_run& run, outcome& how) {
    auto const& job = run.job();
    auto kind = kinds_.find(job.kind);
    if (kind == kinds_.end()) {
        how = outcome::failed({base::errc::not_found, "no such kind of job: " + job.kind});
        co_return end::over;
    }
    try {
        how = co_await kind->second(run);
        co_return end::over;
    } catch (suspended const&) {
        co_return end::parked;
    } catch (abandoned const&) {
        co_return end::lost;
    } catch (boost::system::system_error const& e) {
        if (e.code() == asio::error::operation_aborted) co_return end::stopped;
        how = outcome::failed({base::errc::internal, e.what()});
    } catch (std::exception const& e) {
        how = outcome::failed({base::errc::internal, e.what()});
    }
    base::log::error("job.threw", {{"job", job.id}, {"kind", job.kind}, {"error", how.why.detail}});
    co_return end::over;
}

base::awaitable<std::optional<queue::job>> worker::write_end(
    job_run& run, end which, outcome how, int in_a_row
) {
    switch (which) {
    case end::over: {
        ++(how.state == job_state::failed ? counts_.failed : counts_.completed);
        bool const hand_on = !draining_ && (free_ > 0 || in_a_row < longest_streak);
        ending settled = settle{std::move(how), hand_on};
        co_return co_await finish(run, std::move(settled));
    }
    case end::parked:
        ++counts_.parked;
        ready_times_.insert(services_.clock.steady() + run.parked_for());
        services_.slot_freed(); // the claim loop sleeps no longer than until then
        co_return std::nullopt;
    case end::lost:
        ++counts_.lost;
        co_return std::nullopt;
    case end::stopped:
        if (!put_back_) {
            ++counts_.lost;
            co_return std::nullopt;
        }
        ending unharmed = put_back{};
        co_return co_await finish(run, std::move(unharmed));
    }
    co_return std::nullopt;
}

base::awaitable<std::optional<queue::job>> worker::finish(job_run& run, ending how) {
    base::fault::point("outcome.before_commit");
    try {
        auto next = co_await run.finish(std::move(how));
        base::fault::point("outcome.after_commit");
        co_return next;
    } catch (abandoned const&) {
        ++counts_.lost;
    }
    co_return std::nullopt;
}

} // namespace postrider::queue
