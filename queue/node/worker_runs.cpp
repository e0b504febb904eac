// What runs in a slot: a lane's jobs, one after the other, each to its end.
#include "base/fault.hpp"
#include "base/log.hpp"
#include "queue/node/worker.hpp"
#include "queue/run/job_run.hpp"
#include "queue/run/last_commit.hpp"
#include "queue/run/settlement.hpp"
#include "queue/store/checkpoint_rows.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

// So many jobs of one lane run in a row while other lanes wait for a slot.
constexpr int longest_streak = 16;
constexpr auto record_deadline = 5s;

} // namespace

base::awaitable<void> worker::run_lane(
    node_id node, queue::lease lease, std::optional<queue::job> job, running* self
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
    seat const taken{*this, self};

    if (!job) {
        queue::ending first = advance{};
        job = co_await advance_lane(node, lease, std::move(first), job_id{});
    }
    for (int in_a_row = 1; job; ++in_a_row) {
        job = co_await run_job(node, lease, std::move(*job), in_a_row, self);
        if (!job) break;
        self->job = job->id;
        services_.job_ended();
    }
}

// A commit of the lane alone, before a job runs; returns the job that it led to.
base::awaitable<std::optional<queue::job>> worker::advance_lane(
    node_id node, queue::lease lease, queue::ending first, job_id job
) {
    for (auto pause = 50ms; services_.may_act(); pause = std::min(pause * 2, 1000ms)) {
        auto request = std::make_shared<checkpoint_request>();
        request->node = node;
        request->lease = lease;
        request->job = job;
        request->ending = first;
        auto const sent = std::make_shared<checkpoint>(std::move(request));
        if (co_await services_.checkpoints.commit(sent, record_deadline)) co_return sent->next();
        co_await base::sleep_for(pause);
    }
    co_return std::nullopt;
}

// On a lane where the newest message counts, its job takes the place of those before it.
base::awaitable<std::optional<queue::job>> worker::coalesce(
    node_id node, queue::lease const& lease, queue::job job, running* self
) {
    bool const coalesces =
        lease.mailbox == mailbox::coalesce || lease.mailbox == mailbox::interrupt;
    if (!coalesces || job.begun_before || job.asked || lease.arrivals <= job.arrival) co_return job;
    queue::ending first = coalesce_mail{};
    auto newest = co_await advance_lane(node, lease, std::move(first), job.id);
    if (!newest) co_return job;
    if (self->asked == control_request::interrupt) self->asked.reset();
    co_return newest;
}

base::awaitable<std::optional<queue::job>> worker::run_job(
    node_id node, queue::lease& lease, queue::job job, int in_a_row, running* self
) {
    auto newest = co_await coalesce(node, lease, std::move(job), self);
    job = std::move(*newest);
    auto record = co_await read_history(job);
    if (!record) co_return std::nullopt;
    if (job.unreadable.empty()) job.unreadable = record->unreadable;
    auto const began = services_.clock.steady();
    job.enqueued = began - job.age;
    ++counts_.started;
    auto const id = job.id;
    auto const kind = job.kind;
    auto const run_no = job.run_no;
    self->job = id;
    // Read with the claim, it was asked of this job and is not asked of the next.
    auto const asked_of_lane = std::exchange(self->asked, std::nullopt);
    if (!job.asked) job.asked = asked_of_lane;
    if (job.time_left)
        self->deadline = timers_.spawn(
            "job.deadline", stop_after(*job.time_left, lease.lane, lease.epoch, id, true)
        );
    job_run run{
        {.checkpoints = services_.checkpoints,
         .clock = services_.clock,
         .random = services_.random,
         .node = node,
         .may_act = services_.may_act,
         .limits = services_.limits,
         .measures = services_.measures},
        std::move(job),
        lease,
        std::move(*record)};
    if (run.job().time_left && *run.job().time_left <= 0ms) run.expire();

    auto run_end = co_await run_function(run, self);
    ended_run last{.end = run_end.end, .stopped = run_end.stopped};
    auto decided = decide_settlement(std::move(run_end));
    if (auto* undo = std::get_if<undo_first>(&decided)) {
        stop_timers(*self); // nothing but its node or its lease stops an undo
        run_end = co_await roll_back(run, std::move(undo->planned), self);
        last = {.end = run_end.end, .stopped = run_end.stopped, .was_undoing = true};
        decided = decide_settlement(std::move(run_end));
    }
    stop_timers(*self);
    // Told to stop or not, what the run holds must still be written.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    bool const goes_on = last.stopped && std::holds_alternative<queue::release>(decided);
    auto written = co_await write_end(run, std::move(last), std::move(decided), in_a_row);
    if (goes_on) services_.slot_freed(); // the node that claims the lane runs it at once
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    lease = run.lease();
    if (written.job) lease.head = written.job->id;
    auto const took = services_.clock.steady() - began;
    if (services_.measures) services_.measures->runs.observe(kind, written.outcome, took);
    if (written.settled_as)
        base::log::info(
            "job.settled",
            {{"job", id},
             {"kind", kind},
             {"run", run_no},
             {"outcome", to_string(*written.settled_as)},
             {"took", took}}
        );
    if (written.degraded)
        base::log::warn(
            "job.degraded",
            {{"job", id},
             {"kind", kind},
             {"reason", written.degraded->reason},
             {"error_class", base::to_string(written.degraded->error.code)}}
        );
    co_return written.job;
}

