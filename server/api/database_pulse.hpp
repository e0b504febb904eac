#pragma once
// Whether the database answers those who watch: read again and again while somebody does, once for all
// streams of this node. A watcher hears within ten seconds that it does not, and that it does so again.
// On the loop's thread.
#include "server/api/event_line.hpp"
#include "server/views/recent_reading.hpp"
#include "storage/database.hpp"

#include <string>

namespace postrider::api {

struct database_state {
    bool is_reachable = true;
    std::string since =
        {}; // ISO 8601 in UTC, by this process's clock: the database's is not to be had

    bool operator==(database_state const&) const = default;
};

class database_pulse {
public:
    static constexpr base::duration usual_pause = std::chrono::seconds{2}; // between two reads

    // Both outlive it.
    database_pulse(
        storage::database& db, base::clock const& clock, base::duration pause = usual_pause
    );
    database_pulse(database_pulse const&) = delete;
    database_pulse& operator=(database_pulse const&) = delete;

    // Of a second ago at most.
    base::awaitable<database_state> get();
    // Tells of each change of what was told, until the end or until nobody listens. Always true.
    base::awaitable<bool> tell(database_state told, event_line& line, base::steady_time end);

private:
    base::awaitable<base::result<database_state>> read();

    storage::database& db_;
    base::clock const& clock_;
    base::duration pause_;
    database_state state_;
    server::recent_reading<database_state> states_;
};

// "health": {"database": "ok" or "unreachable", "since"}.
net::sse_event health_event(database_state const& state);

} // namespace postrider::api
