#pragma once
// What a process counts about its own work, for /metrics: histograms, and series of them by name.
// For one thread. Counting takes no lock, and memory only for a series that is new.
//
// Guarantees: a series has at most so many names as it was made for; what comes under further ones is
// counted as `other_name`. So names that others choose (models of flows, tools of MCP servers) cannot
// make /metrics grow without bound. A variant is one of a closed set that the caller knows.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/utf8.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::base {

// Upper bounds in seconds. Of calls to others: as OpenTelemetry advises for
// gen_ai.client.operation.duration and gen_ai.execute_tool.duration.
inline constexpr std::array call_bounds{
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92};
// Of jobs, which may take minutes.
inline constexpr std::array job_bounds{
    0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0, 600.0};

class histogram {
public:
    // Ascending, and with static storage duration.
    explicit histogram(std::span<double const> bounds)
        : bounds_(bounds),
          counts_(bounds.size() + 1) {}

    void observe(double value) noexcept;

    std::span<double const> bounds() const noexcept { return bounds_; }
    // Of each bound, those that are not greater than it; behind them the number of all.
    std::vector<std::uint64_t> cumulative() const;
    double sum() const noexcept { return sum_; }

private:
    std::span<double const> bounds_;
    std::vector<std::uint64_t> counts_; // by bucket, the last one without a bound
    double sum_ = 0;
};

// As OpenTelemetry names what has no name of its own.
inline constexpr std::string_view other_name = "_OTHER";

template<class Value>
class series {
public:
    using variants = std::map<std::string, Value, std::less<>>;

    // Each new series begins as `fresh`.
    explicit series(Value fresh, std::size_t most_names = 100)
        : fresh_(std::move(fresh)),
          most_names_(most_names) {}

    // Valid as long as the series. A long name counts as its beginning.
    Value& at(std::string_view name, std::string_view variant = {}) {
        name = cut_at_character(name, longest_name);
        auto named = all_.find(name);
        if (named == all_.end()) {
            auto const known = all_.size() < most_names_ ? name : other_name;
            named = all_.try_emplace(std::string(known)).first;
        }
        auto& values = named->second;
        auto value = values.find(variant);
        if (value == values.end()) value = values.emplace(std::string(variant), fresh_).first;
        return value->second;
    }

    std::map<std::string, variants, std::less<>> const& all() const noexcept { return all_; }

private:
    static constexpr std::size_t longest_name = 128;

    std::map<std::string, variants, std::less<>> all_; // by name
    Value fresh_;
    std::size_t most_names_;
};

// Seconds, by what was done and how it ended: the class of its error, or "".
class durations : public series<histogram> {
public:
    explicit durations(std::span<double const> bounds, std::size_t most_names = 100)
        : series(histogram(bounds), most_names) {}

    void observe(std::string_view name, std::string_view outcome, duration took) {
        at(name, outcome).observe(std::chrono::duration<double>(took).count());
    }
};

// One piece of work. Where nobody says how it ended, as where its coroutine was cancelled, it ended
// as "cancelled". The name and the rest outlive it.
class stopwatch {
public:
    stopwatch(durations* to, std::string_view name, clock const& clock)
        : to_(to),
          name_(name),
          clock_(clock),
          began_(clock.steady()) {}
    ~stopwatch() { note(to_string(errc::cancelled)); }
    stopwatch(stopwatch const&) = delete;
    stopwatch& operator=(stopwatch const&) = delete;

    void succeeded() { note({}); }
    void failed(errc reason) { note(to_string(reason)); }

private:
    void note(std::string_view outcome) {
        if (auto* to = std::exchange(to_, nullptr))
            to->observe(name_, outcome, clock_.steady() - began_);
    }

    durations* to_; // null: nobody counts, or it was counted
    std::string_view name_;
    clock const& clock_;
    steady_time began_;
};

} // namespace postrider::base
