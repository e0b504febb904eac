#pragma once
// A worker's write: everything that one commit of a running job changes, behind the fence.
//
// The fence is the transaction's first statement: it locks the lane's row, in lane order among all
// requests of the batch, and finds it only with this node's id and this lease's epoch. What it does
// not find has lost its lease and writes nothing. Commits that only go on, or end a job as usual, are
// sent with their fence in one round trip; where the fence does not hold, nothing of it is done and
// they are sent again in stages.
#include "base/backoff.hpp"
#include "queue/job.hpp"
#include "queue/workflow.hpp"
#include "storage/one_stage.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::queue {

enum class attempt_outcome { done, retry, failed };
std::string_view to_string(attempt_outcome outcome) noexcept;
std::optional<attempt_outcome> attempt_outcome_from_string(std::string_view name) noexcept;

// One row of `step`.
struct step_attempt {
    std::string key;
    int attempt = 1;
    int seq = 0;
    attempt_outcome outcome = attempt_outcome::done;
    boost::json::value result = {};
    usage used = {};                               // what it paid
    base::error failure = {};                      // unless done
    std::optional<base::retry_policy> policy = {}; // from the first failed attempt on
    std::chrono::microseconds took{0};
    std::optional<std::chrono::milliseconds> next_in = {}; // of a retry; of a sleep: its length
    std::optional<base::sys_time> until = {}; // of a sleep: its end, instead of next_in

    // By the steady clock of its process; the row is dated by the database's.
    bool outside = false; // something was done outside, which must not be done twice
    std::optional<base::steady_time> ended = {};
    // Of a short sleep, instead of took and next_in.
    std::optional<base::steady_time> sleep_began = {};
    std::optional<base::steady_time> due = {};
};

enum class effect_state { planned, started, done, failed, unknown };
std::string_view to_string(effect_state state) noexcept;
std::optional<effect_state> effect_state_from_string(std::string_view name) noexcept;

struct effect_change {
    std::string key;
    effect_state state = effect_state::done;
    bool flagged = false; // sets the flag; never clears it
    boost::json::value result = {};
};

// How the commit leaves the job and its lane.
struct keep_going {};
struct park { // the job waits; its lane is free but not ready before
    job_state as = job_state::retryable;
    std::chrono::milliseconds delay{0};
    std::string reason = {};
    std::optional<base::sys_time> until = {}; // instead of the delay
    bool for_events = false; // ready at once when one that the job waits for has come
};
struct await_event { // consumes an event and goes on, or fails its step, or parks until one comes
    awaited_event event;
    step_attempt step; // its row, once there is an event or the time is up
    bool parks = true; // false: only says that it waits, a park {for_events} follows
};
struct release {                        // as if this run had not begun (drain, a paused lane)
    std::chrono::milliseconds delay{0}; // above 0: then for other nodes first
    std::string reason = {};
};
struct pause_job {};     // the job is held until it is resumed, unless that was asked already; its
                         // lane goes on
struct coalesce_mail {}; // the lane's newest job takes the place of this one and all between them
struct begin_rollback {  // from now on the job comes to this ending, whatever its code says
    queue::outcome outcome;
};
struct settle { // the job is over
    queue::outcome outcome;
    bool hand_on = true;            // take the lane's next job at once, or let other lanes go first
    std::optional<usage> paid = {}; // by the job in all, where its only run knows it
    bool unless_rollback = false;   // it can be undone, and nobody had asked for that
    bool unless_cancelled = false;  // what it did last can still be left unsaid
};
struct advance { // no job yet: take the lane's next one
    job_id after{};
};
using ending = std::variant<
    keep_going,
    park,
    await_event,
    release,
    pause_job,
    coalesce_mail,
    begin_rollback,
    settle,
    advance>;

// What one commit writes.
struct checkpoint_request {
    node_id node{};
    queue::lease lease;
    job_id job{};
    std::int64_t arrival = 0; // the job's
    std::vector<step_attempt> attempts;
    std::vector<effect_intent> intents;
    std::vector<effect_change> changes;
    std::vector<storage::write> writes;
    bool unless_edited = false;
    bool unless_locked = false; // the lane: it was found locked before, and is not waited for
    bool unless_ending = false; // it begins effects: nothing of it where the job is asked to end
    bool answered = false;      // an interruption comes too late
    // The latest end of an attempt in the run's commits so far, since 1970. What ended later is not
    // dated before it: two commits do not take equally long.
    std::chrono::microseconds ends_after{0};
    base::clock const* clock = nullptr; // of the attempts' process; read on the batcher's thread
    queue::ending ending = keep_going{};
};

