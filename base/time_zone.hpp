#pragma once
// Time zones by their IANA names, from the system's compiled database (package tzdata).
//
// A local (wall-clock) time is not an instant: in spring an hour of them never comes, in autumn an
// hour of them comes twice. at_local() says which it is instead of choosing. Resolution: seconds.
// Debian's compiled zones know their changes up to 2037; later instants have the last offset known.
// A time_zone is a cheap handle that stays valid for the process' life. Threads: any.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base {

using local_seconds = std::chrono::local_seconds;

// A stretch of time with one offset from UTC: [begin, end).
struct zone_period {
    std::chrono::sys_seconds begin;
    std::chrono::sys_seconds end;
    std::chrono::seconds offset{0};
};

// What a wall-clock time means as an instant.
struct local_answer {
    enum class kind {
        once,    // first == last
        skipped, // never comes: both are the instant at which the clock jumped over it
        twice,   // first and last occurrence
    };
    kind occurrence = kind::once;
    std::chrono::sys_seconds first;
    std::chrono::sys_seconds last;
    // Of a skipped or doubled time: the first wall-clock time behind all that are so.
    local_seconds behind;
};

class time_zone {
public:
    std::string const& name() const noexcept;
    zone_period period_at(sys_time t) const;
    local_seconds to_local(sys_time t) const;
    local_answer at_local(local_seconds wall) const;

    struct data;
    explicit time_zone(data const& of) : data_(&of) {}

private:
    data const* data_;
};

// not_found: no such zone; the detail names what was probably meant. unavailable: the machine has
// no zone database.
result<time_zone> find_time_zone(std::string_view name);
// All of them. Throws std::runtime_error where find_time_zone() says unavailable.
std::vector<std::string> time_zone_names();

// "2026-11-21T08:53", with seconds where given, and a blank for the T allowed: a wall-clock time.
std::optional<local_seconds> local_from_iso8601(std::string_view text);

// "2026-11-21T10:53:00+02:00", to the second; a zero offset is written Z.
std::string to_iso8601(sys_time t, time_zone const& zone);
std::string to_iso8601(sys_time t, std::chrono::seconds offset);

} // namespace postrider::base
