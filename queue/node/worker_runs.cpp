// What runs in a slot: a lane's jobs, one after the other, each to its end.
#include "base/fault.hpp"
#include "base/log.hpp"
#include "queue/node/worker.hpp"
#include "queue/run/job_run.hpp"
#include "queue/store/checkpoint_rows.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

// So many jobs of one lane run in a row while other lanes wait for a slot.
constexpr int longest_streak = 16;
// A job that cannot run here waits so long for a node where it can.
constexpr auto other_nodes_turn = 5s;
constexpr auto record_deadline = 5s;

} // namespace

base::awaitable<void> worker::run_lane(
    node_id node, queue::lease got, std::optional<queue::job> job, running* self
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

    if (!job) {
        queue::ending first = advance{};
        job = co_await lead(node, got, std::move(first), job_id{});
    }
    for (int in_a_row = 1; job; ++in_a_row)
        job = co_await run_job(node, got, std::move(*job), in_a_row, self);
}

// A commit of the lane alone, before a job runs; returns the job that it led to.
base::awaitable<std::optional<queue::job>> worker::lead(
    node_id node, queue::lease got, queue::ending first, job_id job
) {
    for (auto pause = 50ms; services_.may_act(); pause = std::min(pause * 2, 1000ms)) {
        auto request = std::make_shared<checkpoint_request>();
        request->node = node;
        request->lease = got;
        request->job = job;
        request->ending = first;
        auto const what = std::make_shared<checkpoint>(std::move(request));
        if (co_await services_.checkpoints.commit(what, record_deadline)) co_return what->next();
        co_await base::sleep_for(pause);
    }
    co_return std::nullopt;
}

// On a lane where the newest message counts, its job takes the place of those before it.
base::awaitable<std::optional<queue::job>> worker::gather(
    node_id node, queue::lease const& got, queue::job job, running* self
) {
    bool const gathers = got.mailbox == mailbox::coalesce || got.mailbox == mailbox::interrupt;
    if (!gathers || job.begun_before || got.arrivals <= job.arrival) co_return job;
    queue::ending first = coalesce_mail{};
    auto newest = co_await lead(node, got, std::move(first), job.id);
    if (!newest) co_return job;
    if (self->asked == control_request::interrupt) self->asked.reset();
    co_return newest;
}

