#include "server/api/execution_looks.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "server/api/database_bounds.hpp"
#include "storage/transact.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postrider::api {

namespace flow = agent::flow;
namespace json = boost::json;

namespace {

constexpr std::size_t most_kept_lists = 16;
// What a round has not read by then, the next one reads first: the query it is part of has a deadline.
constexpr base::duration longest_reading = std::chrono::seconds{1};

// Changes whenever the record does.
constexpr storage::statement execution_marks{"execution_marks", R"sql(
select w.i, j.mark
from json_to_recordset($1::json) as w(i int, job_id bigint)
cross join lateral (
    select concat_ws('/', j.state, j.run_no, j.restarts, j.asked,
                     (select count(*) from postrider.step s where s.job_id = j.job_id),
                     (select count(*) from postrider.wait w where w.job_id = j.job_id)) as mark
    from postrider.job j
    where j.job_id = w.job_id and jsonb_typeof(j.input -> 'flow') = 'string' offset 0) j)sql"};

base::error no_such_execution(job_id job) {
    return {base::errc::not_found, fmt::format("there is no execution {}", base::raw(job))};
}

} // namespace

execution_reading::execution_reading(
    std::string mark, queue::recording record, shared_graph graph, flow::retraced retraced
)
    : mark_(std::move(mark)),
      record_(std::move(record)),
      of_(std::move(graph)),
      seen_(std::move(retraced)) {}

std::vector<flow::event> const& execution_reading::events_behind(std::int64_t number) const {
    if (auto const entry = events_.find(number); entry != events_.end()) return entry->second;
    if (events_.size() >= most_kept_lists) events_.clear();
    auto all = flow::events_of(of_->flow(), seen_.seen, record_.details, number);
    return events_.emplace(number, std::move(all)).first->second;
}

// One execution in a round: what is known of it, then what was found.
struct execution_looks::raw_reading {
    job_id job{};
    std::shared_ptr<execution_reading const> previous;
    std::string mark;                       // "" = there is no such execution
    std::optional<queue::recording> record; // where it has changed
    base::duration took{0};
};

execution_looks::execution_looks(storage::database& db, flow::node_services const& nodes)
    : db_(db),
      nodes_(nodes),
      rounds_(nodes.clock, [this](std::vector<job_id> jobs) { return read(std::move(jobs)); }) {}

std::shared_ptr<watched_execution> execution_looks::watch(job_id job) {
    if (auto const entry = watched_.find(job); entry != watched_.end())
        if (auto watched = entry->second.lock()) return watched;
    std::erase_if(watched_, [](auto const& entry) { return entry.second.expired(); });
    auto watched = std::make_shared<watched_execution>();
    watched->job = job;
    watched_[job] = watched;
    return watched;
}

base::awaitable<base::result<std::vector<execution_finding>>> execution_looks::read(
    std::vector<job_id> jobs
) {
    std::vector<raw_reading> known(jobs.size());
    std::vector<std::shared_ptr<watched_execution>> watched;
    for (std::size_t at = 0; at < jobs.size(); ++at) {
        watched.push_back(watch(jobs[at]));
        known[at].job = jobs[at];
        known[at].previous = watched.back()->reading;
    }
    std::vector<std::size_t> order(jobs.size()); // the job whose reading is the oldest comes first
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return watched[at]->read_at; });
    auto look = [known = std::move(known),
                 order = std::move(order),
                 &clock = nodes_.clock](storage::transaction& tx) {
        auto readings = known;
        json::array marks;
        for (std::size_t at = 0; at < readings.size(); ++at)
            marks.push_back({{"i", at}, {"job_id", base::raw(readings[at].job)}});
        for (auto const& row : tx.query(execution_marks, {json::serialize(marks)}))
            readings.at(static_cast<std::size_t>(row.int64(0))).mark = row.text(1);
        auto const round_began = clock.steady();
        for (auto const at : order) {
            auto& reading = readings[at];
            if (reading.mark.empty()) continue;
            if (reading.previous && reading.previous->mark() == reading.mark) continue;
            auto const began = clock.steady();
            if (reading.previous && began - round_began > longest_reading) continue;
            if (reading.previous) reading.record = reading.previous->record();
            queue::update_recording(tx, reading.job, reading.record);
            if (!reading.record) reading.mark.clear();
            reading.took = clock.steady() - began;
        }
        return readings;
    };
    auto readings =
        co_await storage::transact(db_, "execution.look", std::move(look), database_waits.read);
    if (!readings) co_return readings.error();
    std::vector<execution_finding> findings(jobs.size());
    std::vector<base::awaitable<void>> retracing;
    for (std::size_t at = 0; at < jobs.size(); ++at)
        retracing.push_back(judge(*watched[at], (*readings)[at], findings[at]));
    co_await base::run_together("execution.look", std::move(retracing));
    co_return findings;
}

// One that cannot be understood is no concern of those who watch another.
base::awaitable<void> execution_looks::judge(
    watched_execution& execution, raw_reading& reading, execution_finding& finding
) {
    finding.outcome = base::error(base::errc::internal, "the record could not be read");
    auto const began = nodes_.clock.steady();
    auto outcome = co_await understand(execution, reading);
    // Also where it failed: a slow one holds the round up, and comes the more rarely.
    if (reading.record) {
        execution.read_at = began;
        execution.pace.looked(reading.took + (nodes_.clock.steady() - began));
    }
    finding.outcome = std::move(outcome);
}

base::awaitable<base::result<void>> execution_looks::understand(
    watched_execution& execution, raw_reading& reading
) {
    if (reading.mark.empty()) co_return no_such_execution(execution.job);
    if (!reading.record) co_return base::result<void>{};
    auto const input = flow::execution_input_from(reading.record->job.input);
    if (!input) co_return no_such_execution(execution.job);
    auto graph = co_await flow::find_chosen(nodes_, flow::choice_of(*input));
    if (!graph) co_return graph.error();
    auto const shared = std::move(*graph);
    auto seen = co_await flow::retrace(*shared, *reading.record, nodes_);
    if (!seen) co_return seen.error();
    execution.reading = std::make_shared<execution_reading const>(
        std::move(reading.mark), *std::move(reading.record), shared, std::move(*seen)
    );
    co_return base::result<void>{};
}

} // namespace postrider::api
