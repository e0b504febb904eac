#include "queue/run/job_run.hpp"

#include "base/log.hpp"
#include "queue/store/checkpoint_rows.hpp"
#include "queue/store/checkpoint_sql.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::queue {

namespace {

using std::chrono::milliseconds;

// After this a commit is taken for lost and sent again, as long as the lease lasts.
constexpr auto commit_deadline = std::chrono::seconds{3};

void count_from_now(step_attempt& asleep, base::steady_time now) {
    asleep.took = std::chrono::duration_cast<std::chrono::microseconds>(now - *asleep.since);
    auto const slept = std::chrono::duration_cast<milliseconds>(asleep.took);
    asleep.next_in = std::max(*asleep.next_in - slept, milliseconds{0});
}

} // namespace

job_run::job_run(run_services services, queue::job job, queue::lease lease, step_history record)
    : services_(std::move(services)),
      job_(std::move(job)),
      lease_(lease),
      seen_edits_(lease.edits),
      record_(std::move(record)),
      record_read_(services_.clock.steady()),
      order_check_(record_.order),
      asked_(job_.asked) {}

void job_run::ask(control_request what) {
    // What ends the job outweighs what only delays it.
    if (!asked_ || what < *asked_) asked_ = what;
}

checkpoint_request job_run::request() {
    checkpoint_request what;
    what.node = services_.node;
    what.lease = lease_;
    what.job = job_.id;
    what.arrival = job_.arrival;
    what.tries = std::exchange(held_attempts_, {});
    for (auto& one : what.tries)
        if (one.since) count_from_now(one, services_.clock.steady());
    what.changes = std::exchange(held_changes_, {});
    what.writes = std::exchange(held_writes_, {});
    what.answered = answered();
    return what;
}

// Branches write one after the other: a commit takes along what all of them hold.
base::awaitable<std::shared_ptr<checkpoint>> job_run::write(checkpoint_request what) {
    if (!branches_) co_return co_await send(std::move(what));
    auto& with = *branches_;
    for (;;) {
        if (!with.writing) break;
        co_await with.written.wait();
    }
    with.writing = true;
    struct release {
        side_by_side& of;
        ~release() {
            of.writing = false;
            of.written.notify();
        }
    } const after{with};
    what.unless_edited = false;
    co_return co_await send(std::move(what));
}

base::awaitable<std::shared_ptr<checkpoint>> job_run::send(checkpoint_request what) {
    auto wanted = std::make_shared<checkpoint_request const>(std::move(what));
    auto sent = std::make_shared<checkpoint>(wanted);
    for (auto pause = milliseconds{50};; pause = std::min(pause * 2, milliseconds{1000})) {
        auto done = co_await services_.checkpoints.commit(sent, commit_deadline);
        if (done) break;
        auto const& failure = done.error();
        if (failure == base::errc::poison || failure == base::errc::internal)
            throw std::runtime_error("the database refused a record: " + failure.detail);
        // Sending it again is safe, even beside a first one that still waits: every row stands at
        // most once, behind the same fence. It is a new object, since the batcher may still use the
        // other.
        if (failure != base::errc::unavailable && wanted->unless_edited) {
            auto regardless = *wanted;
            regardless.unless_edited = false;
            wanted = std::make_shared<checkpoint_request const>(std::move(regardless));
        }
        if (!services_.may_act()) throw abandoned{};
        co_await base::sleep_for(pause);
        sent = std::make_shared<checkpoint>(wanted);
    }
    seen_edits_ = sent->edits();
    lease_.arrivals = sent->arrivals();
    if (sent->result() == checkpoint::verdict::lost) {
        base::log::warn("lease.lost", {{"job", job_.id}, {"lane", job_.lane}});
        throw abandoned{};
    }
    if (sent->asked()) ask(*sent->asked());
    if (sent->result() == checkpoint::verdict::written) note_written(*wanted);
    co_return sent;
}

// What is recorded is served from now on, also to a function that starts over.
void job_run::note_written(checkpoint_request const& sent) {
    for (auto const& one : sent.tries) {
        auto& tries = record_.steps[one.key].tries;
        if (tries.size() < static_cast<std::size_t>(one.attempt)) tries.push_back(one);
    }
}

base::awaitable<base::result<void>> job_run::commit(commit_with more) {
    auto what = request();
    what.writes.insert(what.writes.end(), more.writes.begin(), more.writes.end());
    what.intents = std::move(more.effects);
    what.answered = what.answered || !what.intents.empty();
    what.unless_edited = more.unless_edited;
    auto sent = co_await write(std::move(what));
    if (sent->result() == checkpoint::verdict::stale)
        co_return base::error(base::errc::stale, "the message was edited meanwhile");
    // An intent of an earlier run stays what it is: in doubt, when that run had begun it.
    for (auto const& intent : sent->what().intents) {
        auto const state = intent.at_once ? effect_state::started : effect_state::planned;
        effect_record const ours{state, intent.how, false, true};
        record_.effects.try_emplace(intent.key, ours);
    }
    co_return base::result<void>{};
}

base::awaitable<void> job_run::flush() {
    co_await write(request());
}

base::awaitable<std::optional<queue::job>> job_run::finish(queue::ending how) {
    auto const* over = std::get_if<settle>(&how);
    if (over && over->how.state != job_state::completed) close_what_is_open();
    auto what = request();
    what.ending = std::move(how);
    auto sent = co_await write(std::move(what));
    lease_.edits = sent->edits();
    co_return sent->next();
}

// The job is over before it has done all it meant to: an intent that was never begun did not
// happen, one that was begun may have.
void job_run::close_what_is_open() {
    for (auto const& [key, effect] : record_.effects) {
        if (effect.state == effect_state::planned)
            held_changes_.push_back({key, effect_state::failed, effect.flagged, nullptr});
        else if (effect.state == effect_state::started)
            held_changes_.push_back({key, effect_state::unknown, effect.flagged, nullptr});
    }
    boost::json::object const all{{"job_id", base::raw(job_.id)}};
    if (job_.begun_before) held_writes_.push_back({&sql::end_waits, boost::json::serialize(all)});
}

// Parks the job, unless something was asked of it meanwhile.
base::awaitable<void> job_run::leave(park how) {
    if (branches_) {
        co_await flush();
        suspend_branch(std::move(how));
    }
    auto what = request();
    auto const delay = how.delay;
    what.ending = std::move(how);
    auto sent = co_await write(std::move(what));
    if (sent->asked() && sent->asked() != control_request::hold) throw asked_to_stop{};
    parked_for_ = delay;
    throw suspended{};
}

void job_run::on_rollback(std::string name, step_function undo, base::retry_policy policy) {
    undo_.push_back({std::move(name), std::move(undo), policy});
}

base::awaitable<outcome> job_run::roll_back(outcome how) {
    undoing_ = true;
    if (asked_ != control_request::pause && asked_ != control_request::hold) asked_.reset();
    if (!rolling_back()) {
        job_.rolling_back = to_json(how);
        auto what = request();
        what.ending = begin_rollback{how};
        co_await write(std::move(what));
    }
    for (auto step = undo_.rbegin(); step != undo_.rend(); ++step) {
        auto value = co_await run(std::string(undo_prefix) + step->name, step->policy, step->work);
        if (value) continue;
        how.error.detail +=
            (how.error.detail.empty() ? "not undone: " : "; not undone: ") + step->name;
        base::log::warn(
            "job.not_undone", {{"job", job_.id}, {"step", step->name}, {"error", value.error()}}
        );
    }
    co_return how;
}

void job_run::check_replayed() const {
    if (!rolling_back()) order_check_.end();
}

} // namespace postrider::queue
