#pragma once
// The only place that reads the time. Everything else gets a clock, or a `now` as an argument.
//
// Instants that are stored come from the database (postrider.now()); the clock here serves
// deadlines inside the process (steady), prompts and logs (wall), and the check that a lease has
// not run out while the process was stopped (boot: CLOCK_BOOTTIME goes on through suspend and
// SIGSTOP). Threads: system_clock() and manual_clock may be used from any thread.
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::base {

using namespace std::chrono_literals;

using duration = std::chrono::nanoseconds;
using steady_time = std::chrono::steady_clock::time_point;
using sys_time = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

class clock {
public:
    virtual ~clock() = default;
    virtual sys_time now() const = 0;
    virtual steady_time steady() const = 0;
    virtual std::chrono::nanoseconds boot() const = 0; // since boot, suspended time included
};

clock& system_clock();

// Moves only when told. All three readings move together.
class manual_clock final : public clock {
public:
    explicit manual_clock(sys_time start = sys_time{std::chrono::seconds{1'795'000'000}})
        : start_(start) {}

    void advance(duration by) { offset_.fetch_add(by.count()); }

    sys_time now() const override;
    steady_time steady() const override;
    std::chrono::nanoseconds boot() const override;

private:
    sys_time start_;
    std::atomic<std::int64_t> offset_{0};
};

// "2026-11-21T08:53:00Z"; with microseconds where they are not zero and precise is set.
inline constexpr std::size_t date_size = 10; // of a date alone: 2026-12-24
std::string to_iso8601(sys_time t, bool precise = false);
std::optional<sys_time> from_iso8601(std::string_view text);

// "250ms", "10s", "2min", "1h 30min": for people, logs and configuration.
std::string to_text(duration d);
std::optional<duration> duration_from_text(std::string_view text);

} // namespace postrider::base