void worker::stop_timers(running& lane) {
    for (auto* timer : {&lane.deadline, &lane.grace})
        if (auto task = std::exchange(*timer, std::nullopt)) timers_.cancel(*task);
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

worker::job_code worker::code_for(queue::job const& job) const {
    job_code code;
    auto const kind = kinds_.find(job.kind);
    if (kind == kinds_.end()) {
        code.missing = {base::errc::not_found, "no such kind of job: " + job.kind};
        return code;
    }
    auto const& versions = kind->second;
    if (auto exact = versions.find(job.version); exact != versions.end()) {
        code.kind = &exact->second;
        return code;
    }
    auto const version = "version " + std::to_string(job.version) + " of " + job.kind;
    code.elsewhere = job.version > versions.rbegin()->first;
    if (code.elsewhere)
        code.missing = {base::errc::unavailable, "no node here has " + version};
    else
        code.missing = {base::errc::mismatch, "there is no code any more for " + version};
    return code;
}

// A job that kills its process is not run again, and one that cannot be read is not run at all; its
// code may still tell that it failed.
base::awaitable<ended_run> worker::run_function(job_run& run, running* self) {
    auto const& job = run.job();
    auto const lost = job.lost;
    if (lost >= services_.lost_budget) {
        auto const reason = "its process died in " + std::to_string(lost) + " runs";
        co_return facts(run, {.outcome = outcome::failed({base::errc::lost, reason})});
    }
    if (!job.unreadable.empty())
        co_return facts(run, {.outcome = outcome::failed({base::errc::invalid, job.unreadable})});
    auto code = code_for(job);
    if (code.kind) co_return co_await call(run, code.kind->run, self);
    if (code.elsewhere) co_return leave_to_others(run, std::move(code.missing));
    co_return facts(run, {.outcome = outcome::failed(code.missing)});
}

base::awaitable<ended_run> worker::roll_back(job_run& run, outcome planned, running* self) {
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    job_function const undo = [&run, &planned](workflow&) { return run.roll_back(planned); };
    auto ended = co_await call(run, undo, self);
    ended.was_undoing = true;
    co_return ended;
}

ended_run worker::facts(job_run const& run, ended_run run_end) const {
    run_end.asked = run.asked();
    run_end.expired = run.expired();
    run_end.answered = run.answered();
    run_end.acted_last = run.acted_last();
    run_end.releases = releases_;
    run_end.can_undo = run.can_undo();
    if (run.rolling_back()) run_end.stored = outcome_from(run.job().rolling_back);
    return run_end;
}

// Other nodes may have run some of them by now, so the oldest numbers mean little.
ended_run worker::leave_to_others(job_run const& run, base::error reason) {
    constexpr std::size_t most_remembered = 1000;
    auto const times = ++times_left_[run.job().id];
    if (times_left_.size() > most_remembered) times_left_.erase(times_left_.begin());
    ended_run ended{.end = run_end::not_here, .outcome = outcome::failed(std::move(reason))};
    ended.times_not_here = times;
    ended.time_left = run.job().time_left;
    return facts(run, std::move(ended));
}

// Calls the job's function; the one place that catches what a job throws.
base::awaitable<ended_run> worker::call(job_run& run, job_function const& function, running* self) {
    // While it runs, and only then, it can be cancelled from outside.
    struct seat {
        running* self;
        ~seat() { self->run = nullptr; }
    };
    self->run = &run;
    self->stopped = false;
    seat const taken{self};
    base::error thrown(base::errc::internal);
    try {
        workflow flow(run);
        auto returned = co_await function(flow);
        run.check_end();
        co_return facts(run, {.outcome = std::move(returned)});
    } catch (suspended const&) {
        co_return facts(run, {.end = run_end::parked});
    } catch (abandoned const&) {
        co_return facts(run, {.end = run_end::lease_lost});
    } catch (asked_to_stop const&) {
        co_return facts(run, {.end = run_end::asked});
    } catch (not_here const& elsewhere) {
        note_left(run, elsewhere.reason);
        co_return leave_to_others(run, {base::errc::unavailable, elsewhere.reason});
    } catch (record_mismatch const& mismatch) {
        thrown = {base::errc::mismatch, mismatch.diff};
    } catch (boost::system::system_error const& error) {
        if (error.code() == asio::error::operation_aborted)
            co_return facts(run, {.end = run_end::cut_off, .stopped = self->stopped});
        thrown.detail = error.what();
    } catch (std::exception const& error) {
        thrown.detail = error.what();
    } catch (...) {
        thrown.detail = "its code threw something that is no exception";
    }
    auto const& job = run.job();
    base::log::error("job.threw", {{"job", job.id}, {"kind", job.kind}, {"error", thrown.detail}});
    co_return facts(run, {.outcome = outcome::failed(std::move(thrown))});
}

base::awaitable<worker::written_end> worker::write_end(
    job_run& run, ended_run run_end, settlement decided, int in_a_row
) {
    auto const* nothing = std::get_if<nothing_to_commit>(&decided);
    if (nothing && nothing->lease_lost) ++counts_.lost;
    if (nothing && !nothing->lease_lost) note_parked(run);
    if (nothing) co_return written_end{.outcome = nothing->lease_lost ? "lost" : "parked"};
    auto const* settled = std::get_if<settle>(&decided);
    bool settles = settled != nullptr;
    std::optional<degradation> degraded;
    if (settles) degraded = settled->outcome.degraded;
    auto const code = code_for(run.job());
    // A job that killed its process once more ends without its code.
    bool const may_call = code.kind && run.job().lost <= services_.lost_budget;
    auto const* failed = may_call ? &code.kind->failed : nullptr;
    auto written = co_await commit_decided(run, std::move(decided), failed, in_a_row);
    while (written && !written->finished.ended) {
        // The pause was withdrawn in the meantime, or the job was cancelled before it ended; or a rollback
        // is asked for, which the next run does.
        auto again = decide_settlement(facts(run, run_end));
        settles = std::holds_alternative<settle>(again);
        written = co_await commit_decided(run, std::move(again), failed, in_a_row);
        if (!settles) services_.slot_freed();
    }
    written_end end;
    end.outcome = written ? "put_back" : "lost";
    if (!written) co_return end;
    end.job = std::move(written->finished.next);
    if (!settles) co_return end;
    end.settled_as = written->ended_as;
    end.outcome = to_string(written->ended_as);
    if (written->ended_as == job_state::completed) end.degraded = std::move(degraded);
    count_settled(written->ended_as, end.degraded);
    co_return end;
}

// As it was recorded: the database may have refused what the function returned.
void worker::count_settled(job_state as, std::optional<degradation> const& degraded) {
    if (as == job_state::failed) {
        ++counts_.failed;
    } else if (as == job_state::cancelled) {
        ++counts_.cancelled;
    } else {
        ++counts_.completed;
        if (!degraded) return;
        ++counts_.degraded;
        ++counts_.degraded_by[degraded->reason];
    }
}

// Such jobs come again every few seconds, so they are told of now and then.
void worker::note_left(job_run const& run, std::string const& reason) {
    if (left_.failed(services_.clock.steady()))
        base::log::warn("job.left", {{"job", run.job().id}, {"reason", reason}});
}

void worker::note_parked(job_run const& run) {
    ++counts_.parked;
    auto const ready = services_.clock.steady() + run.parked_for();
    next_ready_ = std::min(next_ready_.value_or(ready), ready);
    services_.slot_freed(); // the claim loop sleeps no longer than until then
}

// Nothing without a lease.
base::awaitable<std::optional<last_commit>> worker::commit_decided(
    job_run& run, settlement decided, failure_function const* failed, int in_a_row
) {
    queue::ending last = queue::release{};
    if (auto* released = std::get_if<queue::release>(&decided)) last = std::move(*released);
    if (std::holds_alternative<pause_job>(decided)) last = pause_job{};
    if (auto* settled = std::get_if<settle>(&decided)) {
        settled->hand_on = !draining_ && (free_ > 0 || in_a_row < longest_streak);
        settled->unless_rollback = run.can_undo() && !run.rolling_back();
        settled->unless_cancelled = settled->outcome.state != job_state::cancelled &&
                                    !run.acted_last() && !run.rolling_back();
        last = std::move(*settled);
    }
    base::fault::point("outcome.before_commit");
    try {
        auto written = co_await commit_end(run, std::move(last), failed);
        base::fault::point("outcome.after_commit");
        co_return written;
    } catch (abandoned const&) {
        ++counts_.lost;
    } catch (record_refused const& refused) {
        ++counts_.lost;
        base::log::error("job.cannot_end", {{"job", run.job().id}, {"error", refused.what()}});
    }
    co_return std::nullopt;
}

} // namespace postrider::queue
