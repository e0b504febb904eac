// Is the cost of a job flat? Measures jobs beside nothing, beside many that wait, behind many
// partitions, and in a long lane; or, with --reader, jobs beside a transaction that is held open.
// A private cluster of its own in --folder; prints markdown.
#include "base/log.hpp"
#include "bench/flat_world.hpp"
#include "storage/pg/connection.hpp"
#include "storage/private_cluster.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <iostream>

namespace {

using namespace postrider;
using namespace std::chrono_literals;

constexpr int slots = 64;
constexpr int feeders = 32;

struct flat_options {
    std::uint64_t jobs = 5000; // measured in each case
    std::int64_t most = 1'000'000;
    int reader_seconds = 0;
};

struct figures {
    double wall = 0, own = 0, postgres = 0; // microseconds per job
    std::string latency;                    // claimed → done, p50 in ms
};

double per_job(base::duration d, std::uint64_t jobs) {
    return std::chrono::duration<double, std::micro>(d).count() / static_cast<double>(jobs);
}

figures measured(bench::flat_world& world, bench::cost const& before, std::uint64_t jobs) {
    auto const used = world.spent() - before;
    return {
        per_job(used.wall, jobs),
        per_job(used.own, jobs),
        per_job(used.postgres, jobs),
        world.value("select round((1000 * extract(epoch from percentile_cont(0.5) within group "
                    "(order by finished_at - started_at)))::numeric, 2) from postrider.job "
                    "where state = 'completed'")};
}

void print(std::string const& name, figures const& measured, figures const& base) {
    std::cout << fmt::format(
                     "| {} | {:.0f} | {:.0f} | {:.0f} | {} | {:.2f} | {:.2f} |",
                     name,
                     measured.wall,
                     measured.own,
                     measured.postgres,
                     measured.latency,
                     measured.own / base.own,
                     measured.postgres / base.postgres
                 )
              << std::endl;
}

class campaign {
public:
    campaign(storage::private_cluster& cluster, std::filesystem::path folder, flat_options options)
        : url_(cluster.url()),
          folder_(std::move(folder)),
          options_(options) {}

