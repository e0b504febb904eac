#include "queue/run/run_journal.hpp"

#include "base/log.hpp"
#include "storage/stores/audit.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using std::chrono::milliseconds;

// After this a commit is taken for lost and sent again, as long as the lease lasts.
constexpr auto commit_deadline = std::chrono::seconds{3};

bool may_be_withdrawn(control_request request) {
    return request != control_request::cancel && request != control_request::rollback;
}

// Other rows stand at most once by their keys.
void write_once(std::vector<storage::write>& rows) {
    for (auto& row : rows) row = storage::once_only(std::move(row));
}

} // namespace

run_journal::run_journal(
    run_services const& services, queue::job const& job, queue::lease lease, step_history& history
)
    : services_(services),
      job_(job),
      lease_(lease),
      seen_edits_(lease.edits),
      history_(history),
      asked_(job.asked) {}

void run_journal::hold(step_attempt ended) {
    attempts_.push_back(std::move(ended));
}

void run_journal::hold(effect_change change) {
    changes_.push_back(std::move(change));
}

void run_journal::hold(storage::write row) {
    writes_.push_back(std::move(row));
}

void run_journal::drop_content() {
    attempts_.clear();
    writes_.clear();
    for (auto& change : changes_) change.result = nullptr;
}

void run_journal::ask(control_request request) {
    // A request that ends the job outweighs one that only delays it; of two that end it the last counts.
    bool const ends = !may_be_withdrawn(request);
    if (!asked_ || ends || request < *asked_) asked_ = request;
}

// A request in the job's own row stands until that row says otherwise: only the end reads it.
void run_journal::hear(std::optional<control_request> control) {
    if (asked_ && !may_be_withdrawn(*asked_)) {
        if (control) ask(*control);
    } else if (control || !job_.asked) {
        asked_ = control;
    }
}

void run_journal::begin_branches(base::asio::any_io_executor executor) {
    branches_ = std::make_shared<turn_taking>(std::move(executor));
}

void run_journal::end_branches() {
    branches_.reset();
}

bool run_journal::holds_work() const noexcept {
    return std::ranges::any_of(attempts_, [](auto const& attempt) { return attempt.outside; });
}

bool run_journal::holds_effect() const noexcept {
    return std::ranges::any_of(changes_, [](auto const& change) {
        return change.state == effect_state::done || change.state == effect_state::unknown;
    });
}

base::awaitable<void> run_journal::record_work() {
    if (!holds_work()) co_return;
    co_await write();
    recorded_early_ = true;
}

base::awaitable<std::shared_ptr<checkpoint>> run_journal::write(checkpoint_request request) {
    auto const turns = branches_;
    if (!turns) co_return co_await write_held(std::move(request));
    for (;;) {
        if (!turns->writing) break;
        co_await turns->written.wait();
    }
    struct turn {
        turn_taking& of;
        explicit turn(turn_taking& shared) : of(shared) { of.writing = true; }
        ~turn() {
            of.writing = false;
            of.written.notify();
        }
    } const taken{*turns};
    request.unless_edited = false;
    co_return co_await write_held(std::move(request));
}

base::awaitable<std::shared_ptr<checkpoint>> run_journal::write_held(checkpoint_request additions) {
    if (recorded_early_) additions.unless_edited = false;
    if (std::holds_alternative<await_event>(additions.ending)) has_waited_ = true;
    auto const held_share = take_held(additions);
    auto request = std::make_shared<checkpoint_request const>(std::move(additions));
    std::shared_ptr<checkpoint> unit;
    try {
        unit = co_await send(request);
    } catch (...) {
        hold_again(*request, held_share);
        note_intents_in_doubt(*request);
        throw;
    }
    seen_edits_ = unit->edits();
    lease_.arrivals = unit->arrivals();
    latest_end_ = unit->latest_end();
    hear(unit->asked());
    if (unit->result() == checkpoint::verdict::ending) {
        hold_again(*request, held_share);
        note_intents_in_doubt(*request);
        throw asked_to_stop{};
    }
    if (unit->result() == checkpoint::verdict::written) note_written(*request);
    co_return unit;
}