base::awaitable<std::optional<queue::job>> worker::run_job(
    node_id node, queue::lease& got, queue::job job, int in_a_row, running* self
) {
    auto gathered = co_await gather(node, got, std::move(job), self);
    job = std::move(*gathered);
    auto record = co_await read_history(job);
    if (!record) co_return std::nullopt;
    auto const began = services_.clock.steady();
    auto const id = job.id;
    auto const kind = job.kind;
    auto const run_no = job.run_no;
    self->job = id;
    if (!job.asked) job.asked = std::exchange(self->asked, std::nullopt);
    if (job.time_left)
        self->deadline = timers_.spawn(
            "job.deadline", stop_after(*job.time_left, got.lane, got.epoch, id, true)
        );
    job_run run{
        {services_.checkpoints,
         services_.clock,
         services_.random,
         node,
         services_.may_act,
         services_.limits},
        std::move(job),
        got,
        std::move(*record)};
    if (run.job().time_left && *run.job().time_left <= 0ms) run.expire();

    outcome how;
    auto const which = co_await run_to_end(run, how, self);
    auto const state = how.state;
    for (auto* timer : {&self->deadline, &self->grace})
        if (auto task = std::exchange(*timer, std::nullopt)) timers_.cancel(*task);
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

base::awaitable<std::optional<step_history>> worker::read_history(queue::job const& job) {
    if (!job.begun_before) co_return step_history{};
    for (auto pause = 50ms; services_.may_act(); pause = std::min(pause * 2, 1000ms)) {
        auto record = co_await load_step_history(services_.quick, job.id, record_deadline);
        if (record) co_return std::move(*record);
        co_await base::sleep_for(pause);
    }
    co_return std::nullopt;
}

// The code of the job's own version; null with an outcome, or null and running while another node
// may have it.
job_function const* worker::code_for(queue::job const& job, outcome& how) const {
    auto kind = kinds_.find(job.kind);
    if (kind == kinds_.end()) {
        how = outcome::failed({base::errc::not_found, "no such kind of job: " + job.kind});
        return nullptr;
    }
    auto const& versions = kind->second;
    if (auto found = versions.find(job.version); found != versions.end()) return &found->second.run;
    auto const wanted = "version " + std::to_string(job.version) + " of " + job.kind;
    if (job.version > versions.rbegin()->first) {
        how.state = job_state::available;
        how.error = {base::errc::unavailable, "no node here has " + wanted};
    } else {
        how = outcome::failed({base::errc::mismatch, "there is no code any more for " + wanted});
    }
    return nullptr;
}

// The job's function, then the rollback where one is due.
base::awaitable<worker::end> worker::run_to_end(job_run& run, outcome& how, running* self) {
    // Neither its code nor its rollback: they kill the process.
    if (run.job().lost >= services_.lost_budget) {
        auto const runs = std::to_string(run.job().lost);
        how = outcome::failed({base::errc::lost, "its process died in " + runs + " runs"});
        co_return end::over;
    }
    auto const* code = code_for(run.job(), how);
    if (!code && how.state != job_state::available) co_return end::over;
    auto which = end::unknown;
    if (code) which = co_await call(run, *code, how, self);
    // What cannot run here can be stopped here, but not undone.
    bool const stops = run.expired() || (run.asked() && run.asked() != control_request::rollback);
    if (which == end::unknown && stops && !run.rolling_back()) which = end::asked;
    if (which == end::over && how.state != job_state::failed && run.rolling_back())
        which = end::asked;
    if (which == end::asked) which = end_of_asked(run, how);
    bool const undoes = how.state == job_state::failed || run.rolling_back() ||
                        run.asked() == control_request::rollback;
    if (which != end::over || !undoes || !run.can_undo()) co_return which;
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    auto const planned = how;
    job_function const undo = [&](workflow&) { return run.roll_back(planned); };
    which = co_await call(run, undo, how, self);
    if (which == end::asked) which = end_of_asked(run, how);
    co_return which;
}

// What a run comes to that stopped because it was asked, or its time was up.
worker::end worker::end_of_asked(job_run const& run, outcome& how) {
    if (run.asked() == control_request::pause || run.asked() == control_request::hold)
        return end::asked;
    if (run.rolling_back())
        how = outcome_from(run.job().rolling_back);
    else if (run.expired())
        how = outcome::failed({base::errc::timeout, "its deadline has passed"});
    else if (run.asked() == control_request::interrupt)
        how = outcome::cancelled({{"reason", "a newer message took its place"}});
    else
        how = outcome::cancelled();
    return end::over;
}

// Calls the job's function; the one place that catches what a job throws.
base::awaitable<worker::end> worker::call(
    job_run& run, job_function const& what, outcome& how, running* self
) {
    // While it runs, and only then, it can be cancelled from outside.
    struct seat {
        running* self;
        ~seat() { self->run = nullptr; }
    };
    self->run = &run;
    seat mine{self};
    auto const& job = run.job();
    try {
        how = co_await what(run);
        run.check_replayed();
        co_return end::over;
    } catch (suspended const&) {
        co_return end::parked;
    } catch (abandoned const&) {
        co_return end::lost;
    } catch (asked_to_stop const&) {
        co_return end::asked;
    } catch (not_here const& e) {
        how.error.detail = e.why;
        co_return end::unknown;
    } catch (record_mismatch const& e) {
        how = outcome::failed({base::errc::mismatch, e.diff});
    } catch (boost::system::system_error const& e) {
        bool const cancelled = e.code() == asio::error::operation_aborted;
        if (cancelled && !put_back_ && (run.asked() || run.expired())) co_return end::asked;
        if (cancelled) co_return end::stopped;
        how = outcome::failed({base::errc::internal, e.what()});
    } catch (std::exception const& e) {
        how = outcome::failed({base::errc::internal, e.what()});
    }
    base::log::error(
        "job.threw", {{"job", job.id}, {"kind", job.kind}, {"error", how.error.detail}}
    );
    co_return end::over;
}

base::awaitable<std::optional<queue::job>> worker::write_end(
    job_run& run, end which, outcome how, int in_a_row
) {
    bool const hand_on = !draining_ && (free_ > 0 || in_a_row < longest_streak);
    switch (which) {
    case end::over: {
        ++(how.state == job_state::failed ? counts_.failed : counts_.completed);
        if (how.state == job_state::failed) co_await add_rows_of_failure(run.job(), how);
        ending settled = settle{std::move(how), hand_on};
        co_return co_await finish(run, std::move(settled));
    }
    case end::parked: {
        ++counts_.parked;
        auto const ready = services_.clock.steady() + run.parked_for();
        next_ready_ = std::min(next_ready_.value_or(ready), ready);
        services_.slot_freed(); // the claim loop sleeps no longer than until then
        co_return std::nullopt;
    }
    case end::asked: {
        ending held = put_back{};
        if (run.asked() == control_request::pause) held = pause_job{};
        co_return co_await finish(run, std::move(held));
    }
    case end::unknown: {
        ending left = put_back{other_nodes_turn, how.error.detail};
        co_return co_await finish(run, std::move(left));
    }
    case end::stopped:
        if (put_back_) {
            ending unharmed = put_back{};
            co_return co_await finish(run, std::move(unharmed));
        }
        [[fallthrough]];
    case end::lost:
        ++counts_.lost;
        co_return std::nullopt;
    }
    co_return std::nullopt;
}

base::awaitable<void> worker::add_rows_of_failure(queue::job const& job, outcome& how) const {
    auto const kind = kinds_.find(job.kind);
    if (kind == kinds_.end()) co_return;
    auto const version = kind->second.find(job.version);
    if (version == kind->second.end() || !version->second.failed) co_return;
    auto rows = co_await version->second.failed(job, how);
    std::ranges::move(rows, std::back_inserter(how.writes));
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
