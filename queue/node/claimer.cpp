#include "queue/node/claimer.hpp"

#include "base/json/row.hpp"
#include "queue/store/statements.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;

// Lanes claimed by one statement at most: more would only make the statement long.
constexpr int largest_claim = 128;
constexpr auto claim_deadline = 5s;
// After the last work the node looks around as often as before for so long.
constexpr auto activity = 10s;
// A look at all free lanes that took longer takes a twentieth of the time at most.
constexpr auto cheap_look = 2ms;
constexpr int full_look_share = 20;
// Where nothing is known to come, the poll tells when to claim.
constexpr auto longest_rest = 60s;

} // namespace

claimer::claimer(
    boost::asio::any_io_executor executor, services dependencies, engine_options const& options
)
    : services_(std::move(dependencies)),
      options_(options),
      wake_(std::move(executor)) {}

void claimer::follow(poll& reads) {
    reads.add_changing(
        sql::next_ready,
        [this] {
            base::json_row row{};
            if (auto const since = look_since()) row.add({"since", since->count()});
            return std::move(row).text();
        },
        [this](storage::rows const& ready) { note_ready(ready); }
    );
}

// A look at all that is free is made as often as it costs little. While an old snapshot keeps the
// index entries of what was claimed since, most looks begin where the last one found the first lane.
std::optional<std::chrono::microseconds> claimer::look_since() const {
    if (services_.clock.steady() >= full_look_at_) return std::nullopt;
    return first_ready_;
}

void claimer::note_look(claim_request const& request, claim_result const& result) {
    first_ready_ = result.first;
    if (request.since) return;
    auto const pause = result.took < cheap_look ? 0us : result.took * full_look_share;
    full_look_at_ = services_.clock.steady() + pause;
}

void claimer::stop() {
    stopped_ = true;
    wake();
}

void claimer::wake() {
    woken_ = true;
    wake_.notify();
}

bool claimer::active() const {
    return services_.worker.busy() > 0 || services_.clock.steady() < active_until_;
}

void claimer::note_activity() {
    active_until_ = services_.clock.steady() + activity;
}

// Among suspects one runs at a time, until it has ended or its trial has gone well for long enough.
bool claimer::may_try_suspect() const {
    return !trial_ || !services_.worker.runs(trial_->of, trial_->job) ||
           services_.clock.steady() >= trial_->until;
}

void claimer::begin_trial(claimed_lane const& lane, job_id job) {
    auto const deaths = std::clamp(lane.suspect, 1, 10);
    auto const length = options_.trial * (1 << (2 * (deaths - 1)));
    trial_ = {lane.lease, job, services_.clock.steady() + length};
}

void claimer::end_trial() {
    if (!trial_ || services_.worker.runs(trial_->of, trial_->job)) return;
    trial_.reset();
    wake();
}

base::awaitable<void> claimer::run(std::function<node_id()> self) {
    auto pause = options_.shortest_poll;
    while (!stopped_) {
        // Half of what is free, so that new messages find a slot while the claim is under way.
        auto const most = std::min(largest_claim, (services_.worker.free() + 1) / 2);
        auto const slots = services_.may_act() ? services_.worker.try_reserve(most) : 0;
        if (slots > 0) {
            auto const count = co_await claim(self(), slots);
            backlog_ = count == slots;
            if (backlog_) continue;
            pause = count > 0 ? options_.shortest_poll : std::min(pause * 2, options_.longest_poll);
        }
        co_await rest(slots > 0, slots > 0 ? pause : options_.longest_poll);
        if (std::exchange(woken_, false)) pause = options_.shortest_poll;
    }
}

// Until the next claim is worth it. While there is work, one is made now and then for what nobody
// told of. Without a free slot it waits for one, however much is ready.
base::awaitable<void> claimer::rest(bool has_slots, base::duration pause) {
    auto const now = services_.clock.steady();
    while (!woken_) {
        auto until = now + (has_slots && !active() ? longest_rest : pause);
        if (has_slots) until = std::min(until, next_claim());
        auto const left = until - services_.clock.steady();
        if (left <= 0ns) co_return;
        co_await wake_.wait_for(left);
    }
}

// As the last claim or poll told, or a job that was parked here since.
base::steady_time claimer::next_claim() {
    if (auto parked = services_.worker.take_next_ready())
        next_ready_ = std::min(next_ready_, *parked);
    if (trial_) next_ready_ = std::min(next_ready_, trial_->until);
    // Just after it, so that the claim finds it ready by the database's clock too.
    return next_ready_ + 1ms;
}

void claimer::note_ready(storage::rows const& ready) {
    if (ready.empty()) return;
    auto const left = std::chrono::milliseconds{ready.front().int64(1)};
    next_ready_ = std::min(next_ready_, services_.clock.steady() + left);
    wake_.notify();
}

// Returns how many lanes were taken; gives the other reserved slots back.
base::awaitable<int> claimer::claim(node_id self, int slots) {
    auto& worker = services_.worker;
    worker.take_next_ready(); // committed before the claim: it sees them
    claim_request const request{
        .node = self,
        .slots = slots,
        .margin = passed_over_,
        .with_suspect = may_try_suspect(),
        .min_node_age = options_.min_node_age,
        .others_first = options_.others_first,
        .since = look_since()};
    if (request.with_suspect) trial_.reset();
    auto claimed = co_await claim_lanes(services_.quick, request, claim_deadline);
    auto const count = claimed ? static_cast<int>(claimed->lanes.size()) : 0;
    // Giving back what this claim reserved is no reason for another one.
    bool const woken = woken_;
    worker.release(slots - count);
    woken_ = woken;
    next_ready_ = services_.clock.steady() + longest_rest;
    if (!claimed) co_return 0;
    note_look(request, *claimed);
    if (claimed->next_in) next_ready_ = services_.clock.steady() + *claimed->next_in;
    auto const margin = std::exchange(passed_over_, claimed->passed_over);
    if (passed_over_ > margin) woken_ = true; // again, and past these
    for (auto& lane : claimed->lanes) {
        auto const job = lane.job ? lane.job->id : job_id{};
        worker.start(self, lane.lease, std::move(lane.job), lane.asked);
        if (lane.suspect > 0) begin_trial(lane, job);
    }
    if (count > 0) note_activity();
    co_return count;
}

} // namespace postrider::queue
