#include "queue/node/worker.hpp"

#include "base/log.hpp"
#include "queue/run/job_run.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr auto release_deadline = 5s;

} // namespace

worker::worker(asio::any_io_executor executor, services dependencies)
    : services_(std::move(dependencies)),
      jobs_(executor),
      timers_(executor),
      ended_(std::move(executor)),
      free_(services_.slots) {}

worker::~worker() = default;

void worker::add(job_kind kind) {
    auto& versions = kinds_[kind.name];
    auto const version = kind.version;
    versions.insert_or_assign(version, std::move(kind));
}

int worker::try_reserve(int most) {
    if (draining_) return 0;
    auto const slots = std::min(most, free_);
    free_ -= slots;
    return slots;
}

void worker::release(int slots) {
    if (slots == 0) return;
    bool const was_full = free_ == 0;
    free_ += slots;
    ended_.notify();
    if (was_full) services_.slot_freed();
    services_.job_ended();
}

void worker::start(
    node_id node,
    queue::lease lease,
    std::optional<queue::job> job,
    std::optional<control_request> control
) {
    auto self = std::make_unique<running>();
    auto* entry = self.get();
    entry->node = node;
    entry->lease = lease;
    entry->since = services_.clock.boot();
    entry->asked = control;
    running_[{lease.lane, lease.epoch}] = std::move(self);
    entry->task = jobs_.spawn("lane", run_lane(node, lease, std::move(job), entry));
}

bool worker::runs(queue::lease const& lease) const {
    return running_.contains({lease.lane, lease.epoch});
}

bool worker::runs(queue::lease const& lease, job_id job) const {
    auto const entry = running_.find({lease.lane, lease.epoch});
    if (entry == running_.end()) return false;
    return entry->second->job == job || entry->second->job == job_id{};
}

std::vector<lane_id> worker::lanes() const {
    std::vector<lane_id> all;
    for (auto const& [key, entry] : running_) all.push_back(key.first);
    return all;
}

std::optional<base::steady_time> worker::take_next_ready() {
    return std::exchange(next_ready_, std::nullopt);
}

void worker::ask(lease const& lease) {
    auto entry = running_.find({lease.lane, lease.epoch});
    if (entry == running_.end() || !entry->second->run) return;
    timers_.spawn("job.ask", handle_request(lease.lane, lease.epoch, entry->second->job));
}

// The request that was read may be for the job before: a commit behind the fence tells what is
// asked of this one, as long as it runs.
base::awaitable<void> worker::handle_request(lane_id lane, lane_epoch epoch, job_id job) {
    auto entry = find(lane, epoch, job);
    if (!entry) co_return;
    auto request = std::make_shared<checkpoint_request>();
    request->node = entry->node;
    request->lease = entry->lease;
    auto const unit = std::make_shared<checkpoint>(std::move(request));
    if (!co_await services_.checkpoints.commit(unit, release_deadline)) co_return;
    entry = find(lane, epoch, job);
    if (!entry || !unit->asked()) co_return;
    auto& run = *entry->run;
    auto const asked = *unit->asked();
    run.ask(asked);
    if (run.undoing()) co_return; // only its node or its lease stops an undo
    // Nobody waits any more for what a step may bring. What acts may have been done, and a step of a
    // job that can be undone tells what there is to undo: both are given the time to end.
    bool const cuts_off = (asked == control_request::interrupt && !run.answered()) ||
                          (asked == control_request::cancel && !run.acts() && !run.can_undo());
    if (cuts_off) stop(*entry);
    bool const ends = asked == control_request::cancel || asked == control_request::rollback;
    if (ends && !cuts_off && !entry->grace)
        entry->grace =
            timers_.spawn("job.grace", stop_after(services_.grace, lane, epoch, job, false));
}

worker::running* worker::find(lane_id lane, lane_epoch epoch, job_id job) {
    auto entry = running_.find({lane, epoch});
    bool const runs = entry != running_.end() && entry->second->run && entry->second->job == job;
    return runs ? entry->second.get() : nullptr;
}

// Ends the job's function where it waits.
void worker::stop(running& lane) {
    if (!lane.run) return;
    lane.stopped = true;
    jobs_.cancel(lane.task);
}

base::awaitable<void> worker::stop_after(
    base::duration delay, lane_id lane, lane_epoch epoch, job_id job, bool expired
) {
    co_await base::sleep_for(delay);
    auto* entry = find(lane, epoch, job);
    if (!entry) co_return;
    if (expired) entry->run->expire();
    stop(*entry);
}

void worker::abandon_all() {
    jobs_.cancel();
}

void worker::abandon_unless(
    std::chrono::nanoseconds since, std::function<bool(queue::lease const&)> const& still_ours
) {
    std::vector<base::task_group::task_id> gone;
    for (auto const& [key, entry] : running_)
        if (entry->since < since && !still_ours(entry->lease)) gone.push_back(entry->task);
    for (auto task : gone) jobs_.cancel(task);
}

base::awaitable<void> worker::drain(base::duration limit) {
    draining_ = true;
    auto const until = services_.clock.steady() + limit;
    while (free_ < services_.slots) { // commits under way may still lease lanes to reserved slots
        auto const left = until - services_.clock.steady();
        if (left <= 0ns || !co_await ended_.wait_for(left)) break;
    }
    if (!running_.empty()) base::log::info("engine.putting_back", {{"jobs", running_.size()}});
    releases_ = true;
    jobs_.cancel();
    co_await jobs_.join();
    timers_.cancel();
    co_await timers_.join();
}

engine_counts worker::counts() const {
    auto counts = counts_;
    counts.slots = services_.slots;
    counts.busy = busy();
    counts.free = free_;
    return counts;
}

} // namespace postrider::queue
