#pragma once
// The connection of one storage thread: made when first needed, made again after it broke. While
// the database is away, get() fails at once between attempts (50 ms apart at first, 2 s at last),
// so that those who wait hear of it. A server process that was given up, since it did not answer, is
// ended by the next connection.
#include "storage/pg/connection.hpp"

#include <memory>
#include <mutex>

namespace postrider::storage::pg {

class session {
public:
    session(database_options options, purpose purpose);

    // An open connection, outside a transaction. Throws failure{unavailable}.
    connection& get();

    // From any thread: breaks the call in progress; every later get() fails. A connection attempt
    // in progress still takes its time, at most options.connect_timeout per host.
    void close() noexcept;

private:
    void connect_again();

    database_options options_;
    purpose purpose_;
    std::unique_ptr<connection> connection_;
    int silent_process_ = 0; // of the connection before it
    base::steady_time next_attempt_{};
    base::duration delay_{0};
    base::error last_failure_;

    std::mutex closing_; // guards connection_ against close(), and closed_
    bool closed_ = false;
};

// begin, work, commit; again after a conflict, `tries` times in all with a short random pause
// between. Throws what the last try threw.
void transact(session& on, std::function<void(transaction&)> const& work, int tries);

// The pause before try number `attempt` (2 = the first repetition) of a conflicting transaction.
void pause_before_retry(int attempt);

} // namespace postrider::storage::pg
