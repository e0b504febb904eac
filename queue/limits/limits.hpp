#pragma once
// Limits that all nodes share: rates ("so many a second") and circuit breakers ("it fails, leave it
// alone"), by the name of a resource: "bot:main", "provider:anthropic". Nothing here knows what a
// resource is.
//
// A resource without a rate that does not fail costs nothing: its gate is known to be open without
// asking anybody. A node takes tokens of a rate in small slices, which are good for a second, and
// asks Postgres only when its slice is used up. A caller that must wait gets a start time of its
// own, so that many of them start one after the other. Reports are written in the background,
// several as one.
//
// Other nodes learn of a closed gate with their next poll; this one at once. On the executor's
// one thread.
#include "base/async.hpp"
#include "base/ids.hpp"
#include "queue/limits/waiting_place.hpp"
#include "queue/store/poll.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::queue {

struct rate_limit {
    std::string resource;
    double per_second = 0; // 0 = unlimited
    double burst = 1;      // so many may come at once after a quiet time
};

struct gate_status {
    std::string resource;
    bool open = true;           // its uses may pass
    std::uint64_t openings = 0; // how often this process saw its breaker open
};

// Of uses that say nothing else.
inline constexpr auto usual_use = std::chrono::milliseconds{65000};

// Who uses a resource. The use may be the trial of a breaker.
struct gate_use {
    job_id job{};                                  // whose run it is a part of; zero = none
    std::chrono::milliseconds longest = usual_use; // what is not heard of by then is lost
};

struct limiter_options {
    base::duration slice = std::chrono::seconds{1}; // how long tokens in hand are good
};

class limiter {
public:
    virtual ~limiter() = default;

    // Sets the rates and reads the gates. Fails as batcher::commit does. The poll that runs meanwhile
    // keeps them fresh.
    virtual base::awaitable<base::result<void>> start(std::vector<rate_limit> rates) = 0;
    // Before the poll runs.
    virtual void follow(poll& reads) = 0;
    // Writes what was reported, if the database lets it, within two seconds.
    virtual base::awaitable<void> stop() = 0;

    // False while the breaker keeps everybody out.
    virtual bool open(std::string_view resource) const = 0;

    // One use of the resource. Without `token` the breaker alone is asked. A wait for a token that
    // is longer than `patience` is told, but nothing is reserved. While the database is away, or
    // another session has locked the bucket, the answer is a short wait.
    virtual base::awaitable<admission> take(
        std::string resource,
        bool token,
        std::optional<std::chrono::milliseconds> patience,
        gate_use use = {}
    ) = 0;

    // What a use came to. A Retry-After closes the gate for that time; failures that may pass are
    // counted and open the breaker; any other answer shows that the resource works.
    virtual void report(std::string_view resource, base::result<void> const& outcome) = 0;
    // The other side has taken the job's use and begins to answer. A trial keeps nobody waiting any
    // longer; should it fail after all, the breaker opens again.
    virtual void accepted(std::string_view resource, job_id job) = 0;
    // The job's use came to nothing that could be told. If it was the trial, another may try.
    virtual void give_up(std::string_view resource, job_id job) = 0;
    // Nothing passes until somebody, on whichever node, says that it works.
    virtual void stop_using(std::string_view resource, std::string reason) = 0;
    virtual void works(std::string_view resource) = 0;

    // As queue::find_place().
    virtual base::awaitable<base::result<std::optional<waiting_place>>> find_place(
        job_id job, std::string_view resource
    ) = 0;

    // The gates that are limited or have failed.
    virtual std::vector<gate_status> gates() const = 0;
};

// `quick` writes, and outlives the limiter. Destroyed after stop().
std::unique_ptr<limiter> make_limiter(
    boost::asio::any_io_executor executor,
    storage::batcher& quick,
    base::clock& clock,
    limiter_options options = {}
);

} // namespace postrider::queue
