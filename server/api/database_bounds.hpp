#pragma once
// How long the API waits for the database. A Postgres that is frozen takes connections and
// statements and says nothing: a client hears of it after these times, and then tries again or shows
// it to a person. All of them stand here.
#include "base/clock.hpp"

namespace postrider::api {

// What a request asks the database for. A report is read, too, but from very many rows; a watcher
// reads again and again. A change may be done after its client was told that it took too long; of
// what is only read nothing is left behind.
enum class database_use { read, watch, report, change };

struct database_bounds {
    base::duration token = std::chrono::seconds{5}; // to find it, and to note that it is used
    base::duration read = std::chrono::seconds{5};  // a watcher's looks as well
    base::duration quick = std::chrono::seconds{1}; // then a read is begun anew, as a report
    base::duration report = std::chrono::seconds{20};
    base::duration change = std::chrono::seconds{20};
    base::duration health = std::chrono::seconds{5}; // the queue's figures, for /metrics

    constexpr base::duration of(database_use use) const noexcept {
        if (use == database_use::report) return report;
        return use == database_use::change ? change : read; // a look is a read
    }
};
inline constexpr database_bounds database_waits{};

} // namespace postrider::api