run_journal::share run_journal::take_held(checkpoint_request& into) {
    share const held_share{.changes = changes_.size(), .writes = writes_.size()};
    into.node = services_.node;
    into.lease = lease_;
    into.job = job_.id;
    into.arrival = job_.arrival;
    into.ends_after = latest_end_;
    into.answered = answered() || !into.intents.empty();
    into.attempts = std::exchange(attempts_, {});
    // Of earlier runs and lives only the record tells.
    if (auto* settled = std::get_if<settle>(&into.ending); settled && !job_.begun_before) {
        settled->paid = paid_;
        for (auto const& attempt : into.attempts) *settled->paid += attempt.used;
    }
    changes_.insert(changes_.end(), into.changes.begin(), into.changes.end());
    into.changes = std::exchange(changes_, {});
    std::ranges::move(into.writes, std::back_inserter(writes_));
    into.writes = std::exchange(writes_, {});
    storage::chain_together(into.writes);
    into.clock = &services_.clock;
    return held_share;
}

base::awaitable<std::shared_ptr<checkpoint>> run_journal::send(
    std::shared_ptr<checkpoint_request const>& request
) {
    auto unit = std::make_shared<checkpoint>(request);
    for (auto pause = milliseconds{50};; pause = std::min(pause * 2, milliseconds{1000})) {
        auto committed = co_await services_.checkpoints.commit(unit, commit_deadline);
        if (committed && unit->result() == checkpoint::verdict::locked)
            committed = base::error(base::errc::conflict, "the lane is locked");
        if (committed) break;
        auto const& failure = committed.error();
        if (failure == base::errc::poison || failure == base::errc::not_found ||
            failure == base::errc::internal)
            throw record_refused("the database refused a record: " + failure.detail);
        if (!services_.may_act()) throw abandoned{};
        co_await base::sleep_for(pause);
        // Sending it again is safe, even beside a first one that still waits: every row stands at
        // most once, behind the same fence. It is a new object, since the batcher may still use the
        // other.
        auto again = *request;
        write_once(again.writes);
        if (auto* settled = std::get_if<settle>(&again.ending)) write_once(settled->outcome.writes);
        bool const undone = failure == base::errc::unavailable || failure == base::errc::conflict;
        if (!undone) again.unless_edited = false;
        // A unit that waits for a held lock makes all others of its batch wait, too.
        if (failure == base::errc::conflict) again.unless_locked = true;
        request = std::make_shared<checkpoint_request const>(std::move(again));
        unit = std::make_shared<checkpoint>(request);
    }
    if (unit->result() == checkpoint::verdict::lost) {
        base::log::warn("lease.lost", {{"job", job_.id}, {"lane", job_.lane}});
        throw abandoned{};
    }
    co_return unit;
}

// The rows may stand already, and may be written once more all the same. The rest of the commit
// belongs to a decision that the function did not live to see.
void run_journal::hold_again(checkpoint_request const& unwritten, share held_share) {
    auto const put_in_front = [](auto& kept, auto const& rows, std::size_t count) {
        kept.insert(kept.begin(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    };
    put_in_front(attempts_, unwritten.attempts, unwritten.attempts.size());
    put_in_front(changes_, unwritten.changes, held_share.changes);
    put_in_front(writes_, unwritten.writes, held_share.writes);
    write_once(writes_);
}

// They may stand in the record, but nothing was begun: the end closes them.
void run_journal::note_intents_in_doubt(checkpoint_request const& unwritten) {
    for (auto const& intent : unwritten.intents) {
        effect_record const planned{
            .state = effect_state::planned,
            .effect_class = intent.effect_class,
            .kind = intent.kind};
        history_.effects.try_emplace(intent.key, planned);
    }
}

// The record is served from now on, also to a function that starts over.
void run_journal::note_written(checkpoint_request const& sent) {
    for (auto const& attempt : sent.attempts) {
        paid_ += attempt.used;
        auto& attempts = history_.steps[attempt.key].attempts;
        if (attempts.size() < static_cast<std::size_t>(attempt.attempt))
            attempts.push_back(attempt);
    }
}

} // namespace postrider::queue
