#include "storage/pg/session.hpp"

#include "base/random.hpp"

#include <thread>

namespace postrider::storage::pg {

namespace {

using namespace std::chrono_literals;

constexpr base::duration first_delay = 50ms;
constexpr base::duration last_delay = 2s;

// Before it does what it was sent last: that may have been sent again by then.
constexpr statement end_silent_process{
    "session.end_silent_process",
    "select pg_terminate_backend(a.pid) from pg_stat_activity a "
    "where a.pid = $1::int and a.application_name = $2 and a.usename = current_user"};

} // namespace

session::session(database_options options, purpose purpose)
    : options_(std::move(options)),
      purpose_(purpose) {
    if (!options_.reachability) options_.reachability = std::make_shared<reachability>();
}

connection& session::get() {
    if (connection_ && connection_->open() && connection_->quiet()) return *connection_;
    connect_again();
    return *connection_;
}

void session::connect_again() {
    {
        std::lock_guard lock{closing_};
        if (connection_ && connection_->silent_process() != 0)
            silent_process_ = connection_->silent_process();
        connection_.reset();
        if (closed_) throw failure({base::errc::unavailable, "the database is closed"});
    }
    auto const attempted = base::system_clock().steady();
    if (attempted < next_attempt_) throw failure(last_failure_);
    std::unique_ptr<connection> fresh;
    try {
        fresh = connect(options_, purpose_);
        if (silent_process_ != 0) {
            fresh->query(end_silent_process, {std::int64_t{silent_process_}, options_.application});
            silent_process_ = 0;
        }
    } catch (failure const& f) {
        options_.reachability->note_failed(attempted, options_.application, f.error);
        last_failure_ = f.error;
        delay_ = std::clamp(delay_ * 2, first_delay, last_delay);
        next_attempt_ = base::system_clock().steady() + delay_;
        throw;
    }
    options_.reachability->note_opened(options_.application);
    delay_ = 0s;
    std::lock_guard lock{closing_};
    if (closed_) throw failure({base::errc::unavailable, "the database is closed"});
    connection_ = std::move(fresh);
}

void session::close() noexcept {
    std::lock_guard lock{closing_};
    closed_ = true;
    if (connection_) connection_->break_off();
}

void transact(session& on, std::function<void(transaction&)> const& work, int tries) {
    bool renewed = false;
    for (int attempt = 1;; ++attempt) {
        auto& db = on.get();
        try {
            db.begin();
            work(db);
            db.commit();
            return;
        } catch (stale_plan const&) {
            db.rollback();
            if (renewed) throw;
            renewed = true;
            db.renew_plans();
        } catch (failure const& f) {
            db.rollback();
            if (f.error != base::errc::conflict || attempt >= tries) throw;
        } catch (...) {
            db.rollback();
            throw;
        }
        pause_before_retry(attempt + 1);
    }
}

void pause_before_retry(int attempt) {
    // Long enough for the other transaction to end, different for both.
    std::chrono::duration<double, std::milli> const most{2.0 * attempt * attempt};
    std::this_thread::sleep_for(most * base::uniform(base::system_random()));
}

} // namespace postrider::storage::pg
