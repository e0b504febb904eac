#pragma once
// A worker's write: everything that one commit of a running job changes, behind the fence.
//
// The fence is the transaction's first statement: it locks the lane's row, in lane order among all
// requests of the batch, and finds it only with this node's id and this lease's epoch. What it does
// not find has lost its lease and writes nothing.
#include "base/backoff.hpp"
#include "queue/job.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::queue {

enum class try_outcome { done, retry, failed };

// One row of `step`.
struct recorded_try {
    std::string key;
    int attempt = 1;
    int seq = 0;
    try_outcome outcome = try_outcome::done;
    boost::json::value result;
    base::error failure;                      // unless done
    std::optional<base::retry_policy> policy; // from the first failed try on
    std::chrono::microseconds took{0};
    std::optional<std::chrono::milliseconds> next_in; // of a retry
};

enum class effect_state { planned, started, done, failed, unknown };
std::string_view to_string(effect_state state) noexcept;
std::optional<effect_state> effect_state_from_string(std::string_view name) noexcept;

struct effect_change {
    std::string key;
    effect_state state = effect_state::done;
    bool flagged = false; // sets the flag; never clears it
    boost::json::value result;
};

// How the commit leaves the job and its lane.
struct keep_going {};
struct park { // the job waits; its lane is free but not ready before
    job_state as = job_state::retryable;
    std::chrono::milliseconds delay{0};
    std::string reason;
};
struct put_back {}; // as if this run had not begun (drain)
struct settle {     // the job is over
    outcome how;
    bool hand_on = true; // take the lane's next job at once, or let other lanes go first
};
struct advance { // no job yet: take the lane's next one
    job_id after{};
};
using ending = std::variant<keep_going, park, put_back, settle, advance>;

// One request; a unit of the progress batcher. Read the results after commit() returned.
class progress final : public storage::unit {
public:
    node_id node{};
    queue::lease lease;
    queue::job job;
    std::vector<recorded_try> tries;
    std::vector<effect_intent> intents;
    std::vector<effect_change> changes;
    std::vector<storage::write> writes;
    bool unless_edited = false;
    queue::ending ending = keep_going{};

    enum class verdict { unknown, lost, stale, written };
    verdict result() const noexcept { return result_; }
    std::int64_t edits() const noexcept { return edits_; }
    // After settle or advance: the lane's next job, leased on, if there was one to take.
    std::optional<queue::job> const& next() const noexcept { return next_; }

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;

private:
    std::vector<storage::write> rows();
    void add_ending(std::vector<storage::write>& to);

    verdict result_ = verdict::unknown;
    std::int64_t arrivals_ = 0;
    std::int64_t edits_ = 0;
    bool asks_next_ = false;
    std::optional<queue::job> next_;
};

boost::json::value to_json(base::retry_policy const& policy);
base::retry_policy retry_policy_from(boost::json::value const& stored);

} // namespace postrider::queue
