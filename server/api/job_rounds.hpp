#pragma once
// The looks at changed jobs that all who watch on this node share: one look a round, however many watch,
// none while nobody does. What is found goes to one log, which each watcher filters in memory. On the loop's thread.
#include "base/random.hpp"
#include "queue/admin/job_tracker.hpp"
#include "server/api/job_log.hpp"
#include "server/api/look_pace.hpp"
#include "server/views/shared_looks.hpp"
#include "storage/database.hpp"

#include <vector>

namespace postrider::api {

// All ask the same, and find the answer in the log.
enum class job_query { changes };
struct job_round {};
using shared_job_looks = server::shared_looks<job_query, job_round>;

class job_rounds {
public:
    // All of them outlive it.
    job_rounds(
        storage::database& db,
        base::clock const& clock,
        base::random_source& random,
        std::size_t most_logged = usual_log
    );
    job_rounds(job_rounds const&) = delete;
    job_rounds& operator=(job_rounds const&) = delete;

    shared_job_looks& looks() noexcept { return looks_; }
    job_log const& log() const noexcept { return log_; }
    // Between two looks: the longer a look takes, the longer.
    base::duration pause() const noexcept { return pace_.pause(false); }

private:
    base::awaitable<base::result<std::vector<job_round>>> read(std::size_t watchers);
    void begin_anew();

    storage::database& db_;
    base::clock const& clock_;
    base::random_source& random_;
    std::size_t most_logged_;
    queue::job_tracker tracker_;
    job_log log_;
    std::optional<base::steady_time> looked_;
    look_pace pace_;
    shared_job_looks looks_;
};

} // namespace postrider::api
