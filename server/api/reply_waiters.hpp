#pragma once
// Where requests wait for what an execution makes, on whichever node of the cluster it runs: the
// row that tells is looked at several times a second, for all who wait by one query of a kind. So
// many may wait at once, and none of them when the server stops. On the loop's thread; outlives
// whoever waits in it.
#include "base/ids.hpp"
#include "net/http.hpp"
#include "server/views/shared_looks.hpp"
#include "storage/database.hpp"

#include <functional>
#include <optional>

namespace postrider::api {

class reply_waiters {
public:
    explicit reply_waiters(storage::database& db, int most = 100);

    // The answer, once `read` makes one of the job's row. Nothing: none was there in time, or there is
    // no room. The statement takes [{"i", "job_id"}] and returns a row for each, with i in column 0;
    // it has static storage duration.
    base::awaitable<std::optional<net::http_response>> wait(
        storage::statement const& look,
        job_id job,
        std::function<std::optional<net::http_response>(storage::row const&)> read,
        base::duration patience
    );

    // From now on nobody is kept.
    void close() noexcept { closed_ = true; }

private:
    using query = std::pair<storage::statement const*, job_id>;
    using job_row = std::optional<storage::row>;
    using looks = server::shared_looks<query, job_row>;

    looks looks_;
    int most_;
    int waiting_ = 0;
    bool closed_ = false;
};

} // namespace postrider::api
