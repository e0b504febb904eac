#pragma once
// Brings due work in: runs of schedules become delayed jobs, due jobs join their lanes. Every node
// runs one; rows that another node has taken are passed over.
//
// Guarantees: a schedule's jobs and its next time are one commit, so that a node that dies in
// between has done nothing, and no time of a schedule runs twice. A row that cannot be run gets its
// error. A schedule, lane or job that somebody has locked is passed over until the next pass: what
// is due behind it, however much waits before, does not wait for it. The database's clock counts;
// the node's poll asks it for the next due time, so that a clock that jumps is noticed.
#include "base/async.hpp"
#include "queue/store/poll.hpp"
#include "storage/database.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace postrider::queue {

// What one pass did.
struct scheduler_pass {
    std::int64_t schedules = 0; // taken, or refused with an error in their row
    std::int64_t put_off = 0;   // left as they were: this machine has no time zones
    std::int64_t runs = 0;      // jobs that schedules made
    std::int64_t admitted = 0;  // timers that ended

    bool idle() const noexcept { return schedules + admitted == 0; }
    scheduler_pass& operator+=(scheduler_pass const& other);
};

class scheduler {
public:
    // `admitted` is called after a commit that made lanes ready. The database outlives it.
    scheduler(
        boost::asio::any_io_executor executor,
        storage::database& db,
        base::clock& clock,
        std::function<void()> admitted
    );

    // Has the poll read when something is due. Before it runs.
    void follow(poll& reads);
    // The loop, until cancelled; needs the poll. A failed pass is logged and tried again.
    base::awaitable<void> run();

    // Everything that is due now. The failures are the database's.
    base::awaitable<base::result<scheduler_pass>> run_due();

private:
    base::awaitable<base::result<void>> run_schedules(scheduler_pass& pass);
    base::awaitable<base::result<void>> run_apart(scheduler_pass& pass);
    base::awaitable<base::result<void>> run_alone(std::string name, scheduler_pass& pass);
    base::awaitable<base::result<scheduler_pass>> run_batch(
        int most, std::optional<std::string> name
    );
    base::awaitable<base::result<void>> admit(scheduler_pass& pass);
    void note_failure(base::error const& error);
    void note_success();
    void note_next(storage::rows const& due);
    base::awaitable<void> prune_keys();

    storage::database& db_;
    base::clock& clock_;
    poll* reads_ = nullptr;
    base::signal wake_;
    std::optional<base::steady_time> due_; // the next time that is known
    std::function<void()> admitted_;
    std::string keys_pruned_to_;
    std::set<std::string> put_off_; // schedules that the last pass left for the next one
    base::outage outage_;
};

} // namespace postrider::queue