    void run() {
        std::cout << "| beside | wall µs/job | engine µs/job | Postgres µs/job | claimed to done, "
                     "p50 ms | engine, ratio | Postgres, ratio |\n|---|---|---|---|---|---|---|\n";
        auto const lone = fed("alone", [](bench::flat_world&) {});
        print("new jobs, nothing waits", lone, lone);
        for (int n : {12, 64}) // as many as a busy server has, and the most there ever are
            print(fmt::format("new jobs, {} partitions before", n), behind_partitions(n), lone);
        for (std::int64_t n = 100'000; n <= options_.most; n *= 10)
            print(fmt::format("new jobs, {} parked", n), beside_parked(n), lone);
        auto const few = drained(0);
        print("backlog, nothing behind it", few, few);
        for (std::int64_t n = 100'000; n <= options_.most; n *= 10)
            print(fmt::format("backlog, {} more ready", n), drained(n), few);
        auto const short_lane = in_lane(0);
        print("one lane, that long", short_lane, short_lane);
        print("one lane, 100000 more in it", in_lane(100'000), short_lane);
    }

    void run_with_reader() {
        bench::flat_world world{url_, folder_, "reader"};
        world.start(slots);
        std::cout << "| minute | jobs/s | created to started, p50 ms | p99 ms | dead rows of "
                     "lane_run | its pages |\n|---|---|---|---|---|---|\n";
        window(world, "alone", 30s);
        auto reader = storage::pg::connect(world.options(), storage::pg::purpose::general);
        reader->begin();
        reader->script("set transaction isolation level repeatable read;"
                       "set local idle_in_transaction_session_timeout = 0");
        reader->query({"snapshot", "select count(*) from postrider.job"}, {});
        for (int past = 30; past <= options_.reader_seconds; past += 30)
            window(world, fmt::format("reader since {} s", past), 30s);
        reader->rollback();
        window(world, "reader gone", 30s);
        world.stop();
    }

private:
    figures behind_partitions(int count) {
        return fed(fmt::format("partitions_{}", count), [count](bench::flat_world& world) {
            world.add_partitions(count);
        });
    }

    figures beside_parked(std::int64_t count) {
        return fed(fmt::format("parked_{}", count), [count](bench::flat_world& world) {
            world.add_parked_lanes(count);
        });
    }

    figures fed(std::string const& name, std::function<void(bench::flat_world&)> const& prepare) {
        bench::flat_world world{url_, folder_, "fed_" + name};
        prepare(world);
        world.start(slots);
        world.feed(500, feeders, 1h); // prepared plans are made, and made again, before
        auto const before = world.spent();
        world.feed(options_.jobs, feeders, 1h);
        auto const found = measured(world, before, options_.jobs);
        world.stop();
        return found;
    }

    figures drained(std::int64_t more) {
        bench::flat_world world{url_, folder_, fmt::format("drained_{}", more)};
        world.add_ready_lanes(static_cast<std::int64_t>(options_.jobs) + 1000 + more);
        return run_off(world);
    }

    figures in_lane(std::int64_t more) {
        bench::flat_world world{url_, folder_, fmt::format("lane_{}", more)};
        world.add_long_lane(static_cast<std::int64_t>(options_.jobs) + 1000 + more);
        return run_off(world);
    }

    figures run_off(bench::flat_world& world) {
        world.start(slots);
        world.run_until_completed(500);
        auto const from = world.completed();
        auto const before = world.spent();
        world.run_until_completed(from + options_.jobs);
        auto const found = measured(world, before, world.completed() - from);
        world.stop();
        return found;
    }

    void window(bench::flat_world& world, std::string const& name, base::duration length) {
        auto const before = world.completed();
        auto const since = world.value("select postrider.now()");
        auto const began = base::system_clock().steady();
        world.feed(1'000'000'000, feeders, length);
        std::chrono::duration<double> const took = base::system_clock().steady() - began;
        auto quantile = [&](std::string const& share) {
            return world.value(
                "select round((1000 * extract(epoch from percentile_cont(" + share +
                ") within group (order by started_at - created_at)))::numeric, 2) from "
                "postrider.job where created_at >= '" +
                since + "'"
            );
        };
        auto const p50 = quantile("0.5");
        auto const p99 = quantile("0.99");
        std::cout << fmt::format(
                         "| {} | {:.0f} | {} | {} | {} | {} |",
                         name,
                         static_cast<double>(world.completed() - before) / took.count(),
                         p50,
                         p99,
                         world.value("select n_dead_tup from pg_stat_user_tables where relname = "
                                     "'lane_run'"),
                         world.value("select pg_relation_size('postrider.lane_run') / 8192")
                     )
                  << std::endl;
    }

    std::string url_;
    std::filesystem::path folder_;
    flat_options options_;
};

} // namespace

int main(int count, char** values) {
    std::string folder;
    flat_options options;
    CLI::App app{"Is the cost of a job flat, whatever waits beside it?"};
    app.add_option("--folder", folder, "for the cluster, which is made there")->required();
    app.add_option("--jobs", options.jobs, "measured in each case");
    app.add_option("--most", options.most, "waiting jobs of the largest case");
    app.add_option(
        "--reader", options.reader_seconds, "instead: beside a reader of so many seconds"
    );
    CLI11_PARSE(app, count, values);

    base::log::configure(base::log::level::error, base::log::format::logfmt);
    auto cluster = storage::start_private_cluster(folder);
    if (!cluster) {
        std::cerr << "postrider_bench_flat: " << base::to_string(cluster.error()) << '\n';
        return 1;
    }
    campaign all{**cluster, folder, options};
    options.reader_seconds > 0 ? all.run_with_reader() : all.run();
    (*cluster)->stop();
}
