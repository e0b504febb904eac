#pragma once
// Whether connections to Postgres can be opened, for all connections that share this. An outage is one
// warning when it begins and one line when it is over. An error follows only when it lasts, so a restart of
// Postgres needs nobody. From any thread.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <mutex>
#include <optional>
#include <string_view>

namespace postrider::storage {

// An outage that is no longer than this is nobody's concern: everything is tried again.
inline constexpr base::duration tolerated_outage = std::chrono::minutes{1};

// How long work of this process may fail with this error before it reports so itself. Not at all where the
// database answers, but refuses.
base::duration tolerated(base::error const& failed);

class reachability {
public:
    explicit reachability(base::clock& clock = base::system_clock()) : clock_(clock) {}

    // An attempt to connect, which began then, failed.
    void note_failed(
        base::steady_time attempted, std::string_view connection, base::error const& error
    );
    void note_opened(std::string_view connection);

private:
    struct outage {
        base::steady_time began;
        base::steady_time last;
        bool lasts = false; // and the error is in the log
    };

    base::clock& clock_;
    std::mutex mutex_; // guards what follows
    std::optional<outage> outage_;
    std::optional<base::steady_time> opened_; // the last one
};

} // namespace postrider::storage