// What the row of an attempt tells of its times.
struct attempt_times {
    std::chrono::microseconds took{0};
    std::optional<std::chrono::microseconds> ago =
        {};                             // since its end; nothing: it ends with the commit
    std::chrono::microseconds after{0}; // since 1970: its end is not dated before
    std::optional<std::chrono::milliseconds> next_in = {}; // from its end on
};

// A unit of the checkpoint batcher; the request may be shared by several. Read the results after
// commit() returned.
class checkpoint final : public storage::one_stage_unit {
public:
    explicit checkpoint(std::shared_ptr<checkpoint_request const> request)
        : request_(std::move(request)) {}

    checkpoint_request const& request() const noexcept { return *request_; }

    enum class verdict { unknown, lost, locked, stale, ending, written };
    verdict result() const noexcept { return result_; }
    std::int64_t edits() const noexcept { return edits_; }
    std::int64_t arrivals() const noexcept { return arrivals_; }
    // For the next request's ends_after.
    std::chrono::microseconds latest_end() const noexcept { return latest_end_; }
    // What was asked from outside. A park, or an await_event that would have parked, is then left
    // out: the job still runs and has to do what was asked.
    std::optional<control_request> asked() const noexcept { return asked_; }
    // The job still runs: the pause was withdrawn, or a rollback or a cancel was asked for before it was
    // over.
    bool withdrawn() const noexcept { return withdrawn_; }
    // After settle, pause_job, coalesce_mail or advance: the job to run now, leased on, if any.
    std::optional<queue::job> const& next() const noexcept { return next_; }
    // After await_event: what the step came to; nothing = it waits, for at most parked_for().
    std::optional<step_value> const& awaited() const noexcept { return awaited_; }
    std::chrono::milliseconds parked_for() const noexcept { return parked_for_; }

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    bool is_last(int number) const override;
    bool fits_one_stage() const override;
    std::vector<storage::write> only_stage() override;

private:
    storage::job_range own_range() const;
    void reset();
    storage::write about_lease(storage::statement const& asks) const;
    storage::write fence_or_fail() const;
    void note_lane(storage::row const& lane);
    std::vector<storage::write> fenced(storage::row const& lane);
    std::vector<storage::write> rows();
    void add_attempts(std::vector<storage::write>& writes) const;
    std::vector<storage::write> after_rows(storage::rows const* returned, std::size_t count);
    void add_ending(std::vector<storage::write>& writes);
    void add_settlement(settle const& settled, std::vector<storage::write>& writes);
    void add_park(park const& parked, std::vector<storage::write>& writes);
    void ask_next(job_id after, std::vector<storage::write>& writes);
    void leave_lane(
        job_id after,
        std::int64_t arrival,
        storage::job_range looked_at,
        std::vector<storage::write>& writes
    );
    storage::write look_for_event(await_event const& waiting);
    std::vector<storage::write> after_event(storage::rows const& taken);
    std::vector<storage::write> after_next(storage::rows const& rows);
    std::vector<storage::write> after_pause(storage::rows const& paused);
    std::vector<storage::write> after_hold(storage::rows const& rows);

    std::shared_ptr<checkpoint_request const> request_;
    verdict result_ = verdict::unknown;
    std::int64_t arrivals_ = 0;
    std::int64_t edits_ = 0;
    bool at_once_ = false;   // its rows are sent with their fence
    bool by_stages_ = false; // they were, in vain
    std::chrono::microseconds latest_end_{0};
    std::optional<std::size_t> attempts_at_; // where rows() put them, until they are answered
    job_id head_{};
    std::optional<control_request> asked_;
    bool is_asked_ = false; // also of an interruption that comes too late
    job_id over_{};         // behind which the lane goes on, if it is not paused
    enum class question { none, lease, next, event, pause, hold } question_ = question::none;
    bool withdrawn_ = false;
    std::optional<queue::job> next_;
    std::optional<step_value> awaited_;
    job_id heard_to_{}; // the last message that did not concern the wait
    std::chrono::milliseconds parked_for_{0};
};

boost::json::value to_json(base::retry_policy const& policy);
base::retry_policy retry_policy_from(boost::json::value const& stored);

} // namespace postrider::queue
