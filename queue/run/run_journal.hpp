#pragma once
// What one run of a job has yet to record, and the commits that record it: each behind the fence,
// sent again while its answer is lost and the lease lasts.
//
// Results of work that was done outside do not wait for long: record_work() commits them, and is
// called before anything else outside begins. Rows that a commit did not write, since it was
// cancelled or refused, stay held. While branches run side by side, one commit goes at a time and
// takes along what all of them hold. On one executor.
#include "queue/run/run_services.hpp"
#include "queue/run/step_history.hpp"
#include "queue/store/checkpoint.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace postrider::queue {

// The database refuses a record for its content, or for its SQL.
struct record_refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class run_journal {
public:
    // The job and the history outlive it; the history is extended by what is written.
    run_journal(
        run_services const& services,
        queue::job const& job,
        queue::lease lease,
        step_history& history
    );

    void hold(step_attempt ended);
    void hold(effect_change change);
    void hold(storage::write row);
    // The database refuses something of it: of effects stays how they ended, nothing else.
    void drop_content();

    // A commit of everything held, and of `more`. Throws abandoned without a lease, asked_to_stop where it
    // was not to begin what it begins (all of it is held still), and record_refused.
    base::awaitable<std::shared_ptr<checkpoint>> write(checkpoint_request request = {});
    // The same, where results of work that was done outside are held.
    base::awaitable<void> record_work();
    bool holds_attempts() const noexcept { return !attempts_.empty(); }
    bool holds_work() const noexcept;   // of attempts that were made outside
    bool holds_effect() const noexcept; // one that was done, or may have been

    // What is asked of the run: told by its node, or found by a commit, whose word is the last.
    void ask(control_request request);
    std::optional<control_request> asked() const noexcept { return asked_; }
    // A commit has found that a pause was withdrawn, or the rollback takes its place.
    void forget_request() noexcept { asked_.reset(); }
    // This run has written that it waits for an event.
    bool has_waited() const noexcept { return has_waited_; }
    // An intent stands in the record: the answer is on its way and no newer message stops it.
    bool answered() const noexcept { return !history_.effects.empty(); }

    queue::lease const& lease() const noexcept { return lease_; }
    void accept_edits() noexcept { lease_.edits = seen_edits_; }
    void note_edits(std::int64_t edits) noexcept { lease_.edits = edits; }

    // From one call to the other commits wait for each other.
    void begin_branches(base::asio::any_io_executor executor);
    void end_branches();

private:
    struct turn_taking {
        explicit turn_taking(base::asio::any_io_executor executor) : written(std::move(executor)) {}
        bool writing = false;
        base::signal written;
    };

    base::awaitable<std::shared_ptr<checkpoint>> write_held(checkpoint_request additions);
    base::awaitable<std::shared_ptr<checkpoint>> send(
        std::shared_ptr<checkpoint_request const>& request
    );
    // How much of a request was held before.
    struct share {
        std::size_t changes = 0;
        std::size_t writes = 0;
    };
    share take_held(checkpoint_request& into);
    void hold_again(checkpoint_request const& unwritten, share held_share);
    void note_intents_in_doubt(checkpoint_request const& unwritten);
    void note_written(checkpoint_request const& sent);
    void hear(std::optional<control_request> control);

    run_services const& services_;
    queue::job const& job_;
    queue::lease lease_;
    std::int64_t seen_edits_;
    step_history& history_;
    std::optional<control_request> asked_;
    // Work of this run was recorded before the function committed anything by itself.
    bool recorded_early_ = false;
    bool has_waited_ = false;
    std::chrono::microseconds latest_end_{0}; // of the attempts that are written
    usage paid_;                              // by them, in this run
    std::vector<step_attempt> attempts_;
    std::vector<effect_change> changes_;
    std::vector<storage::write> writes_;
    std::shared_ptr<turn_taking> branches_; // while they run
};

} // namespace postrider::queue
