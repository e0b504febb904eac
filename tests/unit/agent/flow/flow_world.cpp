#include "tests/unit/agent/flow/flow_world.hpp"

#include "agent/flow/run/failure.hpp"
#include "tests/unit/agent/flow/declared_items.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>

namespace postrider::tests {

namespace flow = agent::flow;
namespace json = boost::json;

namespace {

flow::catalog const& types() {
    static auto const all = flow::builtin_types();
    return all;
}

} // namespace

std::shared_ptr<flow::graph const> compiled(std::string_view document) {
    auto told = [](std::vector<flow::problem> const& problems) {
        std::string all;
        for (auto const& problem : problems) all += to_text(problem) + "\n";
        return std::runtime_error(all);
    };
    auto read = flow::read_definition(document);
    if (auto* wrong = std::get_if<std::vector<flow::problem>>(&read)) throw told(*wrong);
    auto compilation = flow::graph::compile(std::get<flow::definition>(std::move(read)), types());
    if (auto* wrong = std::get_if<std::vector<flow::problem>>(&compilation)) throw told(*wrong);
    return std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
}

void telling_observer::node_started(flow::node const& which, flow::items const& input) {
    inputs_[&which] = input;
    lines.push_back("> " + which.name);
}

void telling_observer::connection_used(flow::connection const& which, std::size_t) {
    lines.push_back(flow_.nodes[which.from].name + " -> " + flow_.nodes[which.to].name);
}

void telling_observer::
    node_finished(flow::node const& which, flow::outputs const& output, base::error const* failure, json::object const&) {
    if (!failure) {
        lines.push_back("< " + which.name);
        passed_on.insert_or_assign(which.name, output);
        auto const* type = types().find(which.type);
        // A trigger's items are the test's own.
        if (type && !is_trigger(*type) && !which.disabled)
            expect_declared(*type, which, inputs_[&which], output);
    } else
        lines.push_back("! " + which.name + " " + std::string(base::to_string(failure->code)));
}

void telling_observer::node_reported(
    flow::node const& which, std::string_view event, json::object
) {
    lines.push_back(which.name + ": " + std::string(event));
}

std::vector<json::value> jobs_in(std::vector<storage::write> const& writes, std::string_view kind) {
    std::vector<json::value> inputs;
    for (auto const& write : writes) {
        if (write.row.empty()) continue;
        auto const row = json::parse(write.row);
        auto const* own_kind = row.is_object() ? row.get_object().if_contains("kind") : nullptr;
        if (own_kind && *own_kind == json::value(kind)) inputs.push_back(row.at("input"));
    }
    return inputs;
}

flow_world::flow_world(std::string_view document) : graph(compiled(document)) {
    job.id = job_id{100};
    job.lane = lane_id{1};
    job.conversation = conversation_id{5};
    job.run_no = 1;
    job.kind = flow::flow_kind;
}

base::awaitable<base::result<std::shared_ptr<flow::graph const>>> flow_world::find(
    std::string name, std::int64_t version
) {
    if (name == graph->flow().name && version == 1) co_return graph;
    if (others_away) co_return *others_away;
    auto const other = others.find(name);
    if (other == others.end()) co_return base::error(base::errc::not_found, "no flow " + name);
    co_return other->second;
}

flow::node_services flow_world::services() {
    auto service_set =
        assistant_services(table, chat, clock, random, {.model = &model, .others = models});
    service_set.agents.insert(agents.begin(), agents.end());
    service_set.current_version = [this](std::string_view name) -> std::int64_t {
        return others.contains(name) ? 7 : 0;
    };
    service_set.find_flow = [this](std::string name, std::int64_t version) {
        return find(std::move(name), version);
    };
    service_set.servers = servers;
    service_set.tools = tools;
    if (adjust) adjust(service_set);
    return service_set;
}

fake_workflow flow_world::workflow(json::value data) {
    if (job.input.is_null()) {
        flow::execution_input input;
        input.flow = graph->flow().name;
        input.version = 1;
        input.data = std::move(data);
        job.input = to_json(input);
    }
    applied_ = std::min(applied_, record.writes.size()); // a test may begin another record
    fake_workflow steps{job, record};
    steps.events = events;
    steps.closed = closed;
    steps.side_by_side = side_by_side;
    steps.held_stands = held_stands;
    steps.committed = [this] {
        auto const& all = record.writes;
        table.apply({all.begin() + static_cast<std::ptrdiff_t>(applied_), all.end()});
        applied_ = all.size();
    };
    return steps;
}

queue::outcome flow_world::run_with(fake_workflow& steps) {
    auto const with = services();
    telling_observer watcher(graph->flow());
    struct note { // also when it dies
        flow_world& world;
        fake_workflow& steps;
        telling_observer& watcher;
        ~note() {
            world.log = steps.log;
            world.told = watcher.lines;
            world.passed_on = watcher.passed_on;
        }
    };
    note at_end{*this, steps, watcher};
    auto outcome = io.run(flow::execute(*graph, steps, with, watcher));
    if (outcome.state == queue::job_state::failed) {
        auto rows = io.run(flow::rows_of_failure(with, job, outcome));
        std::ranges::move(rows, std::back_inserter(outcome.writes));
    }
    steps.finish(outcome);
    return outcome;
}

queue::outcome flow_world::run(json::value data) {
    auto steps = workflow(std::move(data));
    return run_with(steps);
}

queue::outcome flow_world::run(flow::execution_input input) {
    job.input = to_json(input);
    auto steps = workflow(nullptr);
    return run_with(steps);
}

queue::outcome flow_world::run_job(
    queue::job_kind const& kind, json::value input, fake_record& its_record, int dies_at_commit
) {
    queue::job own;
    own.id = job_id{1'000};
    own.input = std::move(input);
    fake_workflow steps{own, its_record};
    steps.dies_at_commit = dies_at_commit;
    queue::workflow handle{steps};
    auto outcome = io.run(kind.run(handle));
    steps.finish(outcome);
    return outcome;
}

bool flow_world::run_and_die(int commit, json::value data) {
    auto steps = workflow(std::move(data));
    steps.dies_at_commit = commit;
    try {
        run_with(steps);
    } catch (fake_workflow::died const&) {
        return true;
    }
    return false;
}

std::string flow_world::ended(queue::outcome const& outcome) {
    return json::serialize(outcome.output.at("items"));
}

} // namespace postrider::tests
