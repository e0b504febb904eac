#pragma once
// One engine on a database of its own, what waits beside its work, and what the work costs.
#include "bench/report.hpp"
#include "queue/node/engine.hpp"
#include "storage/connections.hpp"

#include <boost/asio/io_context.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace postrider::bench {

// What a number of jobs has cost, by the clock and in processor time.
struct cost {
    base::duration wall{0};
    base::duration own{0};      // this process: the engine
    base::duration postgres{0}; // all backends
};
cost operator-(cost const& later, cost const& sooner);

class flat_world {
public:
    // Makes the database; `folder` is the cluster's.
    flat_world(std::string const& cluster_url, std::filesystem::path folder, std::string name);

    // Before the start. Lanes with one job each, ready since long ago, or in an hour's time.
    void add_ready_lanes(std::int64_t count);
    void add_parked_lanes(std::int64_t count);
    // So many partitions before the one that new jobs go to.
    void add_partitions(int count);
    // One ready lane with so many jobs.
    void add_long_lane(std::int64_t jobs);

    void start(int slots);
    void stop();
    // Runs until so many jobs are over since the start, beside whatever else.
    void run_until_completed(std::uint64_t jobs);
    // New jobs on a thousand lanes, at most `at_once` of them in flight, until there were so many
    // or the time has passed.
    void feed(std::uint64_t jobs, int at_once, base::duration most);

    std::uint64_t completed() const;
    cost spent() const;
    // One value, or "" for null.
    std::string value(std::string const& sql) const;
    storage::database_options const& options() const { return options_; }

private:
    void execute(std::string const& sql) const;
    void begin_lanes(std::string const& ready_at, std::string const& keys);
    base::awaitable<void> feed_lanes(
        int first, int step, std::uint64_t jobs, base::steady_time end
    );
    base::awaitable<void> one_job(lane_id lane, std::uint64_t at_once);

    storage::database_options options_;
    int postmaster_;
    boost::asio::io_context context_{1};
    storage::connections postgres_;
    std::unique_ptr<queue::engine> engine_;
    std::uint64_t fed_ = 0;      // in this feeding
    std::uint64_t enqueued_ = 0; // since the start
};

} // namespace postrider::bench
