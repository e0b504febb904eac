// What parked jobs cost: the memory that a hundred thousand of them add to the process, and how
// soon those that come due start, a thousand a second. In a private cluster of its own.
//
//     postrider_bench_parked [--jobs 100000] [--due 20000] [--per-second 1000]
#include "queue/service.hpp"
#include "storage/private_cluster.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace {

using namespace std::chrono_literals;
using namespace postrider;

constexpr storage::statement add_lanes{"parked.lanes", R"(
insert into postrider.lane (lane_key) select $2 || n from generate_series(1, $1::int) n
)"};

constexpr storage::statement add_jobs{"parked.add", R"(
with j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state)
    select nextval('postrider.number'), lane_id, 1, 1, 'night', 'available' from postrider.lane
    where lane_key like $1 || '%' returning job_id, lane_id
)
update postrider.lane_run r set ready_at = postrider.now(), arrivals = 1, head = j.job_id
from j where r.lane_id = j.lane_id
)"};

constexpr storage::statement count_parked{
    "parked.count", "select count(*) from postrider.job where state = 'waiting'"};

// Spreads the ends of the sleeps: $1 of them, $2 a second, from five seconds on.
constexpr storage::statement bring_due{"parked.due", R"(
with d as materialized (
    select job_id, lane_id, now() + interval '5 s' + (row_number() over () - 1) * (interval '1 s' / $2::int) as at
    from (select job_id, lane_id from postrider.job where state = 'waiting' limit $1::int) x
), s as (
    update postrider.step s set next_at = d.at from d where s.job_id = d.job_id
), j as (
    update postrider.job j set due_at = d.at from d where j.job_id = d.job_id
)
update postrider.lane_run r set ready_at = d.at from d where r.lane_id = d.lane_id
)"};

constexpr storage::statement count_over{
    "parked.over", "select count(*) from postrider.job where state = 'completed'"};

constexpr storage::statement read_delays{"parked.delays", R"(
select percentile_cont(0.5) within group (order by ms), percentile_cont(0.99) within group (order by ms), max(ms),
       count(*) / greatest(1, extract(epoch from max(began) - min(began)))
from (select extract(epoch from a.started_at - n.next_at) * 1000 as ms, a.started_at as began
      from postrider.step n join postrider.step a on a.job_id = n.job_id and a.key = 'awake'
      where n.key = 'night') x
)"};

base::awaitable<queue::step_value> nothing() {
    co_return nullptr;
}

base::awaitable<queue::outcome> night(queue::workflow& flow) {
    co_await flow.sleep("night", 24h);
    co_await flow.run("awake", {}, nothing);
    co_return queue::outcome::completed();
}

double resident_mib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
    return 0;
}

class bench {
public:
    explicit bench(std::string url) : service_({url, {}}) {
        options_.url = std::move(url);
        service_.add({"night", night});
    }

    void park(int jobs, std::string prefix) {
        auto const before = number(count_parked);
        run(add_lanes, {jobs, prefix});
        run(add_jobs, {std::move(prefix)});
        until(count_parked, before + jobs);
    }

    void wake(int jobs, int per_second) {
        run(bring_due, {jobs, per_second});
        run({"parked.analyze", "analyze postrider.lane_run"}, {});
        until(count_over, jobs);
    }

    storage::row run(storage::statement statement, std::vector<storage::param> parameters) {
        storage::rows found;
        auto done = storage::run_blocking(options_, [&](storage::transaction& tx) {
            found = tx.query(statement, parameters);
        });
        if (!done) throw std::runtime_error(base::to_string(done.error()));
        return found.empty() ? storage::row({}) : found.front();
    }

private:
    std::int64_t number(storage::statement const& statement) { return run(statement, {}).int64(0); }

    // Counting is not free: once a second.
    void until(storage::statement const& statement, std::int64_t expected) {
        auto next = base::system_clock().steady();
        service_.run_while([&] {
            if (base::system_clock().steady() < next) return true;
            next = base::system_clock().steady() + 1s;
            return number(statement) < expected;
        });
    }

    storage::database_options options_;
    queue::service service_;
};

} // namespace

int main(int argc, char** argv) {
    int jobs = 100'000;
    int due = 20'000;
    int per_second = 1000;
    CLI::App cli{"What parked jobs cost"};
    cli.add_option("--jobs", jobs, "parked jobs");
    cli.add_option("--due", due, "of them come due");
    cli.add_option("--per-second", per_second, "so many a second");
    CLI11_PARSE(cli, argc, argv);

    auto const folder = std::filesystem::temp_directory_path() / "postrider-parked";
    std::filesystem::remove_all(folder);
    auto cluster = storage::start_private_cluster(folder);
    if (!cluster) {
        fmt::print(stderr, "{}\n", base::to_string(cluster.error()));
        return 1;
    }
    {
        bench parked((*cluster)->url());
        parked.park(2000, "warm-up ");
        auto const before = resident_mib();
        parked.park(jobs, "lane ");
        auto const after = resident_mib();
        parked.wake(due, per_second);
        auto const delays = parked.run(read_delays, {});
        fmt::print(
            "{} parked jobs: {:.1f} MiB before, {:.1f} MiB with them ({:+.1f})\n"
            "{} came due at {}/s: started {:.0f} ms (p50), {:.0f} ms (p99), {:.0f} ms (max) late; "
            "{:.0f}/s\n",
            jobs,
            before,
            after,
            after - before,
            due,
            per_second,
            std::stod(delays.text(0)),
            std::stod(delays.text(1)),
            std::stod(delays.text(2)),
            std::stod(delays.text(3))
        );
    }
    (*cluster)->stop();
    std::filesystem::remove_all(folder);
}
